import type { CanonicalPrompt } from '../../src/core/model/prompt.ts';
import { readPrompt } from '../../src/protocol/gemini/prompt.ts';
import { writePrompt } from '../../src/protocol/gemini/prompt-encode.ts';
import { decodeRequestFor } from '../../src/protocol/gemini/request.ts';
import { concatBytes, decodeUtf8, encodeUtf8 } from '../../src/protocol/json/index.ts';
import type { PromptEgress } from '../../src/protocol/translation.ts';

// Gemini prompts read and written, for a model that knows everything.

const EGRESS: PromptEgress = {
  model: 'gemini-3-flash',
  stream: false,
  askUsage: false,
  capabilities: {},
  defaults: {},
};

/** A body (or its text) as a prompt. */
export function read(body: unknown): CanonicalPrompt {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const decoded = decodeRequestFor('m', false, encodeUtf8(text), {});
  if (!decoded.ok) throw new Error(decoded.problem.message);
  const found = readPrompt(decoded.request);
  if (!found.ok) throw new Error(found.problem.message);
  return found.prompt;
}

/** A prompt as a body, with what was left out. */
export function write(prompt: Partial<CanonicalPrompt>, egress: Partial<PromptEgress> = {}) {
  const written = writePrompt({ messages: [], tools: [], settings: {}, ...prompt }, { ...EGRESS, ...egress });
  const text = decodeUtf8(concatBytes(written.body));
  return { ...written, text, body: JSON.parse(text) as Record<string, unknown> };
}
