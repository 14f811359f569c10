import type { HealthChange, Run } from '../world/run.ts';
import type { Outage } from './report.ts';
import { compareTexts, tally } from './tally.ts';

/** Up to this moment a state lasts by itself; it says more of a circuit that somebody has to be let through. */
const LAPSES = ['deferred', 'rejected', 'slow'];

type Part = { readonly change: HealthChange; readonly endAt: number | null };

/** What was kept from service, and when: parts that follow on each other are one. */
export function findOutages(run: Run): readonly Outage[] {
  const holds = holdsOf(run);
  return tally(run.healthChanges, ({ scope, id }) => `${scope} ${id}`)
    .flatMap(([, changes]) => {
      const held = holds.get(changes[0]?.id ?? '') ?? [];
      return joinParts(partsOf(changes, held)).map((parts) => outageOf(parts, run.startedAt));
    })
    .sort((a, b) => a.from_ms - b.from_ms || compareTexts(a.id, b.id));
}

type Held = { readonly at: number; readonly until: number };

/** A hold that is made longer changes no state, so nobody tells of it; the attempts that did it say until when. */
function holdsOf({ requests, probes }: Run): ReadonlyMap<string, readonly Held[]> {
  const holds = new Map<string, Held[]>();
  for (const { ledger } of [...requests, ...probes]) {
    for (const { cooldownUntil: until, endedAt: at, route, target, credential, endpoint } of ledger?.attempts ?? []) {
      if (until === null || at === null) continue;
      const account = `${target.slice(0, target.indexOf('/'))}/${credential}`;
      for (const id of [route, target, account, endpoint]) {
        const held = holds.get(id);
        if (held === undefined) holds.set(id, [{ at, until }]);
        else held.push({ at, until });
      }
    }
  }
  for (const held of holds.values()) held.sort((a, b) => a.at - b.at);
  return holds;
}

function partsOf(changes: readonly HealthChange[], holds: readonly Held[]): readonly Part[] {
  const inOrder = [...changes].sort((a, b) => a.at - b.at);
  return inOrder.flatMap((change, i) => partsOfChange(change, inOrder[i + 1]?.at ?? null, holds));
}

/** A state that lapses by itself may come back before anybody tells of a change: each time is a part of its own. */
function partsOfChange(change: HealthChange, nextAt: number | null, holds: readonly Held[]): readonly Part[] {
  if (change.until === null || !LAPSES.includes(change.to)) return [{ change, endAt: nextAt }];
  const parts: Part[] = [{ change, endAt: change.until }];
  for (const { at, until } of holds) {
    const last = parts.at(-1);
    if (at < change.at || (nextAt !== null && at >= nextAt) || last === undefined) continue;
    if (last.endAt !== null && at > last.endAt) parts.push({ change: { ...change, at, until }, endAt: until });
    else parts[parts.length - 1] = { ...last, endAt: Math.max(last.endAt ?? 0, until) };
  }
  const last = parts.at(-1);
  if (last !== undefined && nextAt !== null)
    parts[parts.length - 1] = { ...last, endAt: Math.min(last.endAt ?? nextAt, nextAt) };
  return parts;
}

/** Parts without a gap between them, and without those in which all is well. */
function joinParts(parts: readonly Part[]): readonly (readonly Part[])[] {
  const joined: Part[][] = [];
  let goesOn = false;
  for (const part of parts) {
    const isOut = part.change.to !== 'ready';
    const last = joined.at(-1);
    if (isOut && goesOn && last?.at(-1)?.endAt === part.change.at) last.push(part);
    else if (isOut) joined.push([part]);
    goesOn = isOut;
  }
  return joined;
}

function outageOf(parts: readonly Part[], startedAt: number): Outage {
  const { scope, id, at, reason } = (parts[0] as Part).change;
  const endAt = parts.at(-1)?.endAt ?? null;
  return {
    scope,
    id,
    from_ms: at - startedAt,
    back_ms: endAt === null ? null : endAt - startedAt,
    states: [...new Set(parts.map(({ change }) => change.to))],
    reason,
  };
}
