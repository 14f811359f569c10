import type { Headers } from '../../core/model/protocol.ts';
import type { Behaviour } from '../scenario/scenario.ts';
import type { Chance } from '../world/chance.ts';
import type { Piece, Play } from '../world/network.ts';
import type { Truth } from '../world/run.ts';
import type { Answer, VoicedProtocol } from './answer.ts';
import { hasResult } from './answer.ts';
import type { Pace } from './beat.ts';
import { type Part, readsOf } from './reads.ts';
import type { SendView } from './send-view.ts';
import type { ProviderVoice } from './voice.ts';

/** One send, its provider, and what that means to do. */
export type Scene = {
  readonly behaviour: Behaviour;
  readonly send: SendView;
  readonly protocol: VoicedProtocol;
  readonly voice: ProviderVoice;
  readonly answer: Answer;
  readonly status: number;
  readonly pace: Pace;
  /** From the send to the head. */
  readonly beginMs: number;
  readonly chance: Chance;
};

/** What comes behind the head. */
export type Body = Pick<Play, 'body' | 'end' | 'endMs'> & {
  readonly headers: Headers;
  readonly truth: Truth | null;
};

export const EVENT_STREAM: Headers = { 'content-type': 'text/event-stream; charset=utf-8' };

/** A body can be read more than once, from its beginning; it is written as it is read. */
export function bodyOf(
  parts: () => Iterable<Part>,
  flood: Piece | null,
  { behaviour, send, chance }: Scene,
): Iterable<Piece> {
  return {
    *[Symbol.iterator]() {
      yield* readsOf(parts(), behaviour.reads ?? 'frames', chance.split(`reads ${send.n}`));
      if (flood !== null) yield flood;
    },
  };
}

/** What every answer begins with that wants it. */
export const markOf = ({ quirks }: Answer): string => (quirks.has('bom') ? '\uFEFF' : '');

/**
 * The answer's own end does not say that it failed, or is left out. That a tool call came out broken is no more than an
 * odd end where there was something else; a stream of Messages has that as soon as a block has begun, and Responses have
 * no word for it but an incomplete answer that failed.
 */
export function isBelievable({ answer, protocol }: Scene, isStream: boolean): boolean {
  const { finish, words, reasoning, quirks } = answer;
  if (leavesOutFinish(answer, protocol)) return true;
  if (finish !== 'broken') return finish !== 'error';
  if (protocol === 'openai-responses') return false;
  const hasBlock = words.length + reasoning.length > 0 || quirks.has('sealed');
  return hasResult(answer) || (protocol === 'anthropic-messages' && isStream && hasBlock);
}

/** Responses and Gemini have nothing else to end with. */
const NEEDS_FINISH: ReadonlySet<VoicedProtocol> = new Set(['openai-responses', 'gemini']);

export const leavesOutFinish = ({ quirks }: Pick<Answer, 'quirks'>, protocol: VoicedProtocol): boolean =>
  quirks.has('no_finish') && !NEEDS_FINISH.has(protocol);

/** Inside an answer, Messages know an error by its type. */
export const innerError = ({ behaviour: { error, fault, ...rest }, protocol }: Scene): Behaviour => ({
  ...rest,
  error: {
    ...error,
    ...(fault?.code === undefined ? {} : { [protocol === 'anthropic-messages' ? 'type' : 'code']: fault.code }),
  },
});
