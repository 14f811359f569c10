import { describe, expect, it } from 'vitest';
import type { Protocol } from '../core/model/protocol.ts';
import { describeOrder } from './service-order.ts';

const CHAT = 'openai-chat';
const MESSAGES = 'anthropic-messages';

const target = (id: string, protocol: Protocol, tier = 0) => ({ id, protocol, tier });

const linesOf = (...args: Parameters<typeof describeOrder>): readonly string[] =>
  describeOrder(...args).map(({ name, order }) => `${name}: ${order}`);

const MIXED = [target('a', CHAT), target('b', CHAT), target('m', MESSAGES)];

describe('who answers whom', () => {
  it.each([
    ['in-order', ['All: a, then b, then m']],
    ['last', ['Chat: a, then b; then the others, translated', 'Messages: m; then the others, translated']],
    ['never', ['Chat: a, then b', 'Messages: m (nobody can stand in)']],
  ] as const)('with translate: %s', (translate, lines) => {
    expect(linesOf(MIXED, 'failover', translate)).toEqual(lines);
  });

  it('is no order within a tier where a strategy makes it', () => {
    expect(linesOf(MIXED, 'round-robin', 'last')[0]).toBe('Chat: a or b; then the others, translated');
  });

  it('names others one by one where a tier puts them before one of its own', () => {
    const tiered = [target('a', CHAT), target('b', CHAT, 1), target('m', MESSAGES), target('n', MESSAGES, 1)];
    expect(linesOf(tiered, 'failover', 'last')).toEqual([
      'Chat: a, then m (translated), then b; then the others, translated',
      'Messages: m, then a (translated), then n; then the others, translated',
    ]);
    const late = [target('m', MESSAGES), target('a', CHAT, 1)];
    expect(linesOf(late, 'failover', 'last')).toEqual([
      'Chat: m (translated), then a',
      'Messages: m; then the others, translated',
    ]);
  });

  it('is told of one who is alone', () => {
    expect(linesOf([target('a', CHAT)], 'failover', 'last')).toEqual(['Chat: a (nobody can stand in)']);
    expect(linesOf([target('a', CHAT)], 'failover', 'last', { hasLists: true })).toEqual(['Chat: a']);
  });
});
