import { afterEach, describe, expect, it } from 'vitest';
import type { BenchOptions } from '../../test/kit/bench-call.ts';
import { createEngineBench, type EngineBench } from '../../test/kit/engine-bench.ts';
import { HOUR } from '../../test/kit/health-fixtures.ts';
import { STOP, said, start, stop } from '../../test/kit/messages-stream.ts';
import { anthropicMessages } from '../protocol/anthropic-messages/index.ts';
import { concatBytes, decodeUtf8 } from '../protocol/json/index.ts';
import type { Play } from '../simulate/world/network.ts';

let bench: EngineBench;
afterEach(() => bench.quiet());

const target = (id: string, capabilities = {}) => ({ id, protocol: 'anthropic-messages' as const, capabilities });

const open = (options: BenchOptions = {}): EngineBench => {
  bench = createEngineBench({ codec: anthropicMessages, targets: [target('a'), target('b')], ...options });
  return bench;
};

const says = (words: string): Play => ({ body: [start() + said(words), stop() + STOP] });

const refuses = (message: string, status = 400): Play => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: [JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } })],
});

const BETAS = { 'anthropic-beta': 'claude-code-20250219,prompt-caching-scope-2026-01-05' };
const VERTEX = refuses(
  'Unexpected value(s) `prompt-caching-scope-2026-01-05` for the `anthropic-beta` header. Please consult our documentation at docs.anthropic.com or try again without the header.',
);
const FIELD = refuses('context_management: Extra inputs are not permitted');
const BODY = { max_tokens: 9, context_management: { edits: [] }, tools: [{ name: 'f', input_schema: {} }] };

/** What the n-th send had: its flags, and its body. */
const sent = (n: number) => {
  const request = bench.http.sends[n]?.request;
  const body = decodeUtf8(concatBytes(request?.body ?? []));
  return { betas: request?.headers['anthropic-beta'], body, host: request?.origin.slice(8, 9) };
};

describe('a part of the request that the target refuses', () => {
  it('a flag: the same target once without it, and from then on at once', async () => {
    open().play('a', VERTEX, says('A'));
    const first = await bench.run({ forward: BETAS });
    expect(first.outcomes).toEqual(['unsupported_capability', 'ok']);
    expect(first.client.text).toContain('A');
    expect([sent(0).betas, sent(1).betas]).toEqual([BETAS['anthropic-beta'], 'claude-code-20250219']);
    expect(sent(1).host).toBe('a');
    expect(first.attempts.map(({ why }) => why)).toEqual([
      'first in plan',
      'again without anthropic-beta prompt-caching-scope-2026-01-05; left out: anthropic-beta prompt-caching-scope-2026-01-05',
    ]);
    expect(first.ledger.ended?.edits).toEqual(['request_parts_left_out']);

    const second = await bench.run({ forward: BETAS });
    expect(second.outcomes).toEqual(['ok']);
    expect(sent(2).betas).toBe('claude-code-20250219');
    expect(second.attempts[0]?.why).toBe('first in plan; left out: anthropic-beta prompt-caching-scope-2026-01-05');
    expect(bench.word('a')).toBe('ready');
  });

  it('the last flag: no header is left', async () => {
    open().play('a', refuses('invalid beta flag'), says('A'));
    await bench.run({ forward: BETAS });
    expect(bench.http.sends[1]?.request.headers).not.toHaveProperty('anthropic-beta');
  });

  it('one after the other, each once', async () => {
    open().play('a', VERTEX, FIELD, refuses('tools.0.custom.defer_loading: Extra inputs are not permitted'), says('A'));
    const tools = [{ name: 'f', defer_loading: true }];
    const asked = await bench.run({ forward: BETAS, body: { ...BODY, tools } });
    expect(asked.outcomes).toEqual([...Array(3).fill('unsupported_capability'), 'ok']);
    expect(sent(2).body).not.toContain('context_management');
    expect(sent(3)).toMatchObject({ betas: 'claude-code-20250219', host: 'a' });
    expect(JSON.parse(sent(3).body)).toEqual({
      model: 'm',
      stream: true,
      messages: [{ role: 'user', content: 'hi' }],
      max_tokens: 9,
      tools: [{ name: 'f' }],
    });
  });

  it('who refuses again what was left out gets no third request: the next target does', async () => {
    open().play('a', FIELD);
    bench.play('b', says('B'));
    const asked = await bench.run({ body: BODY });
    expect(asked.outcomes).toEqual(['unsupported_capability', 'unsupported_capability', 'ok']);
    expect(sent(2).host).toBe('b');
    // What one target refuses says nothing of another.
    expect(sent(2).body).toContain('context_management');
  });

  it('what is needed is never left out: the next target is asked', async () => {
    open().play('a', refuses('tools: Extra inputs are not permitted'));
    bench.play('b', says('B'));
    const asked = await bench.run({ body: BODY });
    expect(asked.outcomes).toEqual(['unsupported_capability', 'ok']);
    expect(sent(1)).toMatchObject({ host: 'b' });
    expect(sent(1).body).toContain('"tools"');
  });

  it('is asked for again after a day', async () => {
    open().play('a', FIELD, says('A'));
    await bench.run({ body: BODY });
    await bench.pass(25 * HOUR);
    await bench.run({ body: BODY });
    expect(sent(2).body).toContain('context_management');
  });

  it('the version of the protocol too: every provider knows the older one', async () => {
    open().play('a', refuses('anthropic-version: "2026-10-21" is not a valid version'), says('A'));
    await bench.run({ headers: { 'anthropic-version': '2026-10-21' } });
    expect(bench.http.sends.map(({ request }) => request.headers['anthropic-version'])).toEqual([
      '2026-10-21',
      '2023-06-01',
    ]);
  });

  it('with the failover off, the client hears of it', async () => {
    open().play('a', FIELD);
    const asked = await bench.run({ body: BODY, failover: false });
    expect(asked.outcomes).toEqual(['unsupported_capability']);
    expect(asked.client.status).toBe(400);
  });
});

