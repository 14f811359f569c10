import type { ErrorEventForm } from '../scenario/scenario.ts';
import type { ErrorParts } from '../wire/frame.ts';
import type { Answer } from './answer.ts';
import type { Beat } from './beat.ts';

/** What a stream has shown by the place where it was cut. */
export type Shown = {
  /** Something of the answer has begun. */
  readonly isBegun: boolean;
  readonly hasFinish: boolean;
  readonly hasMark: boolean;
  readonly hasTools: boolean;
  /** The body ended as HTTP wants it. */
  readonly isClean: boolean;
};

/** How a protocol says what a provider means. */
export type ProviderVoice = {
  /** All frames of a whole answer, without pings, each at once. */
  beats(answer: Answer): readonly Beat[];
  /** The same in one piece. */
  json(answer: Answer): object;
  readonly ping: Beat;
  /** A frame that says nothing, with this text in it. */
  padding(answer: Answer, sequence: number, text: string): string;
  errorBody(parts: ErrorParts): object;
  /** The frames (one text) that tell of an error inside a stream. */
  errorEvent(parts: ErrorParts, form: ErrorEventForm, answer: Answer, sequence: number): string;
  /** The kind of the frame that is the protocol's end mark. */
  readonly endsWith: 'finish' | 'mark';
  /** That frame may be followed by others: only with the body's end is the answer over. Absent: it is over with the frame. */
  readonly endsWithBody?: boolean;
  /** The frame at this place may be lost: what else comes proves that nothing is missing. */
  canSpare(beats: readonly Beat[], at: number): boolean;
  /** By the protocol's rules: is the answer whole? */
  isWhole(shown: Shown): boolean;
};
