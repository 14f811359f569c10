import type { AnswerEvent } from '../../core/model/answer.ts';
import type { FinishReason } from '../../core/model/finish.ts';
import type { Protocol } from '../../core/model/protocol.ts';
import { parseExact } from '../json/index.ts';
import { JsonFollower } from '../shared/json-follower.ts';
import { isObject } from '../shared/value.ts';
import { wrapState } from './envelope.ts';
import { TEXT_MEMBER } from './shim-prompt.ts';
import type { ToolNames } from './tool-names.ts';

/** Turns what `shimPrompt` made of tools back, event by event, and puts states into envelopes for the client. */
export interface AnswerShim {
  push(events: readonly AnswerEvent[]): readonly AnswerEvent[];
}

type Of<T extends AnswerEvent['type']> = Extract<AnswerEvent, { readonly type: T }>;

/** A call that the provider makes of a function. `text`: what came so far of one whose input stands for a text. */
type Call = { readonly choice: number; readonly input: JsonFollower; text: string | null; isCut: boolean };

/** Reasons for an end behind which nothing is missing. */
const WHOLE: ReadonlySet<FinishReason> = new Set(['stop', 'tool_calls', 'unknown']);

/**
 * A call whose input is no whole JSON where it ends stays open until the answer's end tells why: an answer that came to
 * its limit ends there, and the client must not take the call for a whole one.
 */
export function createAnswerShim(names: Pick<ToolNames, 'toClient'>, client: Protocol): AnswerShim {
  const calls = new Map<number, Call>();

  /** A text is known once the object is whole. */
  const textOf = (block: number, { text }: Call): AnswerEvent[] =>
    text === null ? [] : [{ type: 'delta', block, text: textIn(text) }];
  const start = (event: Of<'block_start'>): readonly AnswerEvent[] => {
    const { content, block, choice } = event;
    if (content.type !== 'tool_call') return [event];
    const known = names.toClient(content.name, content.namespace ?? null);
    const isFunction = content.kind === 'function';
    const text = isFunction && known?.kind === 'custom' ? '' : null;
    if (isFunction) calls.set(block, { choice, input: new JsonFollower(), text, isCut: false });
    if (known === undefined) return [event];
    const { name, namespace, kind } = known;
    const { namespace: _namespace, ...rest } = content;
    return [{ ...event, content: { ...rest, name, kind, ...(namespace === null ? {} : { namespace }) } }];
  };
  const grow = (event: Of<'delta'>): readonly AnswerEvent[] => {
    const call = calls.get(event.block);
    call?.input.push(event.text);
    if (call === undefined || call.text === null) return [event];
    call.text += event.text;
    return [];
  };
  const close = (event: Of<'block_end'>): readonly AnswerEvent[] => {
    const call = calls.get(event.block);
    if (call === undefined) return [event];
    if (!call.input.isBlank && !call.input.isWhole) {
      call.isCut = true;
      return [];
    }
    calls.delete(event.block);
    return [...textOf(event.block, call), event];
  };
  const finish = (event: Of<'finish'>): readonly AnswerEvent[] => {
    const open = [...calls].filter(([, { choice }]) => choice === event.choice);
    const ends = open.flatMap(([block, call]): AnswerEvent[] => {
      calls.delete(block);
      const isTold = call.isCut && WHOLE.has(event.reason);
      return [...textOf(block, call), ...(isTold ? [{ type: 'block_end', block } as const] : [])];
    });
    return [...ends, event];
  };
  const one = (event: AnswerEvent): readonly AnswerEvent[] => {
    switch (event.type) {
      case 'block_start':
        return start(event);
      case 'delta':
        return grow(event);
      case 'block_end':
        return close(event);
      case 'finish':
        return finish(event);
      case 'state':
        return [{ ...event, state: wrapState(event.state, client) }];
      default:
        return [event];
    }
  };
  return { push: (events) => events.flatMap(one) };
}

/** A model that was not held to the schema may say the text itself. */
function textIn(json: string): string {
  try {
    const value = parseExact(json);
    if (isObject(value)) {
      const text = value[TEXT_MEMBER];
      if (typeof text === 'string') return text;
    }
  } catch {
    // No JSON: taken as it is.
  }
  return json;
}
