import * as words from '../words/index.ts';
import { NO_TRACE, NO_TRACE_COLUMNS, ROUTE_FAULT, ROUTE_FAULT_COLUMNS } from './effects.ts';
import type { ClassifierRow } from './row.ts';

const SERVER_SIDE = ['error_event', 'error_body'] as const;

/** What a status alone says: of the server, or in the end of the request. */
export const SERVER_ROWS: readonly ClassifierRow[] = [
  {
    id: 'model_unavailable',
    title: 'not now',
    description: '408, 409, 425; `model_unavailable`',
    match: [
      { by: 'code', codes: words.UNAVAILABLE_CODES },
      { by: 'words', words: words.UNAVAILABLE_WORDS },
      { by: 'status', status: [408, 409, 425] },
    ],
    effect: {
      outcome: 'model_unavailable',
      component: 'target',
      onward: 'next_target',
      again: true,
      scope: 'route',
      hold: 'told_only',
      weight: 0,
    },
    columns: {
      outcome: '`model_unavailable`',
      beforeCommit: 'next, *again*',
      scope: 'route',
      hold: 'told; else none',
      circuit: '–',
    },
  },
  {
    id: 'payload_too_large',
    title: 'body too large',
    description: '413',
    match: [
      { by: 'status', status: [413] },
      { by: 'status', head: 'fine', codes: words.SIZE_LABELS },
    ],
    effect: { outcome: 'payload_too_large', component: 'client', onward: 'next_target', again: false, ...NO_TRACE },
    columns: { outcome: '`payload_too_large`', beforeCommit: 'next target', ...NO_TRACE_COLUMNS },
  },
  {
    id: 'bad_gateway',
    title: 'bad gateway',
    description: '502, 504, 520–527, an HTML body at any status that no row above knows',
    match: [
      { by: 'status', status: [502, 504, [520, 527]] },
      { by: 'status', body: 'html' },
      { by: 'status', head: 'fine', codes: words.GATEWAY_LABELS },
    ],
    effect: { outcome: 'bad_gateway', component: 'target', onward: 'next_target', again: true, ...ROUTE_FAULT },
    columns: { outcome: '`bad_gateway`', beforeCommit: 'next, *again*', ...ROUTE_FAULT_COLUMNS },
  },
  {
    id: 'server_error',
    title: 'server error',
    description:
      '500, 503, other 5xx, server-error codes; an in-stream error of server kind (1), or a bad-request label inside a stream before output (–)',
    match: [
      // The request had been accepted, so its own fault it hardly is; nobody is charged for the label either.
      {
        by: 'status',
        head: 'fine',
        causes: ['error_event'],
        status: [[400, 499]],
        but: { ...NO_TRACE, requestShaped: true },
      },
      {
        by: 'status',
        head: 'fine',
        causes: ['error_event'],
        codes: words.BAD_REQUEST_LABELS,
        but: { ...NO_TRACE, requestShaped: true },
      },
      { by: 'status', status: [[500, 599]] },
      { by: 'status', codes: words.SERVER_LABELS, head: 'fine' },
      { by: 'cause', head: 'fine', causes: SERVER_SIDE },
      { by: 'cause', causes: words.FAILED_FINISHES.map((reason) => `finish:${reason}`) },
    ],
    effect: { outcome: 'server_error', component: 'target', onward: 'next_target', again: true, ...ROUTE_FAULT },
    columns: {
      outcome: '`server_error`',
      beforeCommit: 'next, *again*',
      scope: 'route',
      hold: 'told; else circuit',
      circuit: '1; – for a label',
    },
  },
  {
    id: 'translated_request',
    title: 'request that the gateway wrote',
    description: '400 or 422 on a *translated* attempt that no row up to `model_not_found` knows',
    match: [
      { by: 'status', translated: true, status: [400, 422] },
      { by: 'status', translated: true, head: 'fine', causes: ['error_body'], codes: words.BAD_REQUEST_LABELS },
    ],
    effect: {
      outcome: 'bad_request',
      component: 'gateway',
      onward: 'next_target',
      again: false,
      ...NO_TRACE,
      requestShaped: true,
      keepsWords: true,
    },
    columns: { outcome: '`bad_request`', beforeCommit: 'next target, field noted', ...NO_TRACE_COLUMNS },
  },
  {
    id: 'redirect',
    title: 'redirect',
    description: '3xx',
    match: [{ by: 'status', head: [[300, 399]] }],
    effect: {
      outcome: 'protocol_error',
      component: 'target',
      onward: 'next_target',
      again: false,
      scope: 'route',
      hold: null,
      weight: 1,
    },
    columns: {
      outcome: '`protocol_error`',
      beforeCommit: 'next, never followed',
      scope: 'route',
      hold: 'circuit',
      circuit: '1',
    },
  },
  {
    id: 'bad_request',
    title: 'bad request',
    description: 'generic 410, 404 about an item, 400, 415, 422, other 4xx',
    match: [
      // Of things that are gone the gateway's own code speaks.
      { by: 'status', status: [404, 410], but: { keepsWords: false } },
      { by: 'status', status: [[400, 499]] },
      { by: 'status', head: 'fine', causes: ['error_body'], codes: words.BAD_REQUEST_LABELS },
    ],
    effect: {
      outcome: 'bad_request',
      component: 'client',
      onward: 'stop',
      again: false,
      ...NO_TRACE,
      requestShaped: true,
      keepsWords: true,
    },
    columns: {
      outcome: '`bad_request`',
      beforeCommit:
        "**stop**, the provider's `code`, `param`, `type` kept (except for 410 and item 404, where the error table's code stands) if they match `[A-Za-z0-9_.\\[\\]-]{1,64}`",
      ...NO_TRACE_COLUMNS,
    },
  },
];
