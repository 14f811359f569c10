import { expect, it } from 'vitest';
import { viewSignal } from './matcher.ts';
import { ownWords } from './own-words.ts';
import type { FailureSignal } from './signal.ts';

const signalOf = (message: string, body: FailureSignal['body'] = 'json'): FailureSignal => ({
  cause: { kind: 'status' },
  provider: 'a',
  protocol: 'openai-chat',
  translated: false,
  status: 400,
  headers: {},
  error: { status: null, code: null, type: null, param: null, message },
  body,
  anyByte: true,
  anyEvent: false,
  anyItem: false,
  committed: false,
  at: 0,
});

it.each([
  ['quoted', 'Invalid value: "rate limit reached" in `input`', 'invalid value: ~ in ~', 'invalid value: ~ in input'],
  ['a name', "Unsupported parameter: 'tools'.", 'unsupported parameter: ~.', 'unsupported parameter: tools.'],
  ['never closed', 'Bad text: "quota exceeded for', 'bad text: ~', 'bad text: ~'],
])('are without what is %s', (_, message, plain, named) => {
  expect(ownWords(signalOf(message))).toEqual({ plain, named });
});

it('are none on a page of HTML', () => {
  expect(ownWords(signalOf('Rate limit', 'html'))).toEqual({ plain: '', named: '' });
});

it('are all that a way to match can see of a message, whatever it looks at', () => {
  const view = viewSignal(signalOf('Invalid value: "the client says: billing limit"'));
  expect(JSON.stringify(view)).not.toContain('billing');
});
