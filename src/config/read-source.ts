import { posix } from 'node:path';
import type { Secrets } from '../port/secrets.ts';
import { type DocumentResult, readDocument } from './document.ts';
import { Interpolated, interpolate, type UnsetVariables } from './interpolate.ts';
import { type ConfigProblem, type Finding, formatPath, type Path } from './problem.ts';

export type Source = {
  readonly text: string;
  /** Absolute path; null for a configuration that no file holds. */
  readonly file: string | null;
  readonly secrets: Pick<Secrets, 'variable' | 'file'>;
  readonly unset: UnsetVariables;
};

/** A document with its variables put in, and what everybody who reads from it needs. */
export type ReadSource = Extract<DocumentResult, { ok: true }> & {
  readonly resolvePath: (path: string) => string;
  /** Takes values that came from the environment or from files out of a text for people. */
  readonly hide: (text: string) => string;
  /** A finding with its place in the file. */
  readonly place: (finding: Finding) => ConfigProblem;
};

/** The one way from a configuration's text to its tree, whatever of it is looked at afterwards. */
export function readSource(source: Source): ReadSource | Extract<DocumentResult, { ok: false }> {
  const { text, file, secrets, unset } = source;
  const resolvePath = (path: string): string => resolvePathFrom(path, { file, home: secrets.variable('HOME') });
  const interpolated = new Set<string>();
  const read = readDocument(text, (string, path) => {
    const result = interpolate(string, { secrets, resolvePath, unset, isSecret: holdsSecret(path) });
    if (result.ok && result.value instanceof Interpolated) interpolated.add(result.value.secret.reveal());
    return result;
  });
  if (!read.ok) return read;
  const hide = hiderOf(interpolated);
  return { ...read, resolvePath, hide, place: (finding) => locateFinding(finding, read.document, hide) };
}

const SECRET_KEYS = ['apiKey', 'key', 'adminToken', 'token'];

/** Whether a secret has its place there: a key, a token, a header that may carry one. */
export const holdsSecret = (path: Path): boolean =>
  SECRET_KEYS.includes(String(path.at(-1))) || String(path.at(-2)) === 'headers';

/** `~` is the home folder; a relative path counts from the folder of the file. */
function resolvePathFrom(
  path: string,
  base: { readonly file: string | null; readonly home: string | undefined },
): string {
  if (path === '~' || path.startsWith('~/')) return posix.join(base.home ?? '~', path.slice(1));
  if (posix.isAbsolute(path) || base.file === null) return path;
  return posix.join(posix.dirname(base.file), path);
}

/** Shorter values are words, not secrets, and would take other text along. */
const SHORTEST_HIDDEN = 4;

function hiderOf(values: ReadonlySet<string>): (text: string) => string {
  const hidden = [...values].filter((value) => value.length >= SHORTEST_HIDDEN).sort((a, b) => b.length - a.length);
  return (text) => hidden.reduce((cleaned, value) => cleaned.replaceAll(value, '[interpolated]'), text);
}

function locateFinding(
  { path, message, hint = null, atKey = false }: Finding,
  document: ReadSource['document'],
  hide: (text: string) => string,
): ConfigProblem {
  const { line, column } = document.locate(path, atKey);
  return { path: formatPath(path), line, column, message: hide(message), hint: hint === null ? null : hide(hint) };
}
