import type { Client } from './client.ts';
import type { FaultPlan } from './faults.ts';
import type { Seen } from './provider.ts';
import type { Run } from './run-client.ts';
import { LAST_WORDS } from './script.ts';

/** `whole`: the turn ended as if nothing had been. `told`: the client said that it did not. */
export type Verdict =
  | { readonly word: 'whole' | 'told'; readonly faults: readonly [] }
  | { readonly word: 'broken'; readonly faults: readonly string[] };

/** More requests than these for one turn are a storm. */
const MOST_REQUESTS = 12;

const SAYS_SO = /error|failed|interrupted|terminated|disconnected|broke|aborted|incomplete/i;

const count = (text: string, part: string): number => text.split(part).length - 1;

/** Judges by what a user sees (the file, the printed text, the exit code) and by what the providers saw. */
export function judge(run: Run, seen: Seen, plan: FaultPlan, { forbidden }: Pick<Client, 'forbidden'> = {}): Verdict {
  const printed = count(run.out, LAST_WORDS);
  const isTold = plan.column === 'c' && printed === 0 && run.traces === 0 && (run.code !== 0 || saysSo(run));
  const hit = forbidden?.exec(`${run.out}\n${run.err}`)?.[0];
  const faults = [
    ...(hit === undefined ? [] : [`it says: ${hit}`]),
    ...findCommon(run, seen, plan),
    ...(isTold ? [] : findUnlikeWhole(run, seen, plan, printed)),
  ];
  if (faults.length > 0) return { word: 'broken', faults };
  return { word: isTold ? 'told' : 'whole', faults: [] };
}

const saysSo = (run: Run): boolean => SAYS_SO.test(run.out) || SAYS_SO.test(run.err);

function findCommon(run: Run, seen: Seen, plan: FaultPlan): readonly string[] {
  const all = seen.first + seen.second;
  return [
    ...(run.code === null ? ['it did not end, and was stopped'] : []),
    ...(plan.strike !== null && seen.strikes === 0 ? ['the fault was never played'] : []),
    ...(all > MOST_REQUESTS ? [`${all} requests for one turn`] : []),
    ...seen.refused.map((why) => `a provider would have refused: ${why}`),
  ];
}

function findUnlikeWhole(run: Run, seen: Seen, plan: FaultPlan, printed: number): readonly string[] {
  const good = plan.strike === null ? seen.first + seen.second : seen.second;
  return [
    ...(run.traces === 1 ? [] : [`the tool ran ${run.traces} times`]),
    ...(printed === 1 ? [] : [`the last words were printed ${printed} times`]),
    ...(run.code === 0 || run.code === null ? [] : [`it ended with ${run.code}`]),
    // Before output a client must not notice: it asks twice, once for each step of the turn.
    ...(plan.column === 'c' || good === 2 ? [] : [`the target that answers got ${good} requests, not 2`]),
    ...(plan.column === 'c' || seen.strikes <= 2 ? [] : [`the first target failed ${seen.strikes} times`]),
  ];
}
