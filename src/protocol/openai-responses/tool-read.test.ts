import { expect, it } from 'vitest';
import { encodeUtf8 } from '../json/index.ts';
import { openaiResponses } from './index.ts';

const F = { type: 'function', name: 'f', description: 'd', parameters: {}, strict: false };
const FOUND = { type: 'custom', name: 'found', description: 'd', defer_loading: true };
const GROUP = { type: 'namespace', name: 'n', description: 'd', tools: [{ ...F, name: 'g' }] };
const OUTPUT = {
  type: 'tool_search_output',
  call_id: 'c1',
  execution: 'client',
  tools: [F, GROUP, FOUND, FOUND, { type: 'web_search' }],
};
const BODY = {
  model: 'm',
  input: [
    { role: 'user', content: 'x' },
    { type: 'tool_search_call', call_id: 'c1', execution: 'client', arguments: { query: 'q' } },
    OUTPUT,
  ],
  tools: [F, { type: 'tool_search', execution: 'client' }],
};

it('a search over its own tools brings what it found, each once, and its result stays as it was', () => {
  const { translation } = openaiResponses;
  const decoded = openaiResponses.decodeRequest(encodeUtf8(JSON.stringify(BODY)), {});
  const read = decoded.ok ? translation?.readPrompt(decoded.request) : undefined;
  if (translation === undefined || read?.ok !== true) throw new Error('it is refused');
  const { prompt } = read;
  expect(prompt.tools.map((tool) => (tool.type === 'server' ? tool.what : tool.name))).toEqual([
    'f',
    'tool_search',
    'g',
    'found',
  ]);
  const egress = { model: 'm', stream: false, askUsage: false, capabilities: {}, defaults: {} };
  const written = JSON.parse(Buffer.concat(translation.writePrompt(prompt, egress).body).toString());
  expect(written.tools).toEqual(BODY.tools);
  expect(written.input[2]).toEqual(OUTPUT);
});
