import type { AnswerEvent } from '../../core/model/answer.ts';
import type { Protocol } from '../../core/model/protocol.ts';
import { parseExact } from '../json/index.ts';
import { isObject } from '../shared/value.ts';
import { DIALECTS } from './dialects.ts';
import { wrapState } from './envelope.ts';
import { TEXT_MEMBER } from './shim-prompt.ts';
import type { ToolNames } from './tool-names.ts';

/** Turns what `shimPrompt` made of tools back, event by event, and puts states into envelopes for the client. */
export interface AnswerShim {
  push(events: readonly AnswerEvent[]): readonly AnswerEvent[];
}

export function createAnswerShim(names: ToolNames, client: Protocol): AnswerShim {
  /** Calls whose input is one text in a JSON object: what came of it so far. */
  const texts = new Map<number, string>();
  const choices = new Map<number, number>();

  /** The text is known once the object is whole. */
  const close = (block: number): AnswerEvent[] => {
    const text = texts.get(block);
    if (text === undefined) return [];
    texts.delete(block);
    return [{ type: 'delta', block, text: textIn(text) }];
  };
  const one = (event: AnswerEvent): readonly AnswerEvent[] => {
    if (event.type === 'block_start' && event.content.type === 'tool_call') {
      choices.set(event.block, event.choice);
      const known = names.toClient(event.content.name, event.content.namespace ?? null);
      if (known === undefined) return [event];
      const { name, namespace, kind } = known;
      if (kind === 'custom' && event.content.kind === 'function') texts.set(event.block, '');
      const { namespace: _namespace, ...content } = event.content;
      return [{ ...event, content: { ...content, name, kind, ...(namespace === null ? {} : { namespace }) } }];
    }
    if (event.type === 'delta') {
      const text = texts.get(event.block);
      if (text === undefined) return [event];
      texts.set(event.block, text + event.text);
      return [];
    }
    if (event.type === 'block_end') return [...close(event.block), event];
    if (event.type === 'finish') {
      const open = [...texts.keys()].filter((block) => choices.get(block) === event.choice);
      return [...open.flatMap(close), event];
    }
    if (event.type === 'state') {
      const { state } = event;
      if (state.issuer === client) return [event];
      return DIALECTS[client].carriesState ? [{ ...event, state: wrapState(state, client) }] : [];
    }
    return [event];
  };
  return { push: (events) => events.flatMap(one) };
}

/** A model that was not held to the schema may say the text itself. */
function textIn(json: string): string {
  try {
    const value = parseExact(json);
    if (isObject<Record<string, unknown>>(value)) {
      const text = value[TEXT_MEMBER];
      if (typeof text === 'string') return text;
    }
  } catch {
    // No JSON: taken as it is.
  }
  return json;
}
