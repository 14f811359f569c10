import type { JsonObject } from '../../core/model/json-value.ts';
import type { CanonicalPrompt } from '../../core/model/prompt.ts';
import { encodeUtf8, stringifyExact } from '../json/index.ts';
import type { Dropped } from '../shared/extensions.ts';
import { without } from '../shared/json-object.ts';
import { requestHeaders } from '../shared/session.ts';
import type { PromptEgress, WrittenPrompt } from '../translation.ts';
import { withExtensions } from './members.ts';
import { type MessageWriter, writeMessages } from './message-write.ts';
import { PATH } from './request-encode.ts';
import { writeSettings } from './settings-write.ts';
import { type PartWriter, writeTools } from './tool-write.ts';

/**
 * Families that providers of this format cache at marks. All others do it by themselves, and the protocol's author
 * refuses a member that it does not know.
 */
const TAKES_CACHE_MARKS = /claude/i;

/** A prompt as a body for one target; what the protocol or the target has no words for is named in `dropped`. */
export function writePrompt(prompt: CanonicalPrompt, egress: PromptEgress): WrittenPrompt {
  const dropped: Dropped = new Set();
  const writer: MessageWriter = {
    dropped,
    cache: cacheWriter(egress, dropped),
    developer: egress.capabilities.developerRole === false ? 'system' : 'developer',
  };
  const body: JsonObject = {
    model: egress.model,
    messages: writeMessages(prompt.messages, writer),
    ...writeTools(prompt.tools, writer),
    ...writeSettings(prompt, egress, writer),
    ...(egress.stream ? { stream: true } : {}),
    ...(egress.stream && egress.askUsage ? { stream_options: { include_usage: true } } : {}),
  };
  const whole = withExtensions(body, prompt, dropped);
  const isPlain = egress.stream && egress.capabilities.streamUsage !== false;
  return {
    path: PATH,
    headers: { ...requestHeaders(egress.stream), ...egress.headers },
    body: [encodeUtf8(stringifyExact(isPlain ? whole : without(whole, ['stream_options'])))],
    dropped: [...dropped],
  };
}

function cacheWriter({ model, capabilities }: PromptEgress, dropped: Dropped): PartWriter['cache'] {
  const { leaveOut = [] } = capabilities;
  const isTaken = TAKES_CACHE_MARKS.test(model) && !leaveOut.includes('cache_control');
  return (mark) => {
    if (mark === undefined) return {};
    if (!isTaken) {
      dropped.add('cache');
      return {};
    }
    const hasTtl = mark.ttl !== null && !leaveOut.includes('cache_control.ttl');
    return { cache_control: { type: 'ephemeral', ...(hasTtl ? { ttl: mark.ttl } : {}) } };
  };
}
