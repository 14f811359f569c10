import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { editText } from '../config/edit/edit-text.ts';
import { restoreSecrets } from '../config/edit/withheld-secrets.ts';
import { hideSecrets, isWritten, keepSecrets, readEntries } from '../config/edit/written-entries.ts';
import { codeOf } from '../config/error-code.ts';
import type { LoadResult } from '../config/load.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import { tellWarning } from '../config/warning.ts';
import type { ConfigEdit, ConfigEditAnswer, ConfigEditor } from '../management/index.ts';
import type { ConfigVersions } from './config-versions.ts';
import { replaceFile } from './replace-file.ts';

export type ConfigFileEditorOptions = {
  readonly file: string;
  readonly format: 'yaml' | 'json';
  readonly versions: ConfigVersions;
  /** Epoch ms. */
  readonly now: () => number;
  readonly load: (text: string) => Promise<LoadResult>;
  /** Reads the file and puts it in force; false: it was refused all the same. */
  readonly takeNow: () => Promise<boolean>;
  readonly needsRestart: (config: RuntimeConfig) => readonly string[];
};

const VERSION_LENGTH = 12;
const versionOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, VERSION_LENGTH);

type Refused = Extract<ConfigEditAnswer, { ok: false }>;
type Made = { readonly ok: true; readonly text: string } | Refused;

const refuse = (why: Refused['why'], message: string): Refused => ({ ok: false, why, message });

/** Changes the file that holds the configuration: each change is checked whole before anything is written. */
export function createConfigFileEditor(options: ConfigFileEditorOptions): ConfigEditor {
  const { file, versions } = options;
  let last: Promise<unknown> = Promise.resolve();
  return {
    read() {
      const text = readText(file);
      if (text === null) return null;
      const providers = [...readEntries(text, 'providers')].map(([name, entry]) => [name, hideSecrets(entry)] as const);
      return {
        version: versionOf(text),
        entries: { models: readEntries(text, 'models'), providers: new Map(providers) },
      };
    },
    versions: () => versions.list(),
    edit(edit, expected) {
      const next = last.then(() => editFile(edit, expected, options));
      last = next.catch(() => {});
      return next;
    },
  };
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

async function editFile(
  edit: ConfigEdit,
  expected: string | null,
  options: ConfigFileEditorOptions,
): Promise<ConfigEditAnswer> {
  const { file, load, needsRestart, takeNow } = options;
  const text = readText(file);
  if (text === null) return refuse('no_file', `The configuration file ${file} can not be read: put it back first.`);
  const version = versionOf(text);
  if (expected !== null && expected !== version) {
    return refuse('conflict', `The file is version ${version} by now, not ${expected}: read it again.`);
  }
  const made = makeText(text, edit, options);
  if (!made.ok) return made;
  const result = await load(made.text);
  if (!result.ok) {
    const { problems } = result;
    const first = problems[0];
    const words = first === undefined ? '' : `: ${[first.path, first.message].filter((part) => part !== '').join(' ')}`;
    return { ok: false, why: 'invalid', message: `The configuration would not be valid${words}.`, problems };
  }
  const about = { warnings: result.config.warnings.map(tellWarning), needsRestart: needsRestart(result.config) };
  if (made.text === text) return { ok: true, version, changed: false, ...about };
  const trouble = write(text, made.text, options);
  if (trouble !== null) return trouble;
  if (!(await takeNow())) return refuse('not_taken', 'The file was written, but is not in force: the log says why.');
  return { ok: true, version: versionOf(made.text), changed: true, ...about };
}

/** What the file is to say. */
function makeText(text: string, edit: ConfigEdit, { versions, format }: ConfigFileEditorOptions): Made {
  if (edit.kind === 'rollback') return rollBack(text, edit.version, versions);
  const { section, name } = edit;
  const known = readEntries(text, section).get(name);
  if (edit.kind === 'delete') {
    if (known === undefined)
      return refuse('missing', `The file has nothing named ${JSON.stringify(name.slice(0, 200))} under ${section}.`);
    return edited(editText(text, format, { section, name, value: undefined }));
  }
  const sent = isWritten(edit.value) ? edit.value : {};
  const value = section === 'providers' ? keepSecrets(sent, known ?? {}) : sent;
  if (value === null)
    return refuse('invalid', 'A secret is null that the file does not have: name it, best as ${VARIABLE}.');
  return edited(editText(text, format, { section, name, value }));
}

const edited = (result: ReturnType<typeof editText>): Made =>
  result.ok ? result : refuse('not_writable', result.message);

function rollBack(text: string, version: string, versions: ConfigVersions): Made {
  const kept = versions.read(version);
  if (kept === null)
    return refuse('missing', `There is no version ${JSON.stringify(version)}: GET /api/v1/config/versions lists them.`);
  const restored = restoreSecrets(kept, text);
  if (restored.ok) return restored;
  return refuse(
    'invalid',
    `That version has a secret in the file itself (${restored.missing}), which was not kept: put it back by hand.`,
  );
}

/** Keeps both, and writes the new one. Null: done. */
function write(before: string, after: string, { file, versions, now }: ConfigFileEditorOptions): Refused | null {
  try {
    versions.save(versionOf(before), before, now());
    versions.save(versionOf(after), after, now() + 1);
    replaceFile(file, after);
    return null;
  } catch (error) {
    const words = REASONS[codeOf(error)] ?? codeOf(error);
    return refuse('not_writable', `The file ${file} can not be written (${words}): change it where it comes from.`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EROFS: 'its file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  ENOSPC: 'the disk is full',
};

/** Where no file holds the configuration, as of the demo. */
export const NO_CONFIG_FILE: ConfigEditor = {
  read: () => null,
  versions: () => [],
  edit: async () =>
    refuse('no_file', 'No file holds this configuration: write one with "understudy init", and start with it.'),
};
