import { OPTIONAL_FIELDS } from '../../core/model/capability.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import type { CanonicalPrompt } from '../../core/model/prompt.ts';
import { applyEdits, encodeUtf8, indexJson, stringifyExact } from '../json/index.ts';
import type { Dropped } from '../shared/extensions.ts';
import type { PromptEgress, WrittenPrompt } from '../translation.ts';
import { chooseBetas } from './betas.ts';
import { familyOf } from './families.ts';
import { COMMON_VERSION, messagesHeaders } from './headers.ts';
import { withExtensions } from './members.ts';
import { leaveOutFields } from './optional-fields.ts';
import { outlineMessages, REQUEST_DEPTH } from './outline.ts';
import { writeSettings } from './settings-write.ts';
import { writeToolChoice, writeTools } from './tool-write.ts';
import { isLoopSigned, writeConversation } from './turns.ts';

const PATH = '/v1/messages';

/** A prompt as a request of this protocol, for one target: see `Translation.writePrompt`. */
export function writePrompt(prompt: CanonicalPrompt, egress: PromptEgress): WrittenPrompt {
  const dropped: Dropped = new Set();
  const json = encodeUtf8(stringifyExact(buildBody(prompt, egress, dropped)));
  const { leaveOut = [] } = egress.capabilities;
  const betas = chooseBetas(egress.headers ?? {}, egress.capabilities);
  const fields = withoutFields(json, leaveOut);
  const leftOut = [...betas.leftOut, ...fields.fields];
  return {
    path: PATH,
    headers: { ...messagesHeaders(egress.stream, COMMON_VERSION), ...betas.headers },
    body: fields.body,
    dropped: [...dropped],
    ...(betas.sent.length === 0 ? {} : { sentBetas: betas.sent }),
    ...(leftOut.length === 0 ? {} : { leftOut }),
  };
}

function buildBody(prompt: CanonicalPrompt, egress: PromptEgress, dropped: Dropped): JsonObject {
  const { takesSystemTurns } = familyOf(egress.model);
  const { system, messages } = writeConversation(prompt.messages, takesSystemTurns, dropped);
  const chosen = writeToolChoice(prompt.settings, prompt.tools, dropped);
  const { tools, servers } = writeTools(chosen.tools, dropped);
  const context = { egress, isForced: chosen.isForced, isSigned: isLoopSigned(messages) };
  const built: JsonObject = {
    model: egress.model,
    ...(egress.stream ? { stream: true } : {}),
    ...writeSettings(prompt, context, dropped),
    ...(system.length === 0 ? {} : { system }),
    messages,
    ...(tools.length === 0 ? {} : { tools }),
    ...(chosen.choice === null || tools.length === 0 ? {} : { tool_choice: chosen.choice }),
    ...(servers.length === 0 ? {} : { mcp_servers: servers }),
  };
  return withExtensions(built, prompt, dropped);
}

/** What this target refuses is taken out as it is of a client's own request. */
function withoutFields(
  json: Uint8Array,
  leaveOut: readonly string[],
): { readonly body: readonly Uint8Array[]; readonly fields: readonly string[] } {
  const wanted = OPTIONAL_FIELDS.filter((field) => leaveOut.includes(field));
  const index = wanted.length === 0 ? null : indexJson(json, REQUEST_DEPTH);
  const messages = index === null ? 0 : outlineMessages(index);
  if (index === null || typeof messages === 'number') return { body: [json], fields: [] };
  const { edits, fields } = leaveOutFields({ index, messages }, wanted);
  return { body: applyEdits(json, edits), fields };
}
