// LangChain: a chat model with a tool, whose chunks are added up.
import { HumanMessage, ToolMessage } from '@langchain/core/messages';
import { api, apiKey, DESCRIPTION, loop, model, NAME, PARAMETERS, prompt, runTool, url } from './tool.mjs';

async function createModel() {
  if (api === 'messages') {
    const { ChatAnthropic } = await import('@langchain/anthropic');
    return new ChatAnthropic({ model, apiKey, anthropicApiUrl: url, maxTokens: 1000 });
  }
  const { ChatOpenAI } = await import('@langchain/openai');
  return new ChatOpenAI({
    model,
    apiKey,
    useResponsesApi: api === 'responses',
    zdrEnabled: true,
    configuration: { baseURL: `${url}/v1` },
  });
}

const bound = (await createModel()).bindTools([
  { type: 'function', function: { name: NAME, description: DESCRIPTION, parameters: PARAMETERS } },
]);
const history = [new HumanMessage(prompt)];

await loop(async () => {
  let answer;
  for await (const chunk of await bound.stream(history)) answer = answer === undefined ? chunk : answer.concat(chunk);
  // It does not throw at a `response.failed`, and makes calls of unfinished arguments: only the status tells.
  const { status } = answer.response_metadata;
  if (api === 'responses' && status !== 'completed') throw new Error(`ended as ${status}`);
  history.push(answer);
  for (const call of answer.tool_calls ?? []) {
    history.push(new ToolMessage({ content: runTool(call.name, call.args), tool_call_id: call.id }));
  }
  if (answer.text) console.log(answer.text);
  return (answer.tool_calls ?? []).length > 0;
});
