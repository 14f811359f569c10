import { Secret } from '../core/redact/secret.ts';
import type { Secrets } from '../port/secrets.ts';
import { codeOf } from './error-code.ts';

/**
 * A scalar whose text came, at least in part, from the environment or a file. It is kept apart from what the file
 * itself says: it may be coerced to what its key wants, and it is never shown.
 */
export class Interpolated {
  readonly secret: Secret;

  constructor(secret: Secret) {
    this.secret = secret;
  }
}

export type InterpolationProblem = { readonly message: string; readonly hint: string | null };

export type InterpolationResult =
  | { readonly ok: true; readonly value: string | Interpolated }
  | { readonly ok: false; readonly problems: readonly InterpolationProblem[] };

/**
 * What becomes of a variable that is not set and has no default: `refuse` is a problem; `stand_in` puts in a text of its
 * own, for who only looks at a configuration whose variables may be set elsewhere.
 */
export type UnsetVariables = 'refuse' | 'stand_in';

const STAND_IN = 'not-set-in-this-terminal';

export type InterpolationSources = {
  readonly secrets: Pick<Secrets, 'variable' | 'file'>;
  /** Makes a path of `${file:…}` absolute. */
  readonly resolvePath: (path: string) => string;
  readonly unset: UnsetVariables;
  /** A secret is to come of it: none is advised to stand in the document. */
  readonly isSecret?: boolean;
};

/** Defaults may hold references again; deeper than this is a mistake. */
const MAX_DEPTH = 8;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Replaces `${VAR}`, `${VAR:-default}` and `${file:/path}` in one string; `$${` stands for a literal `${`. What was put
 * in is not looked at again.
 */
export function interpolate(text: string, sources: InterpolationSources): InterpolationResult {
  if (!text.includes('${')) return { ok: true, value: text };
  const run: Run = { sources, problems: [], replaced: 0 };
  const out = expand(text, run, 0);
  if (run.problems.length > 0) return { ok: false, problems: run.problems };
  return { ok: true, value: run.replaced > 0 ? new Interpolated(new Secret(out)) : out };
}

type Run = { readonly sources: InterpolationSources; readonly problems: InterpolationProblem[]; replaced: number };

function expand(text: string, run: Run, depth: number): string {
  let out = '';
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf('${', at);
    if (start < 0) return out + text.slice(at);
    if (text[start - 1] === '$' && start > at) {
      out += `${text.slice(at, start - 1)}\${`;
      at = start + 2;
      continue;
    }
    const end = closingBrace(text, start + 2);
    if (end < 0) {
      run.problems.push({ message: '"${" is not closed', hint: 'write $${ for a literal ${' });
      return out;
    }
    out += text.slice(at, start) + lookUp(text.slice(start + 2, end), run, depth);
    at = end + 1;
  }
  return out;
}

/** Place of the brace that closes a reference, minding references inside its default; -1 if there is none. */
function closingBrace(text: string, from: number): number {
  let open = 1;
  for (let at = from; at < text.length; at++) {
    if (text.startsWith('${', at)) {
      open += 1;
      at += 1;
    } else if (text[at] === '}') {
      open -= 1;
      if (open === 0) return at;
    }
  }
  return -1;
}

function lookUp(reference: string, run: Run, depth: number): string {
  run.replaced += 1;
  if (reference.startsWith('file:')) return readFile(reference.slice('file:'.length), run);
  const split = reference.indexOf(':-');
  const name = split < 0 ? reference : reference.slice(0, split);
  if (!NAME.test(name)) return refuse(run, `"\${${shorten(reference)}}" is no reference`, REFERENCE_HINT);
  const value = run.sources.secrets.variable(name);
  if (split < 0) return value ?? missing(run, name);
  // As in a shell, `:-` stands in for an empty variable as well.
  if (value !== undefined && value !== '') return value;
  if (depth >= MAX_DEPTH) return refuse(run, 'references are nested too deep', null);
  return expand(reference.slice(split + 2), run, depth + 1);
}

const REFERENCE_HINT = 'write ${NAME}, ${NAME:-default} or ${file:/path}; $${ is a literal ${';

/** What a text with nothing but one reference in it stands for, in words; null: it is another text. */
export function sourceWords(text: string | null): string | null {
  const [, reference] = /^\s*\$\{([^{}]+)\}\s*$/.exec(text ?? '') ?? [];
  if (reference === undefined) return null;
  if (reference.startsWith('file:')) return `the file ${reference.slice('file:'.length).trim()}`;
  const [name = ''] = reference.split(':-');
  return NAME.test(name) ? name : null;
}

function readFile(path: string, run: Run): string {
  if (path.trim() === '') return refuse(run, '"${file:}" names no file', 'write ${file:/path/to/secret}');
  try {
    return run.sources.secrets.file(run.sources.resolvePath(path.trim())).reveal();
  } catch (error) {
    return refuse(
      run,
      `the file ${JSON.stringify(path.trim())} can't be read${fileProblem(error)}`,
      'check its path and who may read it',
    );
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'permission denied',
  not_regular: 'it is a device or a pipe, not a regular file',
  too_large: 'it is larger than 64 KiB',
};

/** Why a secret file can't be read: our words or the operating system's, never a message that may quote contents. */
export function fileProblem(error: unknown): string {
  const code = codeOf(error);
  return `: ${REASONS[code] ?? code}`;
}

function missing(run: Run, name: string): string {
  if (run.sources.unset === 'stand_in') return `${STAND_IN}-${name}`;
  return refuse(
    run,
    `the variable ${name} is not set`,
    run.sources.isSecret
      ? `set it: export ${name}=…`
      : `set it (export ${name}=…), or give a default: \${${name}:-value}`,
  );
}

function refuse(run: Run, message: string, hint: string | null): string {
  run.problems.push({ message, hint });
  return '';
}

const shorten = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
