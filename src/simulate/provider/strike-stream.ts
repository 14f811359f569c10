import type { TransportError } from '../../core/failure/signal.ts';
import type { Behaviour, Fault } from '../scenario/scenario.ts';
import type { ErrorParts } from '../wire/frame.ts';
import type { Answer } from './answer.ts';
import { type Beat, beat } from './beat.ts';
import { PADDING, PAGE } from './fillers.ts';
import { placeOf } from './place.ts';
import type { ProviderVoice } from './voice.ts';

/** A stream as it comes, whatever befell it. */
export type Struck = {
  readonly beats: readonly Beat[];
  readonly end: 'clean' | 'hang' | TransportError;
  /** From the last beat to the end. */
  readonly endMs: number;
  /** Comments without end come behind all of it. */
  readonly isFlooded: boolean;
  /** From this beat on nobody may believe the answer any more; the number of beats: it never comes to that. */
  readonly failsAt: number;
  /** The answer had said how it ended: this beat breaks off no more than the rest. Absent: nothing does. */
  readonly breaksAt?: number;
};

export type StreamScene = {
  readonly voice: ProviderVoice;
  readonly answer: Answer;
  /** What an error event says. */
  readonly parts: () => ErrorParts;
  readonly fault: NonNullable<Behaviour['fault']>;
};

export const wholeStream = (beats: readonly Beat[]): Struck => ({
  beats,
  end: 'clean',
  endMs: 0,
  isFlooded: false,
  failsAt: beats.length,
});

type Strike = (beats: readonly Beat[], at: number, scene: StreamScene) => Struck;

/** Nothing comes behind the place; what would have come next takes its time all the same. */
const endsBy =
  (end: Struck['end']): Strike =>
  (beats, at) => ({ ...wholeStream(beats.slice(0, at)), end, endMs: beats[at]?.ms ?? 0 });

/** A last beat in place of the rest. */
const endsWith =
  (say: (scene: StreamScene, next: Beat | undefined) => Beat['say'], end: Struck['end']): Strike =>
  (beats, at, scene) => {
    const next = beats[at];
    const last: Beat = { ...beat('fault', say(scene, next ?? beats.at(-1))), ms: next?.ms ?? 0 };
    return { ...wholeStream([...beats.slice(0, at), last]), end };
  };

/** One beat more, at once; the rest follows. */
const adds =
  (make: (scene: StreamScene) => Beat): Strike =>
  (beats, at, scene) =>
    wholeStream([...beats.slice(0, at), make(scene), ...beats.slice(at)]);

/** Half of a frame, its name left whole. */
function halfOf(frame: string): string {
  const from = frame.indexOf('data: ') + 'data: '.length;
  return frame.slice(0, from + Math.max(1, Math.floor((frame.trimEnd().length - from) / 2)));
}

/** Behind the word how it ended an answer is not lost, if it has said anything. */
function failureAt(
  beats: readonly Beat[],
  at: number,
  length: number,
  { finish }: Answer,
): Pick<Struck, 'failsAt' | 'breaksAt'> {
  const before = beats.slice(0, at);
  const says = finish !== 'stop' || before.some(({ isOutput }) => isOutput);
  return says && before.some(({ kind }) => kind === 'finish') ? { failsAt: length, breaksAt: at } : { failsAt: at };
}

