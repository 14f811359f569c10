import { DEMO_TEXT } from '../demo-script.ts';
import type { Expectation } from './faults.ts';
import type { DrillProtocol, StreamEvent } from './protocols.ts';

export type Shape = 'stream' | 'json';

/** An answer as it came out of the socket. */
export type RawAnswer = {
  /** Null: none came. */
  readonly status: number | null;
  readonly contentType: string;
  readonly body: string;
  /** The connection was ended as HTTP wants it. */
  readonly isClean: boolean;
};

/**
 * What a client saw. `whole`: the answer, all of it. `error`: its protocol's error. `cut`: it ended in neither. `lie`:
 * it said that it was whole, and was not.
 */
export type Seen = 'whole' | 'error' | 'cut' | 'lie';

export type Judgement = {
  readonly seen: Seen;
  /** Code or type of the error that was told. */
  readonly error: string | null;
  /** Some of the answer had been shown. */
  readonly hasOutput: boolean;
};

/** Reads an answer as a client would that knows what the provider wanted to say. */
export function judgeAnswer(protocol: DrillProtocol, answer: RawAnswer): Judgement {
  const isStream = answer.contentType.startsWith('text/event-stream');
  const read = isStream ? protocol.readStream(splitEvents(answer.body)) : protocol.readJson(parseJson(answer.body));
  const { text, isEnded, error } = read;
  const told = { error, hasOutput: text !== '' };
  const claims = isEnded && answer.status === 200;
  // The word of the protocol counts, also where the connection is closed roughly behind it.
  if (claims) return { ...told, seen: text === DEMO_TEXT && error === null && answer.isClean ? 'whole' : 'lie' };
  return { ...told, seen: error !== null && answer.isClean ? 'error' : 'cut' };
}

/** Whether a client may see this where that was expected. Better than expected is fine. */
export const isAsExpected = (seen: Seen, expected: Expectation): boolean => seen === 'whole' || seen === expected;

function splitEvents(body: string): readonly StreamEvent[] {
  const blocks = body.split(/\r?\n\r?\n/);
  return blocks.slice(0, -1).flatMap((block) => {
    const lines = block.split(/\r?\n/);
    const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).replace(/^ /, ''));
    const name =
      lines
        .find((line) => line.startsWith('event:'))
        ?.slice(6)
        .trim() ?? null;
    return data.length === 0 ? [] : [{ name, data: data.join('\n') }];
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
