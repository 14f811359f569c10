import type { IncomingMessage } from 'node:http';

/** What an answer that grows tells; another gateway may know more types. */
export type GatewayEvent = { readonly type: string };

/** Takes an answer's text piece by piece, and gives what the answer is. */
export type AnswerReader = { push(text: string): void; end(): string };

export const isEventStream = ({ headers }: IncomingMessage): boolean =>
  (headers['content-type'] ?? '').startsWith('text/event-stream');

export function createWholeReader(): AnswerReader {
  let whole = '';
  return {
    push: (text) => {
      whole += text;
    },
    end: () => whole,
  };
}

/** Tells events (one line of data each) as they come; the answer is the data of the last one. */
export function createEventReader(onEvent: (event: GatewayEvent) => void): AnswerReader {
  let rest = '';
  let last = '';
  const take = (line: string): void => {
    if (!line.startsWith('data: ')) return;
    last = line.slice('data: '.length);
    const event = parse(last);
    if (event !== null) onEvent(event);
  };
  return {
    push(text) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(line);
    },
    end: () => last,
  };
}

function parse(text: string): GatewayEvent | null {
  try {
    return JSON.parse(text) as GatewayEvent;
  } catch {
    return null;
  }
}
