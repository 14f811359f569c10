// The OpenAI SDK: a loop over Chat Completions or Responses, by streams with their helpers or by whole answers.
import OpenAI from 'openai';
import { api, apiKey, DESCRIPTION, isStream, loop, model, NAME, PARAMETERS, prompt, runTool, url } from './tool.mjs';

const client = new OpenAI({ apiKey, baseURL: `${url}/v1` });
const definition = { name: NAME, description: DESCRIPTION, parameters: PARAMETERS };
const history = [{ role: 'user', content: prompt }];

async function chatTurn() {
  const request = { model, messages: history, tools: [{ type: 'function', function: definition }] };
  const answer = isStream
    ? await client.chat.completions
        .stream({ ...request, stream_options: { include_usage: true } })
        .finalChatCompletion()
    : await client.chat.completions.create(request);
  const { message, finish_reason: finish } = answer.choices[0];
  if (typeof answer.usage?.total_tokens !== 'number') throw new Error('no usage');
  history.push(message);
  const calls = message.tool_calls ?? [];
  if (finish !== (calls.length > 0 ? 'tool_calls' : 'stop')) throw new Error(`finished with ${finish}`);
  for (const call of calls) {
    const content = runTool(call.function.name, call.function.arguments);
    history.push({ role: 'tool', tool_call_id: call.id, content });
  }
  if (message.content) console.log(message.content);
  return calls.length > 0;
}

async function responsesTurn() {
  const tools = [{ type: 'function', strict: false, ...definition }];
  const request = { model, input: history, tools, store: false };
  const answer = isStream
    ? await client.responses.stream(request).finalResponse()
    : await client.responses.create(request);
  if (answer.status !== 'completed') throw new Error(`ended as ${answer.status}`);
  if (typeof answer.usage?.total_tokens !== 'number') throw new Error('no usage');
  const calls = answer.output.filter(({ type }) => type === 'function_call');
  // What the helper adds to an item is nothing that an API takes.
  for (const item of answer.output) delete item.parsed_arguments;
  history.push(...answer.output);
  for (const call of calls) {
    history.push({ type: 'function_call_output', call_id: call.call_id, output: runTool(call.name, call.arguments) });
  }
  if (answer.output_text) console.log(answer.output_text);
  return calls.length > 0;
}

await loop(api === 'chat' ? chatTurn : responsesTurn);
