import { describe, expect, it } from 'vitest';
import { chunk, DONE, delta } from './chat-stream.ts';
import { validateChatStream } from './openai-chat-validator.ts';

const ROLE = delta({ role: 'assistant', content: '' });
const END = delta({}, 'stop') + DONE;
const opened = (index: number, id = `c${index}`): string =>
  delta({ tool_calls: [{ index, id, type: 'function', function: { name: 'f', arguments: '' } }] });
const CALLED = delta({}, 'tool_calls') + DONE;
const cite = (place: object): string => delta({ annotations: [{ type: 'url_citation', url_citation: place }] });

type Case = [what: string, stream: string, usageAsked?: boolean];

const GOOD: Case[] = [
  ['words', ROLE + delta({ content: 'x' }) + END],
  ['a call', ROLE + opened(0) + delta({ tool_calls: [{ index: 0, function: { arguments: '{}' } }] }) + CALLED],
  [
    'usage',
    chunk({ usage: null }, [{ index: 0, delta: { role: 'assistant' }, finish_reason: 'stop' }]) +
      chunk({ usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }) +
      DONE,
    true,
  ],
];

const BROKEN: Case[] = [
  ['no end mark', ROLE + delta({}, 'stop')],
  ['something behind the end mark', ROLE + END + ROLE],
  ['no finish_reason', ROLE + DONE],
  ['a second finish_reason', ROLE + delta({}, 'stop') + END],
  ['words behind the finish_reason', ROLE + delta({}, 'stop') + delta({ content: 'x' }) + DONE],
  ['an undocumented finish_reason', ROLE + delta({}, 'max_tokens') + DONE],
  ['no role', delta({ content: 'x' }) + END],
  ['a second role', ROLE + ROLE + END],
  ['nothing at all', DONE],
  ['two frames in one', ROLE.replace('\n\n', '\n') + END],
  ['a cut frame', ROLE + END.slice(0, -1)],
  ['another id', ROLE + chunk({ id: 'c2' }, [{ index: 0, delta: {}, finish_reason: 'stop' }]) + DONE],
  ['a time in milliseconds', ROLE.replace('"created":1', '"created":1700000000000') + END],
  ['content that is no text', ROLE + delta({ content: { x: 1 } }) + END],
  ['a hole in the indices', ROLE + opened(1) + CALLED],
  ['two calls of one id', ROLE + opened(0, 'a') + opened(1, 'a') + CALLED],
  ['a call opened twice', ROLE + opened(0) + opened(0) + CALLED],
  [
    'a call without a name',
    ROLE + delta({ tool_calls: [{ index: 0, id: 'a', type: 'function', function: { arguments: '' } }] }) + CALLED,
  ],
  [
    'arguments as an object',
    ROLE + opened(0) + delta({ tool_calls: [{ index: 0, function: { arguments: {} } }] }) + CALLED,
  ],
  ['tool_calls without calls', ROLE + CALLED],
  ['stop behind calls', ROLE + opened(0) + END],
  ['usage that nobody asked for', ROLE + delta({}, 'stop') + chunk({ usage: { prompt_tokens: 1 } }) + DONE],
  ['no usage member where it was asked for', ROLE + END, true],
  [
    'a wrong sum',
    ROLE + delta({}, 'stop') + chunk({ usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 3 } }) + DONE,
    true,
  ],
  ['a citation without a place', ROLE + cite({ url: 'u', title: 't' }) + END],
  [
    'logprobs as a list',
    chunk({}, [{ index: 0, delta: { role: 'assistant' }, logprobs: [], finish_reason: 'stop' }]) + DONE,
  ],
];

describe('the judge of streams', () => {
  it.each<Case>(GOOD)('takes %s', (_what, stream, usageAsked = false) => {
    expect(validateChatStream(stream, { usageAsked })).toEqual([]);
  });

  it.each<Case>(BROKEN)('sees %s', (_what, stream, usageAsked = false) => {
    expect(validateChatStream(stream, { usageAsked })).not.toEqual([]);
  });
});
