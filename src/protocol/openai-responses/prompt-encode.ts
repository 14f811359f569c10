import type { Message } from '../../core/model/content.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import type { CanonicalPrompt } from '../../core/model/prompt.ts';
import { encodeUtf8, stringifyExact } from '../json/index.ts';
import { requestHeaders } from '../shared/session.ts';
import type { PromptEgress, WrittenPrompt } from '../translation.ts';
import { writeMessage } from './item-write.ts';
import { markOf, ownMembers, PROTOCOL } from './members.ts';
import { isPlain, writePart } from './part-write.ts';
import { writeSettings } from './settings-write.ts';
import { writeTools } from './tool-write.ts';
import { dropForeign, type WriteContext } from './write-context.ts';

const PATH = '/responses';

/** An input of nothing is refused; one that says nothing is not. */
const NOTHING: JsonObject = { type: 'message', role: 'user', content: '' };

/**
 * A prompt as a request. One that was made in this protocol is written as it came. Any other is asked for without the
 * provider keeping it, with its thoughts sealed so that the next turn can bring them.
 */
export function writePrompt(prompt: CanonicalPrompt, egress: PromptEgress): WrittenPrompt {
  const context: WriteContext = {
    isOwn: prompt.extensions?.[PROTOCOL] !== undefined,
    capabilities: egress.capabilities,
    dropped: new Set(),
  };
  dropForeign(prompt, context);
  const { front, messages } = split(prompt.messages, context);
  const { tools, items } = writeTools(prompt.tools, context);
  const input = messages.flatMap((message) => writeMessage(message, context));
  for (const { at, item } of items) input.splice(at, 0, item);
  if (input.length === 0 && !context.isOwn) input.push(NOTHING);
  const body = {
    model: egress.model,
    ...front,
    input,
    ...(tools.length === 0 ? {} : { tools }),
    ...writeSettings(prompt, ownMembers(prompt), egress, context),
    stream: egress.stream,
  };
  return {
    path: PATH,
    headers: { ...requestHeaders(egress.stream), ...egress.headers },
    body: [encodeUtf8(stringifyExact(body))],
    dropped: [...context.dropped],
  };
}

/** Messages that are members of the request: a plain system text in front, and what only the provider knows. */
function split(
  messages: readonly Message[],
  context: WriteContext,
): { front: JsonObject; messages: readonly Message[] } {
  // A request has to have an input: where nothing else was said, the instructions are it.
  const instructions = messages.length === 1 && !context.isOwn ? null : instructionsOf(messages[0], context);
  const front: [string, JsonObject[string]][] = instructions === null ? [] : [['instructions', instructions]];
  const others = messages.slice(front.length).filter((message) => {
    const name = markOf(message, '$member');
    const [part] = message.parts;
    if (typeof name !== 'string' || part?.type !== 'native' || part.protocol !== PROTOCOL) return true;
    front.push([name, part.value]);
    return false;
  });
  return { front: Object.fromEntries(front), messages: others };
}

function instructionsOf(message: Message | undefined, context: WriteContext): string | null {
  const [part] = message?.parts ?? [];
  const isFit =
    message?.role === 'system' && message.parts.length === 1 && message.name === undefined && part?.type === 'text';
  if (!isFit || Object.keys(ownMembers(message)).length > 0) return null;
  const written = writePart(part, 'system', context);
  if (written === null || !isPlain(written)) return null;
  dropForeign(message, context);
  return part.text;
}
