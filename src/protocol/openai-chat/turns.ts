import type { Message, Part } from '../../core/model/content.ts';

/**
 * The conversation in an order that this protocol knows: one message of the assistant for all calls of a turn, and the
 * results right behind it. Other protocols let both stand apart, and other messages between them.
 */
export function orderTurns(messages: readonly Message[]): readonly Message[] {
  return joinResults(joinCalls(messages));
}

const hasCalls = ({ parts }: Message): boolean => parts.some(({ type }) => type === 'tool_call');

/** Behind calls nothing may stand but their results, so what the assistant says there is one message with them. */
function joinCalls(messages: readonly Message[]): readonly Message[] {
  const joined: Message[] = [];
  /** Of the last message, if it is the assistant's and has calls: it grows in place. */
  let open: Part[] | null = null;
  for (const message of messages) {
    const last = joined.at(-1);
    if (message.role === 'assistant' && last !== undefined && open !== null) {
      for (const part of message.parts) open.push(part);
      joined[joined.length - 1] = { ...last, ...message, parts: open };
    } else {
      open = message.role === 'assistant' && hasCalls(message) ? [...message.parts] : null;
      joined.push(open === null ? message : { ...message, parts: open });
    }
  }
  return joined;
}

/** Each result goes behind the message that called for it; one that nobody called for stays where it is. */
function joinResults(messages: readonly Message[]): readonly Message[] {
  const callers = new Map<string, number>();
  const results = new Map<number, Part[]>();
  const kept: Message[] = [];
  for (const message of messages) {
    const stay = message.parts.filter((part) => {
      if (part.type === 'tool_call') callers.set(part.id, kept.length);
      const caller = part.type === 'tool_result' ? callers.get(part.callId) : undefined;
      if (caller === undefined) return true;
      const present = results.get(caller);
      if (present === undefined) results.set(caller, [part]);
      else present.push(part);
      return false;
    });
    if (stay.length > 0 || message.role !== 'tool') kept.push({ ...message, parts: stay });
  }
  return kept.flatMap((message, place) => {
    const parts = results.get(place);
    return parts === undefined ? [message] : [message, { role: 'tool', parts } as const];
  });
}
