import { namesStreamOptions, REFUSAL_CLAUSES } from '../refusals.ts';
import { readRefusedParts, refusesParts } from '../refused-parts.ts';
import * as words from '../words/index.ts';
import { NO_TRACE, NO_TRACE_COLUMNS } from './effects.ts';
import type { ClassifierRow } from './row.ts';

/** What is wrong with, or special about, the request at this target. */
export const REQUEST_ROWS: readonly ClassifierRow[] = [
  {
    id: 'context_length',
    title: 'context too long',
    description: "in each provider's words",
    match: [
      { by: 'code', codes: words.CONTEXT_CODES },
      { by: 'words', words: words.CONTEXT_WORDS },
    ],
    effect: {
      outcome: 'context_length',
      component: 'client',
      onward: 'next_larger_window',
      again: false,
      ...NO_TRACE,
      feature: 'contextWindow',
    },
    columns: {
      outcome: '`context_length`',
      beforeCommit: 'next with a larger or unknown window',
      ...NO_TRACE_COLUMNS,
    },
  },
  {
    id: 'content_policy',
    title: 'content policy',
    description: 'safety refusal as an error, cyber policy',
    match: [
      { by: 'code', codes: words.POLICY_CODES },
      { by: 'words', words: words.POLICY_WORDS },
      { by: 'cause', causes: words.FILTERED_FINISHES.map((reason) => `finish:${reason}`) },
    ],
    effect: { outcome: 'content_policy', component: 'policy', onward: 'stop', again: false, ...NO_TRACE },
    columns: { outcome: '`content_policy`', beforeCommit: 'stop (`onContentPolicy: next`)', ...NO_TRACE_COLUMNS },
  },
  {
    id: 'unsupported_capability',
    title: 'feature refused',
    description:
      'by exact structured words (images, tools, response_format, effort, prefill, n, logprobs, stream_options, beta flags …)',
    match: [
      {
        by: 'code',
        status: [400, 422],
        when: namesStreamOptions,
        but: { feature: 'streamUsage', onward: 'same_without_stream_options' },
      },
      {
        by: 'code',
        status: words.PART_STATUSES,
        when: refusesParts,
        but: { onward: 'same_without_parts', refusedParts: readRefusedParts },
      },
      ...REFUSAL_CLAUSES,
      // One way to think that a model does not know says nothing of thinking as such.
      {
        by: 'words',
        status: [400, 422],
        words: words.THINKING_TYPE_WORDS,
        but: { refusedValue: 'this type of thinking' },
      },
    ],
    effect: {
      outcome: 'unsupported_capability',
      component: 'target',
      onward: 'next_capable',
      again: false,
      ...NO_TRACE,
    },
    columns: {
      outcome: '`unsupported_capability`',
      beforeCommit:
        'next that can; remembered for the target (`stream_options`, beta flags, optional fields: same target once without them)',
      ...NO_TRACE_COLUMNS,
    },
  },
  {
    id: 'incompatible_history',
    title: 'state of another issuer',
    description: 'signature, encrypted reasoning, item or response id',
    match: [
      { by: 'code', codes: words.STATE_CODES },
      { by: 'words', words: words.STATE_WORDS },
      { by: 'words', status: [400, 422], words: words.FOREIGN_ITEM_WORDS },
    ],
    effect: {
      outcome: 'incompatible_history',
      component: 'client',
      onward: 'same_without_state',
      again: false,
      ...NO_TRACE,
    },
    columns: {
      outcome: '`incompatible_history`',
      beforeCommit: 'same target once without it, else next',
      ...NO_TRACE_COLUMNS,
    },
  },
  {
    id: 'bad_generation',
    title: 'broken tool call made by the model',
    description: '`tool_use_failed` and the like',
    match: [
      { by: 'code', codes: words.BAD_GENERATION_CODES },
      { by: 'words', words: words.BAD_GENERATION_WORDS },
      { by: 'cause', causes: words.BAD_GENERATION_CODES.map((reason) => `finish:${reason}`) },
    ],
    effect: { outcome: 'bad_generation', component: 'target', onward: 'next_target', again: true, ...NO_TRACE },
    columns: { outcome: '`bad_generation`', beforeCommit: 'next, *again*', ...NO_TRACE_COLUMNS },
  },
];
