import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createTurnMemory, MANNERS, mannerOf, showsSign } from './manners.ts';

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

  it('all names of a conversation count together', () => {
    const memory = createTurnMemory();
    const turn = (id: string, headers: Readonly<Record<string, string>>) =>
      memory.recognise({ ...clues, id, headers }).turn;
    expect(turn('r1', { 'session-id': 's', 'thread-id': 't' })).toBe('r1');
    expect(turn('r2', { 'session-id': 's', 'thread-id': 'u' })).toBe('r2');
    expect(turn('r3', { 'session-id': 's', 'thread-id': 't' })).toBe('r1');
  });

  it('nothing tells: no turn', () => {
    expect(createTurnMemory().recognise({ ...clues, id: 'r1', headers: {} })).toEqual({
      turn: null,
      isClientRetry: false,
    });
  });
});

describe('manners', () => {
  it.each([
    ['originator', 'codex_cli_rs', 'codex'],
    ['x-stainless-retry-count', '2', 'repeats'],
    ['x-stainless-retry-count', '0', 'counts_tries'],
    ['x-client-request-id', 'r', 'names_turn'],
    ['x-claude-code-session-id', 's', 'names_turn'],
    ['thread-id', 't', 'names_turn'],
    ['anthropic-version', '2023-06-01', 'reads_anthropic'],
  ] as const)('%s: %s shows %s', (header, value, sign) => {
    expect(showsSign({ [header]: value }, sign)).toBe(true);
    expect(showsSign({}, sign)).toBe(false);
  });

  it('others show nothing', () => {
    expect(mannerOf({ originator: 'my-codex' })).toBeNull();
    expect(mannerOf({ originator: 'Codex' })).toBe('codex');
    expect(showsSign({ 'x-stainless-retry-count': '0' }, 'repeats')).toBe(false);
    expect(showsSign({ 'session-id': ' ' }, 'names_turn')).toBe(false);
  });

  it('are numbered as the page numbers them', () => {
    const page = readFileSync(new URL('../../docs/clients.md', import.meta.url), 'utf8').split('## Manners')[1] ?? '';
    expect(MANNERS.filter(({ manner }) => !page.includes(`\n${manner}. **`))).toEqual([]);
  });
});
