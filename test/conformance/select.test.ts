import { describe, expect, it } from 'vitest';
import { EXCEPTIONS, isSpoken, loadCases, selectCases } from './select.ts';

const cases = loadCases();
const chat = { protocol: 'openai-chat' };

describe('the cases that must pass', () => {
  it('are all of the protocols that this version speaks, and never fewer', () => {
    expect(selectCases(cases).length).toBeGreaterThanOrEqual(160);
  });

  it('leave out only what the exceptions name, with a reason', () => {
    const spoken = cases.filter(isSpoken).map((each) => each.id);
    expect(Object.keys(EXCEPTIONS).filter((id) => !spoken.includes(id))).toEqual([]);
    expect(Object.values(EXCEPTIONS).filter((reason) => reason.length < 20)).toEqual([]);
    expect(selectCases(cases)).toHaveLength(spoken.length - Object.keys(EXCEPTIONS).length);
  });

  it('are judged by targets and by the path of every step', () => {
    const request = { path: '/v1/chat/completions' };
    expect(isSpoken({ id: 'a', config: { targets: [chat] }, request, after: [{ request: {} }, {}] })).toBe(true);
    expect(isSpoken({ id: 'a', config: { targets: [chat, { protocol: 'gemini' }] }, request })).toBe(false);
    expect(isSpoken({ id: 'a', config: { targets: [chat] }, request: { path: '/v1/messages' } })).toBe(false);
    expect(isSpoken({ id: 'a', config: { targets: [chat] }, request: { path: '/v1/unknown' } })).toBe(false);
    const messages = { protocol: 'anthropic-messages' };
    expect(isSpoken({ id: 'a', config: { targets: [messages] }, request: { path: '/v1/messages?beta=1' } })).toBe(true);
    expect(isSpoken({ id: 'a', config: { targets: [messages, chat] }, request: { path: '/v1/models' } })).toBe(true);
    const before = [{ request: { path: '/v1/messages' } }];
    expect(isSpoken({ id: 'a', config: { targets: [chat] }, request, before })).toBe(false);
  });
});
