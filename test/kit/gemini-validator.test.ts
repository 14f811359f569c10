import { expect, it } from 'vitest';
import { data } from './gemini-stream.ts';
import { validateGemini } from './gemini-validator.ts';

const chunk = (candidate: object = {}, top: object = {}): string =>
  data({
    candidates: [{ content: { role: 'model', parts: [{ text: 'x' }] }, index: 0, ...candidate }],
    modelVersion: 'm',
    responseId: 'r',
    ...top,
  });
const part = (value: unknown): string => chunk({ content: { role: 'model', parts: [value] } });
const END = chunk(
  { finishReason: 'STOP' },
  { usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 2, totalTokenCount: 3 } },
);

it('finds nothing in a good stream', () => {
  expect(validateGemini(`: c\n\n${chunk()}${END}`)).toEqual([]);
  expect(validateGemini(chunk() + data({ error: { code: 502, message: 'm', status: 'INTERNAL' } }))).toEqual([]);
});

it.each([
  ['', 'no chunk'],
  [chunk(), 'candidate 0 has no end'],
  [END.trimEnd(), 'the last frame has no blank line'],
  [END.replace('data: ', 'event: x\ndata: '), 'no data line'],
  [`data: [DONE]\n\n${END}`, 'no JSON object'],
  [END + END, 'candidate 0 goes on behind its end'],
  [END + chunk(), 'candidate 0 goes on behind its end'],
  [data({ error: {} }), 'an odd error'],
  [data({ error: { code: 1, message: 'm', status: 's' } }) + END, 'a chunk behind an error'],
  [data({ modelVersion: 'm', responseId: 'r', candidates: [] }) + END, 'no candidates'],
  [chunk({}, { modelVersion: 1 }) + END, 'no modelVersion'],
  [chunk({}, { responseId: 's' }) + END, 'another responseId'],
  [chunk({}, { responseId: null }) + END, 'no responseId'],
  [chunk({ index: 'a' }) + END, 'no index'],
  [chunk({ finishReason: 'stop' }), 'an unknown reason: stop'],
  [chunk({ content: { role: 'user', parts: [{ text: 'x' }] } }) + END, 'content of another role'],
  [chunk({ content: { role: 'model', parts: [] } }) + END, 'content without parts'],
  [chunk({}, { usageMetadata: {} }) + END, 'usage before the end'],
  [END.replace('"totalTokenCount":3', '"totalTokenCount":4'), 'usage does not add up'],
  [END.replace('"totalTokenCount":3', '"totalTokenCount":null'), 'totalTokenCount is no number of tokens'],
  [part({}) + END, 'a part of 0 kinds'],
  [part({ text: 'x', inlineData: { mimeType: 'a/b', data: '' } }) + END, 'a part of 2 kinds'],
  [part({ text: 1 }) + END, 'text that is none'],
  [part({ text: 'x', thought: 1 }) + END, 'an odd thought'],
  [part({ text: 'x', thoughtSignature: 1 }) + END, 'an odd signature'],
  [part({ inlineData: {} }) + END, 'odd inlineData'],
  [part({ functionCall: { id: 'a', args: {} } }) + END, 'a call without a name'],
  [part({ functionCall: { id: 'a', name: 'f', args: '{}' } }) + END, 'arguments that are no object'],
  [part({ functionCall: { id: 'a', name: 'f', args: {} } }).repeat(2) + END, 'a call without an id of its own'],
  [
    chunk({ groundingMetadata: { groundingSupports: [{ segment: { startIndex: 2, endIndex: 1 } }] } }) + END,
    'a segment that ends before it starts',
  ],
  [
    chunk({ groundingMetadata: { groundingSupports: [{ segment: { endIndex: 1 }, groundingChunkIndices: [0] }] } }) +
      END,
    'a source that is not there',
  ],
  [
    data({ candidates: [{ index: 0 }, { index: 0 }], modelVersion: 'm', responseId: 'r' }) + END,
    'one candidate twice in a chunk',
  ],
])('%j: %s', (text, fault) => {
  expect(validateGemini(text).some((found) => found.startsWith(fault))).toBe(true);
});
