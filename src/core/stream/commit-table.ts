import type { CanonicalEvent, EventType } from '../model/event.ts';
import type { FinishReason } from '../model/finish.ts';

/**
 * What an event means to a stream that has not committed. The first decisive event wins, whatever the chunk borders
 * are.
 *
 * - `hold`: says nothing yet. - `commit`: output. - `commit_reasoning`: output, unless `commitOn: answer`.
 * - `empty`, `truncated`, `policy`: a finish without output, by its reason.
 * - `fail`: the attempt has failed. - `leave_out`: noise. - `end`: the end mark.
 * - `wait`: completes a tool call; the frame waits for the next one.
 */
export type Verdict =
  | 'hold'
  | 'commit'
  | 'commit_reasoning'
  | 'empty'
  | 'truncated'
  | 'policy'
  | 'fail'
  | 'leave_out'
  | 'end'
  | 'wait';

export type CommitRow = {
  readonly id: string;
  readonly events: readonly EventType[];
  /** Of a `finish`: the reasons that this row is for. */
  readonly reasons?: readonly FinishReason[];
  readonly verdict: Verdict;
  /** For the docs. */
  readonly title: string;
  readonly before: string;
};

export const COMMIT_TABLE: readonly CommitRow[] = [
  {
    id: 'preamble',
    events: [
      'start',
      'role',
      'ping',
      'comment',
      'queued',
      'in_progress',
      'rate_limit_info',
      'filter_results',
      'usage',
      'block_open',
      'blank_text',
      'empty_delta',
      'tool_fragment',
    ],
    verdict: 'hold',
    title:
      'start, role, ping, comment, queued, in progress, rate-limit info, filter results, usage, an opened block or item without content, blank text, an empty delta, a tool call without a name',
    before: 'hold',
  },
  {
    id: 'hidden-reasoning',
    events: ['reasoning_opaque', 'reasoning_open'],
    verdict: 'hold',
    title: 'encrypted content, signature, redacted thinking, an opened reasoning item or thinking block',
    before: 'hold',
  },
  {
    id: 'output',
    events: ['text', 'refusal', 'tool_call', 'image', 'audio', 'citation', 'unknown_content'],
    verdict: 'commit',
    title:
      'text (non-blank), refusal text, a tool call with a name, image, audio, citation, an item of unknown type that carries content',
    before: '**commit**',
  },
  {
    id: 'reasoning',
    events: ['reasoning'],
    verdict: 'commit_reasoning',
    title: 'reasoning that the client can see (summary, reasoning text, thinking; non-blank)',
    before: '**commit** (`commitOn: answer`: hold)',
  },
  {
    id: 'tool-end',
    events: ['tool_end'],
    verdict: 'wait',
    title: 'a frame that completes a tool call',
    before: 'waits with what is held for the next data frame that is no error (`holdToolEnd: false`: **commit**)',
  },
  {
    id: 'finish-empty',
    events: ['finish'],
    reasons: ['stop', 'tool_calls', 'unknown'],
    verdict: 'empty',
    title: 'finish without output, stop-like',
    before:
      'hold until the end mark, then `empty_completion` → next target, once per request; delivered as it is (`ok`) with `onEmpty: accept`, on the last route, behind a tool result, or when output tokens are reported that no reasoning explains',
  },
  {
    id: 'finish-length',
    events: ['finish'],
    reasons: ['length'],
    verdict: 'truncated',
    title: 'finish without output: length or token limit',
    before: '**commit**, `ok_truncated`: another target would hit the same limit',
  },
  {
    id: 'finish-policy',
    events: ['finish'],
    reasons: ['content_filter', 'refusal'],
    verdict: 'policy',
    title: 'finish without output: content filter, refusal',
    before:
      '`onContentPolicy: stop`: **commit**, delivered as it is, `refused`; `next`: `content_policy` → next target',
  },
  {
    id: 'finish-failed',
    events: ['finish'],
    reasons: ['error', 'bad_generation'],
    verdict: 'fail',
    title: 'finish that says the answer failed',
    before: 'classify, then next target or stop',
  },
  {
    id: 'error',
    events: ['error'],
    verdict: 'fail',
    title: 'error event, failed terminal, incomplete for a transport reason',
    before: 'classify, then next target or stop',
  },
  {
    id: 'noise',
    events: ['noise'],
    verdict: 'leave_out',
    title: 'data that is no JSON object and no end mark',
    before: 'left out and counted',
  },
  {
    id: 'malformed',
    events: ['malformed', 'cut'],
    verdict: 'fail',
    title: 'data that begins like an object and does not parse; an answer that is provably not whole',
    before: '`protocol_error` or `incomplete_stream` → next target (`onMalformed: drop` leaves a broken object out)',
  },
  {
    id: 'own-fault',
    events: ['own_fault'],
    verdict: 'fail',
    title: "a frame that the gateway fails to put into the client's protocol",
    before: '`protocol_error`, component gateway → next target',
  },
  {
    id: 'done',
    events: ['done'],
    verdict: 'end',
    title: 'end mark (`[DONE]`)',
    before: 'decides a held finish; without one and without output: `empty_completion` → next target',
  },
];

/** The one row for an event; total over event types and finish reasons (a test proves it). */
export function commitRow(type: EventType, reason: FinishReason | null): CommitRow {
  const row = COMMIT_TABLE.find(
    (r) => r.events.includes(type) && (r.reasons === undefined || (reason !== null && r.reasons.includes(reason))),
  );
  if (row === undefined) throw new RangeError(`no commit row for ${type} ${reason ?? ''}`);
  return row;
}

const typesOf = (...verdicts: readonly Verdict[]): ReadonlySet<EventType> =>
  new Set(COMMIT_TABLE.filter(({ verdict }) => verdicts.includes(verdict)).flatMap(({ events }) => events));

// Asked for each event of a stream: looked up once.
const OUTPUT = typesOf('commit');
const SEEN = typesOf('commit', 'commit_reasoning', 'wait');

/** Output by the table: a part of the answer itself. */
export const isOutput = ({ type }: Pick<CanonicalEvent, 'type'>): boolean => OUTPUT.has(type);

/** Something that a reader of the answer would see: output, visible reasoning, a completed tool call. */
export const isSeen = ({ type }: Pick<CanonicalEvent, 'type'>): boolean => SEEN.has(type);