describe('what is learnt of a target', () => {
  const GOOD = { 'anthropic-beta': 'claude-code-20250219,context-1m-2025-08-07' };
  const named = (flag: string) => refuses(`Unexpected value(s) \`${flag}\` for the \`anthropic-beta\` header.`);

  it.each([
    ['without a hyphen', 'foo'],
    ['long', `x-${'y'.repeat(100)}`],
    ['in capitals', 'Foo.Bar_1'],
  ])("one client's bad flag, %s, is nobody else's", async (_, flag) => {
    open().play('a', named(flag.toLowerCase()), says('A'));
    const bad = { 'anthropic-beta': `${flag},claude-code-20250219` };
    expect((await bench.run({ key: 'one', forward: bad })).outcomes).toEqual(['unsupported_capability', 'ok']);
    expect(sent(1).betas).toBe('claude-code-20250219');
    expect((await bench.run({ key: 'two', forward: GOOD })).outcomes).toEqual(['ok']);
    expect(sent(2).betas).toBe(GOOD['anthropic-beta']);
    await bench.run({ key: 'one', forward: bad });
    expect(sent(3).betas).toBe('claude-code-20250219');
  });

  it('of flags that were refused without a name: they are not sent together again, and others are', async () => {
    open().play('a', refuses('invalid beta flag'), says('A'));
    const bad = { 'anthropic-beta': 'claude-code-20250219,bad' };
    expect((await bench.run({ key: 'one', forward: bad })).outcomes).toEqual(['unsupported_capability', 'ok']);
    await bench.run({ key: 'one', forward: { 'anthropic-beta': 'bad,claude-code-20250219,more-1' } });
    await bench.run({ key: 'two', forward: GOOD });
    expect([1, 2, 3].map((n) => sent(n).betas)).toEqual([undefined, 'more-1', GOOD['anthropic-beta']]);
  });

  it.each([
    ['flags without a name', refuses('invalid beta flag')],
    ['a flag', named('prompt-caching-scope-2026-01-05')],
    ['a field', FIELD],
  ])('is nothing while the repeat proves nothing: %s', async (_, refusal) => {
    open().play('a', refusal, refuses('down', 503), says('A'));
    bench.play('b', says('B'));
    const asked = await bench.run({ forward: BETAS, body: BODY });
    expect(asked.outcomes).toEqual(['unsupported_capability', 'server_error', 'ok']);
    expect((await bench.run({ forward: BETAS, body: BODY })).outcomes).toEqual(['ok']);
    expect(sent(3)).toMatchObject({ betas: BETAS['anthropic-beta'], host: 'a' });
    expect(sent(3).body).toContain('context_management');
  });

  it('is nothing of what is refused again', async () => {
    open().play('a', FIELD, FIELD, says('A'));
    bench.play('b', says('B'));
    await bench.run({ body: BODY });
    await bench.run({ body: BODY });
    expect(sent(3).host).toBe('a');
    expect(sent(3).body).toContain('context_management');
  });

  it('is nothing where the names are of flags that were not sent: one repeat without any', async () => {
    open().play('a', named('other-1'), says('A'));
    expect((await bench.run({ forward: BETAS })).outcomes).toEqual(['unsupported_capability', 'ok']);
    await bench.run({ forward: BETAS });
    expect([1, 2].map((n) => sent(n).betas)).toEqual([undefined, BETAS['anthropic-beta']]);
  });

  it('is no loss of the prompt cache: a mark that is refused in one place says nothing of others', async () => {
    const mark = { cache_control: { type: 'ephemeral' } };
    const body = { max_tokens: 9, system: [{ type: 'text', text: 's', ...mark }] };
    open().play('a', refuses('system.0.cache_control: Extra inputs are not permitted'), says('A'));
    expect((await bench.run({ body })).outcomes).toEqual(['unsupported_capability', 'ok']);
    expect(sent(1).body).not.toContain('cache_control');
    await bench.run({ body });
    expect(sent(2).body).toContain('cache_control');
  });

  it('where nothing that was sent can go, the next target is asked at once', async () => {
    open().play('a', refuses('invalid beta flag'));
    bench.play('b', says('B'));
    expect((await bench.run()).outcomes).toEqual(['unsupported_capability', 'ok']);
    expect(sent(1).host).toBe('b');
  });
});

