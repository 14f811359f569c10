// The Google Gen AI SDK: a loop over generateContent, by streams whose chunks are added up or by whole answers.
import { GoogleGenAI } from '@google/genai';
import { apiKey, DESCRIPTION, isStream, loop, model, NAME, PARAMETERS, prompt, runTool, url } from './tool.mjs';

const { models } = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } });
const tools = [{ functionDeclarations: [{ name: NAME, description: DESCRIPTION, parametersJsonSchema: PARAMETERS }] }];
const contents = [{ role: 'user', parts: [{ text: prompt }] }];

async function ask() {
  const request = { model, contents, config: { tools } };
  const chunks = isStream ? await models.generateContentStream(request) : [await models.generateContent(request)];
  const parts = [];
  let finish;
  for await (const { candidates: [candidate] = [] } of chunks) {
    parts.push(...(candidate?.content?.parts ?? []));
    finish = String(candidate?.finishReason ?? finish);
  }
  // A stream that ends early is no error to it.
  if (finish !== 'STOP') throw new Error(`finished with ${finish}`);
  return parts;
}

await loop(async () => {
  const parts = await ask();
  contents.push({ role: 'model', parts });
  const calls = parts.flatMap((part) => part.functionCall ?? []);
  const results = calls.map(({ id, name, args }) => ({
    functionResponse: { ...(id === undefined ? {} : { id }), name, response: { output: runTool(name, args) } },
  }));
  if (results.length > 0) contents.push({ role: 'user', parts: results });
  const text = parts.map((part) => part.text ?? '').join('');
  if (text !== '' && results.length === 0) console.log(text);
  return calls.length > 0;
});
