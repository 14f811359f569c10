import type { Spoken } from '../kit/wire-scripts.ts';
import type { Form } from './faults.ts';

/** What a client asked for, and how it behaved. */
export type Asked = {
  readonly tag: string;
  readonly protocol: Spoken;
  readonly form: Form;
  readonly model: string;
  /** The targets that may answer, by name. */
  readonly targets: readonly string[];
  readonly wantsUsage: boolean;
  /** `leaves`: closes its connection at some moment. */
  readonly manner: 'stays' | 'leaves' | 'reads_slowly';
};

export type SeenCall = { readonly id: string; name: string; args: string; isWhole: boolean };
export type SeenUsage = { readonly input: number; readonly output: number };

/** An answer as its client understands it, in no protocol's words. */
export type Answer = {
  text: string;
  readonly calls: SeenCall[];
  /** It came with the marks of success. */
  isWhole: boolean;
  error: { readonly code: string } | null;
  usage: SeenUsage | null;
  /** Ids and names of models that it carried: all of one send. */
  readonly marks: Set<string>;
  /** What no client library would bear. */
  readonly oddities: string[];
};

/** All that a client knows at the end of one request. */
export type Seen = {
  /** Null: no head came. */
  readonly status: number | null;
  readonly requestId: string | null;
  /** As the head or its comment named it; null where none did. */
  readonly target: string | null;
  readonly attempts: number | null;
  readonly answer: Answer;
  /** How the connection went: the body was over, it broke, or the client closed it. */
  readonly end: 'over' | 'broken' | 'left';
};

export const emptyAnswer = (): Answer => ({
  text: '',
  calls: [],
  isWhole: false,
  error: null,
  usage: null,
  marks: new Set(),
  oddities: [],
});

/** Nothing that a client waits for has come. */
export const hasOutput = ({ text, calls }: Answer): boolean => text !== '' || calls.length > 0;