const STRIKES: Readonly<Record<Fault, Strike>> = {
  close: endsBy('closed'),
  reset: endsBy('reset'),
  bad_encoding: endsBy('bad_encoding'),
  bad_http: endsBy('bad_http'),
  end: endsBy('clean'),
  stall: endsBy('hang'),
  error(beats, at, scene) {
    const { voice, parts, fault, answer } = scene;
    const say = (sequence: number): string => voice.errorEvent(parts(), fault.form ?? 'own', answer, sequence);
    const struck = endsWith(() => say, 'clean')(beats, at, scene);
    const isSeen = at < beats.length || voice.endsWithBody === true;
    return isSeen ? { ...struck, ...failureAt(beats, at, struck.beats.length, answer) } : struck;
  },
  damaged: damage,
  half: endsWith((_scene, next) => (sequence) => halfOf(next?.say(sequence) ?? 'data: {"'), 'closed'),
  noise: adds(() => beat('aside', () => 'data: keep-alive\n\n')),
  html: endsWith(() => () => `${PAGE}\n\n`, 'clean'),
  flood: (beats, at) => ({ ...wholeStream(beats.slice(0, at)), end: 'hang', isFlooded: true }),
  huge: adds(({ voice, answer }) => beat('fault', (sequence) => voice.padding(answer, sequence, PADDING))),
  repeat: (beats, at) => {
    const from = lastSaid(beats, at);
    const last = beats[from];
    const isDone = last === undefined || SAID_AGAIN.has(last.kind);
    return wholeStream(isDone ? beats : beats.toSpliced(from + 1, 0, { ...last, ms: 0 }));
  },
  unterminated: (beats, _at, { voice }) =>
    wholeStream(
      beats.slice(
        0,
        beats.findLastIndex(({ kind }) => kind === voice.endsWith),
      ),
    ),
};

/** Words that come twice are words of the answer: see `repeatWord`. */
const SAID_AGAIN: ReadonlySet<Beat['kind']> = new Set(['word', 'reasoning']);
/** Other frames that say something by themselves. */
const REPEATED: ReadonlySet<Beat['kind']> = new Set(['start', 'finish', 'mark']);

/** The last frame in front of a place that says something by itself; -1: there is none. */
const lastSaid = (beats: readonly Beat[], at: number): number =>
  beats.slice(0, at).findLastIndex(({ kind }) => REPEATED.has(kind) || SAID_AGAIN.has(kind));

/** The next frame that counts breaks off. Behind an end mark that is one more, of which nobody takes notice. */
function damage(beats: readonly Beat[], place: number, { voice, answer }: StreamScene): Struck {
  const found = beats.slice(place).findIndex(({ kind }) => kind !== 'aside');
  const at = found < 0 ? beats.length : place + found;
  const hit = beats[at] ?? beats.at(-1);
  if (hit === undefined) return wholeStream(beats);
  const broken: Beat = {
    ...hit,
    kind: 'fault',
    isOutput: false,
    say: (sequence) => `${halfOf(hit.say(sequence))}\n\n`,
  };
  const rest = [...beats.slice(0, at), broken, ...beats.slice(at + 1)];
  const isSeen = (found >= 0 || voice.endsWithBody === true) && !voice.canSpare(beats, at);
  return { ...wholeStream(rest), ...(isSeen ? failureAt(beats, at, rest.length, answer) : {}) };
}

/** The stream with its fault. */
export const strikeStream = (beats: readonly Beat[], scene: StreamScene): Struck =>
  STRIKES[scene.fault.kind](beats, placeOf(beats, scene.fault.at, scene.answer), scene);

/** A fault that says a word again changes what is said: the answer with that word in it twice, or as it is. */
export function repeatWord(answer: Answer, beatsOf: () => readonly Beat[], fault: Behaviour['fault']): Answer {
  if (fault?.kind !== 'repeat') return answer;
  const beats = beatsOf();
  const from = lastSaid(beats, placeOf(beats, fault.at, answer));
  const last = beats[from];
  if (last === undefined || !SAID_AGAIN.has(last.kind)) return answer;
  const count = beats.slice(0, from + 1).filter(({ kind }) => kind === last.kind).length;
  const twice = (texts: readonly string[]): readonly string[] => [...texts.slice(0, count), ...texts.slice(count - 1)];
  return last.kind === 'word'
    ? { ...answer, words: twice(answer.words) }
    : { ...answer, reasoning: twice(answer.reasoning) };
}
