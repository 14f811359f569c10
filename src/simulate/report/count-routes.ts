import type { AttemptRecord } from '../../core/attempt/ledger.ts';
import type { Run } from '../world/run.ts';
import type { ReadRequest } from './read-outcomes.ts';
import type { ProbeReport, Report, RouteReport, TokenReport } from './report.ts';
import { compareTexts, tally } from './tally.ts';

type Sent = { readonly attempt: AttemptRecord; readonly isServed: boolean };

const sentOf = (read: readonly ReadRequest[]): readonly Sent[] =>
  read.flatMap(({ seen, request: { ledger } }) =>
    ledger.attempts.map((attempt) => ({ attempt, isServed: seen === 'whole' && attempt.n === ledger.committed })),
  );

/** What was sent to each route, and how it ended. */
export const countRoutes = (read: readonly ReadRequest[]): readonly RouteReport[] =>
  tally(sentOf(read), ({ attempt }) => attempt.route)
    .map(([route, sent]) => {
      const target = sent[0]?.attempt.target ?? route;
      return {
        route,
        target,
        provider: target.slice(0, target.indexOf('/')),
        sends: sent.length,
        served: sent.filter(({ isServed }) => isServed).length,
        outcomes: outcomesOf(sent.map(({ attempt }) => attempt)),
      };
    })
    .sort((a, b) => b.served - a.served || b.sends - a.sends || compareTexts(a.route, b.route));

const outcomesOf = (attempts: readonly AttemptRecord[]): RouteReport['outcomes'] =>
  tally(attempts, ({ outcome }) => outcome ?? 'open').map(([outcome, all]) => ({ outcome, count: all.length }));

/** What was asked of each route by a probe, and how that ended. */
export const countProbes = ({ probes }: Run): readonly ProbeReport[] =>
  tally(
    probes.flatMap(({ ledger }) => ledger?.attempts ?? []),
    ({ route }) => route,
  )
    .map(([route, sent]) => ({ route, sends: sent.length, outcomes: outcomesOf(sent) }))
    .sort((a, b) => b.sends - a.sends || compareTexts(a.route, b.route));

export const countAttempts = (read: readonly ReadRequest[]): Report['attempts'] =>
  tally(read, ({ request }) => String(request.ledger.attempts.length))
    .map(([sends, all]) => ({ sends: Number(sends), requests: all.length }))
    .sort((a, b) => a.sends - b.sends);

export function countTokens(read: readonly ReadRequest[]): TokenReport {
  const total = { input: 0, output: 0, wasted_input: 0, wasted_output: 0 };
  for (const { attempt, isServed } of sentOf(read)) {
    const input = attempt.usage?.inputTokens ?? 0;
    const output = attempt.usage?.outputTokens ?? 0;
    total[isServed ? 'input' : 'wasted_input'] += input;
    total[isServed ? 'output' : 'wasted_output'] += output;
  }
  return total;
}
