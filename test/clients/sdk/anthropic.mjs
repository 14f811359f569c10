// The Anthropic SDK: a loop over Messages, by streams with their helper or by whole answers.
import Anthropic from '@anthropic-ai/sdk';
import { apiKey, DESCRIPTION, isStream, loop, model, NAME, PARAMETERS, prompt, runTool, url } from './tool.mjs';

const client = new Anthropic({ apiKey, baseURL: url });
const tools = [{ name: NAME, description: DESCRIPTION, input_schema: PARAMETERS }];
const messages = [{ role: 'user', content: prompt }];

await loop(async () => {
  const request = { model, max_tokens: 1000, messages, tools };
  const answer = isStream
    ? await client.messages.stream(request).finalMessage()
    : await client.messages.create(request);
  const calls = answer.content.filter(({ type }) => type === 'tool_use');
  if (answer.stop_reason !== (calls.length > 0 ? 'tool_use' : 'end_turn'))
    throw new Error(`stopped: ${answer.stop_reason}`);
  if (typeof answer.usage?.output_tokens !== 'number') throw new Error('no usage');
  messages.push({ role: 'assistant', content: answer.content });
  const results = calls.map(({ id, name, input }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: runTool(name, input),
  }));
  if (results.length > 0) messages.push({ role: 'user', content: results });
  for (const block of answer.content) if (block.type === 'text' && block.text !== '') console.log(block.text);
  return calls.length > 0;
});
