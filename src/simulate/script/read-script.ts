import { readDocument, type SourceDocument } from '../../config/document.ts';
import { findingsOf } from '../../config/issues.ts';
import { type ConfigProblem, type Finding, formatPath, type Path } from '../../config/problem.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { type ScriptInput, scriptSchema } from './schema.ts';
import { toScenario } from './to-scenario.ts';

/** A script that was read. Rows of the scenario stand at the same places as those of the script. */
export type Script = {
  readonly scenario: Scenario;
  /** A problem that was found later, at its place in the script. */
  readonly locate: (finding: Finding) => ConfigProblem;
};

export type ScriptResult =
  | { readonly ok: true; readonly script: Script }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

export type ReadOptions = {
  /** For asks that name no model; null: each has to. */
  readonly model: string | null;
};

/** From the text of a script (YAML or JSON) to a scenario, or everything that is wrong with it, each with its place. */
export function readScript(text: string, { model }: ReadOptions): ScriptResult {
  const read = readDocument(text, (string) => ({ ok: true, value: string }));
  if (!read.ok) return { ok: false, problems: read.problems };
  const { document, problems } = read;
  const at = (finding: Finding): ConfigProblem => locate(finding, document);
  if (problems.length > 0) return { ok: false, problems };
  const parsed = scriptSchema.safeParse(document.tree);
  if (!parsed.success) {
    const found = findingsOf(parsed.error.issues, scriptSchema).map(at);
    return { ok: false, problems: inOrder(found) };
  }
  const findings: Finding[] = [];
  const scenario = toScenario(parsed.data satisfies ScriptInput, model, findings);
  if (findings.length > 0) return { ok: false, problems: inOrder(findings.map(at)) };
  return { ok: true, script: { scenario, locate: at } };
}

function locate({ path, message, hint, atKey }: Finding, document: SourceDocument): ConfigProblem {
  const { line, column } = document.locate(path satisfies Path, atKey === true);
  return { path: formatPath(path), line, column, message, hint: hint ?? null };
}

const inOrder = (problems: readonly ConfigProblem[]): readonly ConfigProblem[] =>
  [...problems].sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
