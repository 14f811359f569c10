import { printMetrics } from '../src/adapter/telemetry-prometheus/print.ts';
import { printEvents } from '../src/core/event/print.ts';
import { printErrorTable, printFailureRows, printFailureTable } from '../src/core/failure/print.ts';
import { printCommitTable, printTransitionTable } from '../src/core/stream/print.ts';
import { COMPACT_ROWS } from '../src/protocol/openai-responses/compact-codec.ts';
import { FOLLOW_UP_ROWS } from '../src/protocol/openai-responses/follow-up-rows.ts';
import { COUNT_ROWS } from '../src/protocol/shared/count-codec.ts';
import type { Block } from './blocks.ts';
import { drawCircuit } from './draw-circuit.ts';
import { drawTransitions } from './draw-stream.ts';
import { printErrorCodes } from './error-codes.ts';
import { printHostileInputs } from './hostile-input.ts';
import { printProxyTraces } from './proxy-traces.ts';
import { printSpellings } from './spellings.ts';
import { printUnavailablePaths } from './unavailable-paths.ts';

/** A page with the blocks that are printed into it. */
export type PrintedPage = { readonly page: string; readonly blocks: readonly Block[] };

/** The tables that carry the product, as they stand in the pages that explain them to people. */
export const printPages = (): readonly PrintedPage[] => [
  {
    page: 'docs/failover.md',
    blocks: [
      { name: 'table:commit', text: printCommitTable() },
      { name: 'table:transitions', text: printTransitionTable() },
      { name: 'table:failure', text: printFailureTable().trimEnd() },
      { name: 'table:errors', text: printErrorTable().trimEnd() },
    ],
  },
  {
    page: 'docs/concepts.md',
    blocks: [
      { name: 'states:stream', text: drawTransitions() },
      { name: 'states:circuit', text: drawCircuit() },
    ],
  },
  {
    page: 'docs/api.md',
    blocks: [
      { name: 'table:follow-ups', text: printFailureRows(FOLLOW_UP_ROWS).trimEnd() },
      { name: 'table:count', text: printFailureRows(COUNT_ROWS).trimEnd() },
      { name: 'table:compact', text: printFailureRows(COMPACT_ROWS).trimEnd() },
    ],
  },
  { page: 'docs/clients.md', blocks: [{ name: 'paths:unavailable', text: printUnavailablePaths() }] },
  { page: 'docs/errors.md', blocks: [{ name: 'codes:catalogue', text: printErrorCodes() }] },
  {
    page: 'docs/limits.md',
    blocks: [
      { name: 'input:hostile', text: printHostileInputs() },
      { name: 'input:spellings', text: printSpellings() },
    ],
  },
  { page: 'docs/proxies.md', blocks: [{ name: 'input:traces', text: printProxyTraces() }] },
  { page: 'docs/events.md', blocks: [{ name: 'events:table', text: printEvents() }] },
  { page: 'docs/metrics.md', blocks: [{ name: 'metrics:table', text: printMetrics() }] },
];
