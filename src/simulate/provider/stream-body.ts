import type { Answer } from './answer.ts';
import { type Beat, paceBeats } from './beat.ts';
import { errorParts } from './errors.ts';
import { FLOOD } from './fillers.ts';
import { framingOf } from './framing.ts';
import type { Part } from './reads.ts';
import { type Body, bodyOf, EVENT_STREAM, innerError, isBelievable, markOf, type Scene } from './scene.ts';
import type { SendView } from './send-view.ts';
import { repeatWord, type Struck, strikeStream, wholeStream } from './strike-stream.ts';
import { meaningOf, streamTimes } from './truth.ts';

/** An answer as an event stream. */
export function streamBody(scene: Scene): Body {
  const { behaviour, voice, send, pace, beginMs } = scene;
  const beatsOf = (answer: Answer): readonly Beat[] => paceBeats(voice.beats(answer), voice.ping, pace);
  const meant = withUsageAsked(scene.answer, send);
  const answer = repeatWord(meant, () => beatsOf(meant), behaviour.fault);
  const struck = strikeAll({ ...scene, answer }, beatsOf(answer));
  return {
    headers: EVENT_STREAM,
    body: bodyOf(() => partsOf(struck, answer), struck.isFlooded ? FLOOD : null, scene),
    end: struck.end,
    endMs: struck.endMs,
    truth: { ...meaningOf(answer), ...streamTimes(struck, voice, beginMs, isBelievable(scene, true)) },
  };
}

function strikeAll(scene: Scene, beats: readonly Beat[]): Struck {
  const { behaviour, voice, answer, send, status } = scene;
  const { fault, endMs = 0 } = behaviour;
  const parts = () => errorParts(innerError(scene), status, send);
  const struck = fault === undefined ? wholeStream(beats) : strikeStream(beats, { voice, answer, parts, fault });
  return struck.end === 'clean' ? { ...struck, endMs: struck.endMs + endMs } : struck;
}

const ASKS_USAGE = /"include_usage"\s*:\s*true/;

/** Chat tells usage in a stream where it was asked to. */
const withUsageAsked = (answer: Answer, { protocol, body }: SendView): Answer =>
  answer.usage === null || protocol !== 'openai-chat' || ASKS_USAGE.test(body) ? answer : { ...answer, usage: null };

function* partsOf({ beats }: Struck, answer: Answer): Generator<Part, undefined> {
  const frame = framingOf(answer.quirks);
  let sequence = 0;
  let before = markOf(answer);
  for (const { kind, ms, say } of beats) {
    const text = say(sequence);
    if (kind !== 'aside') sequence += 1;
    yield { text: before + (frame === null ? text : frame(text)), ms };
    before = '';
  }
  return undefined;
}
