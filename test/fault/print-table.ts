import { SPOKEN } from '../kit/wire-scripts.ts';
import { FAULTS, runCuts, runFault } from './socket-faults.ts';

// node test/fault/print-table.ts: what a client sees of each fault, in each protocol.

const rows: Record<string, Record<string, string>> = {};
for (const fault of FAULTS) {
  const fates = await Promise.all(SPOKEN.map((protocol) => runFault(fault, protocol)));
  rows[fault.name] = Object.fromEntries(
    fates.map(({ view, attempts }, n) => [SPOKEN[n], `${view} (${attempts.join(', ')})`]),
  );
}
for (const end of ['close', 'reset'] as const) {
  const cuts = await Promise.all(SPOKEN.map((protocol) => runCuts(protocol, end, 29)));
  rows[`cut at any byte, ${end}`] = Object.fromEntries(
    cuts.map(({ views, problems }, n) => [
      SPOKEN[n],
      problems.length > 0 ? problems.join('; ') : [...views].map(([view, count]) => `${view}: ${count}`).join('; '),
    ]),
  );
}
console.table(rows);