describe('what the client hears of a refused part', () => {
  const told = async (more: object = {}, options: BenchOptions = {}): Promise<string> => {
    open({ targets: [target('a')], ...options }).play('a', FIELD);
    return (await bench.run({ body: BODY, ...more })).error?.message ?? '';
  };

  it('its name, wherever it ends', async () => {
    const name = 'No target of this model can do what the request needs: context_management.';
    expect(await told({ failover: false })).toBe(name);
    expect(await told({}, { settings: { retry: { maxAttempts: 1 } } })).toBe(name);
    expect(await told()).toBe(name);
  });

  it('of a flag, of what is needed, and of a value', async () => {
    const hears = async (message: string): Promise<string> => {
      open({ targets: [target('a')] }).play('a', refuses(message));
      return (await bench.run({ forward: BETAS, failover: false })).error?.message ?? '';
    };
    expect(await hears('Unsupported beta header: claude-code-20250219')).toContain(
      ': anthropic-beta claude-code-20250219.',
    );
    expect(await hears('invalid beta flag')).toContain(': anthropic-beta claude-code-20250219,prompt-caching-scope');
    expect(await hears('tools: Extra inputs are not permitted')).toContain(': tools.');
    const thinking = "thinking: Input tag 'adaptive' found using 'type' does not match any of the expected tags: 'x'";
    expect(await hears(thinking)).toContain(': this type of thinking.');
  });
});

describe('what the configuration says that a target takes', () => {
  it('decides from the first request on', async () => {
    open({ targets: [target('a', { betas: ['claude-code-20250219'], leaveOut: ['context_management'] })] });
    bench.play('a', says('A'));
    const asked = await bench.run({ forward: BETAS, body: BODY });
    expect(asked.outcomes).toEqual(['ok']);
    expect(sent(0).betas).toBe('claude-code-20250219');
    expect(sent(0).body).not.toContain('context_management');
    expect(asked.attempts[0]?.why).toBe(
      'first in plan; left out: anthropic-beta prompt-caching-scope-2026-01-05, context_management',
    );
  });

  it('stands above what was refused; the request itself goes on without it', async () => {
    const flag = 'prompt-caching-scope-2026-01-05';
    open({ targets: [target('a', { betas: [flag] })] }).play('a', VERTEX, says('A'));
    for (const n of [0, 2]) {
      if (n === 2) bench.play('a', VERTEX, says('A'));
      expect((await bench.run({ forward: BETAS })).outcomes).toEqual(['unsupported_capability', 'ok']);
      expect(sent(n).betas).toBe(flag);
      expect(sent(n + 1).betas).toBeUndefined();
    }
  });
});

describe('thoughts of another issuer', () => {
  const THOUGHT = { type: 'thinking', thinking: 't', signature: 'SIG-A' };
  const HIDDEN = { type: 'redacted_thinking', data: 'DATA-A' };
  const messages = [
    { role: 'user', content: 'q' },
    { role: 'assistant', content: [THOUGHT, HIDDEN, { type: 'text', text: 'x' }] },
    { role: 'user', content: 'go' },
  ];

  it('stay with who was asked first, and go to nobody else', async () => {
    open().play('a', refuses('down', 503));
    bench.play('b', says('B'));
    expect((await bench.run({ body: { messages } })).outcomes).toEqual(['server_error', 'ok']);
    expect(sent(0).body).toContain('SIG-A');
    expect(sent(1).body).not.toMatch(/SIG-A|DATA-A/);
    expect(sent(1).body).toContain('[{"type":"text","text":"x"}]');
  });

  it('once they are refused: the same target once without them, then the next', async () => {
    open().play('a', refuses('messages.1.content.0: Invalid `signature` in `thinking` block'), refuses('down', 503));
    bench.play('b', says('B'));
    const asked = await bench.run({ body: { messages } });
    expect(asked.outcomes).toEqual(['incompatible_history', 'server_error', 'ok']);
    expect([sent(1), sent(2)].map(({ host, body }) => [host, body.includes('SIG-A')])).toEqual([
      ['a', false],
      ['b', false],
    ]);
  });
});
