import { NO_TRACE, NO_TRACE_COLUMNS } from './effects.ts';
import type { ClassifierRow } from './row.ts';

const TIMEOUT = { scope: 'route', hold: null, weight: 2 } as const;
const BROKEN = { scope: 'route', hold: null, weight: 1 } as const;

/** How an answer broke, where nothing in it says why. */
export const TRANSPORT_ROWS: readonly ClassifierRow[] = [
  {
    id: 'connect_error',
    title: 'no connection',
    description: 'DNS, refused, unreachable, TLS, reset before any byte on a fresh socket',
    match: [
      { by: 'cause', causes: ['transport:dns', 'transport:refused', 'transport:unreachable', 'transport:tls'] },
      { by: 'cause', causes: ['transport:reset', 'transport:closed'], anyByte: false },
    ],
    effect: {
      outcome: 'connect_error',
      component: 'endpoint',
      onward: 'next_other_endpoint',
      again: true,
      scope: 'endpoint',
      hold: null,
      weight: 1,
    },
    columns: {
      outcome: '`connect_error`',
      beforeCommit: 'next on another endpoint, *again*',
      scope: 'endpoint',
      hold: 'circuit',
      circuit: '1',
    },
  },
  {
    id: 'timeout',
    title: 'timeout',
    description: '`connect`, `headers`, `firstOutput`, `whole`, `idle` before commit (`progress` behind it)',
    match: [
      { by: 'cause', causes: ['clock:connect'], but: { outcome: 'timeout_connect', component: 'endpoint' } },
      { by: 'cause', causes: ['clock:headers'] },
      { by: 'cause', causes: ['clock:firstOutput'], but: { outcome: 'timeout_first_output' } },
      { by: 'cause', causes: ['clock:whole'], but: { outcome: 'timeout_whole' } },
      { by: 'cause', causes: ['clock:idle'], but: { outcome: 'timeout_idle' } },
      { by: 'cause', causes: ['clock:progress'], but: { outcome: 'timeout_progress' } },
    ],
    effect: { outcome: 'timeout_headers', component: 'target', onward: 'next_target', again: false, ...TIMEOUT },
    columns: {
      outcome: '`timeout_*`',
      beforeCommit: 'next, never again',
      scope: 'route; endpoint after two routes',
      hold: 'circuit',
      circuit: '2',
    },
  },
  {
    id: 'broken_answer',
    title: 'broken answer',
    description: 'cut, damaged, wrong content, empty stream before commit',
    match: [
      { by: 'cause', causes: ['fault:empty'], but: { outcome: 'empty_stream' } },
      { by: 'cause', causes: ['fault:incomplete'] },
      { by: 'cause', causes: ['transport:reset', 'transport:closed'] },
      {
        by: 'cause',
        causes: [
          'fault:malformed',
          'fault:wrong_content',
          'fault:no_answer',
          'transport:bad_http',
          'transport:bad_encoding',
        ],
        but: { outcome: 'protocol_error' },
      },
    ],
    effect: {
      outcome: 'incomplete_stream',
      component: 'target',
      onward: 'next_target',
      again: 'no_event',
      ...BROKEN,
    },
    columns: {
      outcome: '`incomplete_stream`, `protocol_error`, `empty_stream`',
      beforeCommit: 'next, *again* if no event came',
      scope: 'route',
      hold: 'circuit',
      circuit: '1',
    },
  },
  {
    id: 'no_output',
    title: 'no output',
    description: 'a complete answer that says nothing',
    match: [{ by: 'cause', causes: ['fault:no_output'] }],
    effect: {
      outcome: 'empty_completion',
      component: 'target',
      onward: 'next_target',
      again: false,
      scope: 'route',
      hold: null,
      weight: 0.5,
    },
    columns: {
      outcome: '`empty_completion`',
      beforeCommit: 'next, once per request',
      scope: 'route',
      hold: 'none',
      circuit: '½, only if another target then answered',
    },
  },
  {
    id: 'local_resource',
    title: 'local resource',
    description: 'file descriptors, ports, memory',
    match: [{ by: 'cause', causes: ['transport:local'] }],
    effect: { outcome: 'bad_gateway', component: 'gateway', onward: 'stop', again: false, ...NO_TRACE },
    columns: { outcome: '`bad_gateway`', beforeCommit: 'stop, 503, component gateway', ...NO_TRACE_COLUMNS },
  },
  {
    id: 'own_fault',
    title: 'fault of the gateway',
    description: "a good answer that the gateway fails to put into the client's protocol",
    match: [{ by: 'cause', causes: ['own_fault'] }],
    effect: { outcome: 'protocol_error', component: 'gateway', onward: 'next_target', again: false, ...NO_TRACE },
    columns: { outcome: '`protocol_error`', beforeCommit: 'next target, component gateway', ...NO_TRACE_COLUMNS },
  },
  {
    id: 'anything_else',
    title: 'anything else',
    description: 'what no row above knows',
    match: [{ by: 'cause' }],
    effect: { outcome: 'protocol_error', component: 'target', onward: 'next_route', again: false, ...BROKEN },
    columns: { outcome: '`protocol_error`', beforeCommit: 'next', scope: 'route', hold: 'circuit', circuit: '1' },
  },
];
