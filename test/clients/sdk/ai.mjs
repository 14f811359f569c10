// The Vercel AI SDK, which has a loop of its own.
import { jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { api, apiKey, DESCRIPTION, loop, model, NAME, PARAMETERS, prompt, runTool, url } from './tool.mjs';

const MODELS = {
  chat: async () => {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
    return createOpenAICompatible({ name: 'gateway', baseURL: `${url}/v1`, apiKey, includeUsage: true })(model);
  },
  responses: async () => (await import('@ai-sdk/openai')).createOpenAI({ baseURL: `${url}/v1`, apiKey })(model),
  gemini: async () => {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
    return createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey })(model);
  },
  messages: async () => (await import('@ai-sdk/anthropic')).createAnthropic({ baseURL: `${url}/v1`, apiKey })(model),
};

const tools = {
  [NAME]: tool({
    description: DESCRIPTION,
    inputSchema: jsonSchema(PARAMETERS),
    execute: (input) => runTool(NAME, input),
  }),
};

await loop(async () => {
  const request = { model: await MODELS[api](), prompt, tools, stopWhen: stepCountIs(5), onError: () => {} };
  const answer = streamText(request);
  for await (const part of answer.fullStream) if (part.type === 'error') throw part.error;
  const finish = await answer.finishReason;
  if (finish !== 'stop') throw new Error(`finished with ${finish}`);
  console.log(await answer.text);
  return false;
});
