import { describe, expect, it } from 'vitest';
import { createTurnMemory } from './manners.ts';

describe('turns', () => {
  const body = new TextEncoder().encode('{"a":1}');
  const clues = { now: 0, key: 'ci', body };

  it('a library that counts its tries is one turn', () => {
    const memory = createTurnMemory();
    const first = memory.recognise({ ...clues, id: 'r1', headers: { 'x-stainless-retry-count': '0' } });
    const again = memory.recognise({ ...clues, id: 'r2', headers: { 'x-stainless-retry-count': '1' } });
    const fresh = memory.recognise({ ...clues, id: 'r3', headers: { 'x-stainless-retry-count': '0' } });
    expect([first, again, fresh]).toEqual([
      { turn: 'r1', isClientRetry: false },
      { turn: 'r1', isClientRetry: true },
      { turn: 'r3', isClientRetry: false },
    ]);
  });

  it('the same body in the same conversation is one turn, another body or key is none', () => {
    const memory = createTurnMemory();
    const headers = { 'session-id': 's' };
    memory.recognise({ ...clues, id: 'r1', headers });
    expect(memory.recognise({ ...clues, id: 'r2', headers }).turn).toBe('r1');
    expect(memory.recognise({ ...clues, id: 'r3', headers, body: new Uint8Array([1]) }).turn).toBe('r3');
    expect(memory.recognise({ ...clues, id: 'r4', headers, key: 'dev' }).turn).toBe('r4');
    expect(memory.recognise({ ...clues, id: 'r5', headers: { 'session-id': 't' } }).turn).toBe('r5');
    expect(memory.recognise({ ...clues, id: 'r6', headers, now: 700_000 }).isClientRetry).toBe(false);
  });

  it('nothing tells: no turn', () => {
    expect(createTurnMemory().recognise({ ...clues, id: 'r1', headers: {} })).toEqual({
      turn: null,
      isClientRetry: false,
    });
  });
});
