/** Where something stands in a file: both from 1. */
export type Position = { readonly line: number; readonly column: number };

/** Steps from the root of the document: keys of maps, places in lists. */
export type Path = readonly (string | number)[];

/**
 * One thing that is wrong with a configuration, as people and programs are told it. It never holds an interpolated
 * value.
 */
export type ConfigProblem = {
  /** `models.main.targets[1]`; empty for the document as a whole. */
  readonly path: string;
  /** Null where no file stands behind it (an override of the command line). */
  readonly line: number | null;
  readonly column: number | null;
  readonly message: string;
  /** What to do about it; null when the message says it all. */
  readonly hint: string | null;
};

/** A problem before its place in the file is looked up. */
export type Finding = {
  readonly path: Path;
  readonly message: string;
  readonly hint?: string | null;
  /** Point at the key rather than at its value. */
  readonly atKey?: boolean;
};

const PLAIN_STEP = /^[A-Za-z_][A-Za-z0-9_-]*$/;

/** `models.main.targets[1]`; names that would be unclear are quoted: `models["gpt-5.6"]`. */
export function formatPath(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (!PLAIN_STEP.test(step)) text += `[${JSON.stringify(step)}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}

/** For people: one problem in one or two lines, `file:line:column  path  what is wrong` and `→ hint` below it. */
export function renderProblems(problems: readonly ConfigProblem[], file: string | null): string {
  return problems.map((problem) => renderProblem(problem, file)).join('\n');
}

/** The same as the message that ends a command: each problem in lines of its own. */
export const tellProblems = (problems: readonly ConfigProblem[], file: string | null): string =>
  `the configuration is not valid:\n${renderProblems(problems, file)}`;

function renderProblem(problem: ConfigProblem, file: string | null): string {
  // Where there is no file, its lines are nowhere to be seen.
  const place =
    file === null
      ? 'no configuration file'
      : [file, problem.line, problem.column].filter((part) => part !== null).join(':');
  const line = [place, problem.path, problem.message].filter((part) => part !== '').join('  ');
  return problem.hint === null ? line : `${line}\n    → ${problem.hint}`;
}
