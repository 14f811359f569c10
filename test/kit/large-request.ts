import type { CanonicalRequest } from '../../src/core/model/request.ts';
import { encodeUtf8 } from '../../src/protocol/json/index.ts';
import { readAddressed } from '../protocols/read-addressed.ts';

/** Words of so many bytes. */
export const words = (bytes: number): string => 'all work and no play '.repeat(Math.ceil(bytes / 21)).slice(0, bytes);

/** A Responses request of about so many bytes, with a tool whose name other protocols can't have. */
export function largeRequest(bytes = 300 * 1024, more: object = {}): CanonicalRequest {
  const tool = {
    type: 'namespace',
    name: 'files',
    description: 'Files.',
    tools: [{ type: 'function', name: 'read', parameters: { type: 'object', properties: {} } }],
  };
  const body = { model: 'm', input: words(bytes), text: { verbosity: 'low' }, tools: [tool], ...more };
  return readAddressed('openai-responses', {
    path: '/responses',
    headers: {},
    body: [encodeUtf8(JSON.stringify(body))],
  });
}
