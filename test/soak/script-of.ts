import type { Spoken } from '../kit/wire-scripts.ts';
import type { Send } from './draw-plan.ts';
import type { FaultName, Form } from './faults.ts';
import { VOICES, type VoiceFrame } from './voice.ts';

/** How a connection ends: the body is over; the socket is closed or reset in it; nothing more ever comes. */
export type Ending = 'over' | 'closed' | 'reset' | 'silent';

/** What a provider does with one connection. A status of null: no head. */
export type Script = {
  readonly status: number | null;
  readonly headers: Readonly<Record<string, string>>;
  /** The first goes out with the head, the others one after another. */
  readonly parts: readonly string[];
  readonly ending: Ending;
};

export type Question = { readonly protocol: Spoken; readonly form: Form; readonly isUsageAsked: boolean };

const JSON_TYPE = { 'content-type': 'application/json' };
const SSE_TYPE = { 'content-type': 'text/event-stream' };

/** Status, headers and error type of answers that refuse. */
const REFUSALS: Readonly<Partial<Record<FaultName, readonly [number, Readonly<Record<string, string>>, string]>>> = {
  rate_limited: [429, {}, 'rate_limit_error'],
  rate_limited_told: [429, { 'retry-after-ms': '300' }, 'rate_limit_error'],
  error_500: [500, {}, 'server_error'],
  error_503: [503, {}, 'server_error'],
  overloaded_529: [529, {}, 'overloaded_error'],
  bad_key_401: [401, {}, 'authentication_error'],
};

export function scriptOf(send: Send, question: Question): Script {
  const { fault } = send.plan;
  const refusal = fault === null ? undefined : REFUSALS[fault];
  if (refusal !== undefined) {
    const [status, headers, type] = refusal;
    const body = JSON.stringify(VOICES[question.protocol].error(type, 'not on this line'));
    return { status, headers: { ...JSON_TYPE, ...headers }, parts: [body], ending: 'over' };
  }
  if (fault === 'html_502') {
    const page = '<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>';
    return { status: 502, headers: { 'content-type': 'text/html' }, parts: [page], ending: 'over' };
  }
  if (fault === 'reset_before_head') return { status: null, headers: {}, parts: [], ending: 'reset' };
  if (fault === 'no_head') return { status: null, headers: {}, parts: [], ending: 'silent' };
  return question.form === 'json' ? jsonScript(send, question) : streamScript(send, question);
}

function jsonScript(send: Send, { protocol }: Question): Script {
  const { fault, at } = send.plan;
  const voice = VOICES[protocol];
  const body = JSON.stringify(
    fault === 'error_as_200' ? voice.error('server_error', 'gone') : voice.json(send, fault === 'empty'),
  );
  const half = body.slice(0, 1 + Math.floor(at * (body.length - 2)));
  const ofBody = (part: string, ending: Ending): Script => ({ status: 200, headers: JSON_TYPE, parts: [part], ending });
  if (fault === 'cut_body') return ofBody(half, 'closed');
  return ofBody(fault === 'half_body' ? half : body, 'over');
}

function streamScript(send: Send, { protocol, isUsageAsked }: Question): Script {
  const { fault, at } = send.plan;
  const voice = VOICES[protocol];
  const frames = voice.stream(send, { isSilent: fault === 'empty', isUsageAsked });
  const strike = fault === null ? undefined : STRIKES[fault];
  const { told, ending } =
    strike === undefined ? { told: frames, ending: 'over' as const } : strike(frames, at, voice.failure);
  return { status: 200, headers: SSE_TYPE, parts: told.map(({ text }) => text), ending };
}

type Struck = { readonly told: readonly VoiceFrame[]; readonly ending: Ending };
type Strike = (frames: readonly VoiceFrame[], at: number, failure: string) => Struck;

const isOutput = ({ kind }: VoiceFrame): boolean => kind === 'word' || kind === 'call';
const isEnd = ({ kind }: VoiceFrame): boolean => kind === 'call_end' || kind === 'end';

/** Everything before output. */
const opening = (frames: readonly VoiceFrame[]): readonly VoiceFrame[] => frames.slice(0, frames.findIndex(isOutput));

/** Some output, and nothing that makes the answer or a call whole. */
function beginning(frames: readonly VoiceFrame[], at: number): readonly VoiceFrame[] {
  const first = frames.findIndex(isOutput) + 1;
  const last = frames.findIndex(isEnd);
  return frames.slice(0, first + Math.floor(at * (last - first + 1)));
}

/** Up to the frame that makes a call whole; without a call some output. */
function upToCall(frames: readonly VoiceFrame[], at: number): readonly VoiceFrame[] {
  const end = frames.findIndex(({ kind }) => kind === 'call_end');
  return end === -1 ? beginning(frames, at) : frames.slice(0, end + 1);
}

const error = (text: string): VoiceFrame => ({ kind: 'quiet', text });

/** A frame whose data has no second half; its output is lost. */
const damage = (frame: VoiceFrame): VoiceFrame => ({
  ...frame,
  text: `${frame.text.slice(0, frame.text.length / 2)}\n\n`,
});

function damageAt(frames: readonly VoiceFrame[], index: number): Struck {
  return { told: frames.map((frame, i) => (i === index ? damage(frame) : frame)), ending: 'over' };
}

/** The second word or a later one; an answer of one word is cut behind it. */
const damageLater: Strike = (frames, at) => {
  const words = frames.flatMap(({ kind }, i) => (kind === 'word' ? [i] : [])).slice(1);
  const index = words[Math.floor(at * words.length)];
  return index === undefined ? { told: beginning(frames, at), ending: 'closed' } : damageAt(frames, index);
};

const STRIKES: Readonly<Partial<Record<FaultName, Strike>>> = {
  cut_before_output: (frames) => ({ told: opening(frames), ending: 'closed' }),
  end_before_output: (frames) => ({ told: opening(frames), ending: 'over' }),
  error_before_output: (frames, _at, failure) => ({ told: [...opening(frames), error(failure)], ending: 'over' }),
  damaged_before_output: (frames) => damageAt(frames, frames.findIndex(isOutput)),
  stall_before_output: (frames) => ({ told: opening(frames), ending: 'silent' }),
  cut_after_output: (frames, at) => ({ told: beginning(frames, at), ending: 'closed' }),
  reset_after_output: (frames, at) => ({ told: beginning(frames, at), ending: 'reset' }),
  end_after_output: (frames, at) => ({ told: beginning(frames, at), ending: 'over' }),
  error_after_output: (frames, at, failure) => ({ told: [...beginning(frames, at), error(failure)], ending: 'over' }),
  damaged_after_output: damageLater,
  cut_behind_call: (frames, at) => ({ told: upToCall(frames, at), ending: 'closed' }),
  stall_after_output: (frames, at) => ({ told: beginning(frames, at), ending: 'silent' }),
};
