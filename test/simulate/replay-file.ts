import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Scenario } from '../../src/simulate/scenario/scenario.ts';
import { printScript, readScript } from '../../src/simulate/script/index.ts';

export const FOUND = join(import.meta.dirname, 'found');
export const REGRESSIONS = join(import.meta.dirname, 'regressions');

/** Writes a scenario as a script; where words fail (it would not read back the same), as the data that it is. */
export function writeReplay(name: string, scenario: Scenario, notes: readonly string[]): string {
  mkdirSync(FOUND, { recursive: true });
  const script = printScript(scenario, notes);
  const isFaithful = isDeepStrictEqual(scenarioIn(script), scenario);
  const path = join(FOUND, isFaithful ? `${name}.yaml` : `${name}.json`);
  writeFileSync(path, isFaithful ? script : `${JSON.stringify(scenario, null, 2)}\n`);
  return path;
}

/** Throws if the file holds no scenario. */
export function readReplay(path: string): Scenario {
  const text = readFileSync(path, 'utf8');
  const scenario = path.endsWith('.json') ? (JSON.parse(text) as Scenario) : scenarioIn(text);
  if (typeof scenario === 'string') throw new Error(`${path}: ${scenario}`);
  return scenario;
}

/** Or what is wrong with the text. */
function scenarioIn(text: string): Scenario | string {
  const read = readScript(text, { model: null });
  // Maps of a configuration that was read have no prototype.
  if (read.ok) return JSON.parse(JSON.stringify(read.script.scenario)) as Scenario;
  return read.problems.map(({ line, path, message }) => `line ${line ?? '?'}: ${path} ${message}`).join('\n');
}
