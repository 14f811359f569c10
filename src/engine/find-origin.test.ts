import { expect, it } from 'vitest';
import { encodeUtf8 } from '../protocol/json/index.ts';
import { openaiResponses } from '../protocol/openai-responses/index.ts';
import { createAnswerMap } from './answer-map.ts';
import { findOrigin } from './find-origin.ts';
import { createResponseStore } from './response-store.ts';

const decoded = openaiResponses.decodeRequest(
  encodeUtf8('{"model":"main","previous_response_id":"resp_unknown","input":"now"}'),
  {},
);

/** Who may be asked about an answer that nobody here knows. */
function bindingOf(session: string | undefined, isolatesClients: boolean) {
  if (!decoded.ok) throw new Error(decoded.problem.message);
  const memory = { answers: createAnswerMap(), responses: createResponseStore() };
  const own = session === undefined ? {} : { session };
  return findOrigin(memory, { request: decoded.request, key: null, ...own, settings: { isolatesClients } }, 0).binding;
}

it('asks nobody about an id that is not known where it may be another client’s, or the client would send all again', () => {
  expect(bindingOf(undefined, false)).toBeNull();
  expect(bindingOf(undefined, true)).toBe('nobody');
  expect(bindingOf('socket-1', false)).toBe('nobody');
});
