import { describe, expect, it } from 'vitest';
import { configOf } from '../../test/kit/config-text.ts';
import { createVirtualClock, type VirtualClock } from '../../test/kit/virtual-clock.ts';
import type { TransportError } from '../core/failure/signal.ts';
import type { Headers } from '../core/model/protocol.ts';
import type { HttpClient, HttpRequest } from '../port/http-client.ts';
import { CODECS } from '../protocol/index.ts';
import { MODEL_LISTS } from '../protocol/model-lists.ts';
import { discover, LIST_LIMIT_MS } from './discover.ts';
import { MAX_LIST_BYTES, MAX_LIST_MODELS } from './list-models.ts';

/** What one request gets. Silence behind what is not said. */
type Script = {
  readonly failure?: TransportError;
  readonly afterMs?: number;
  readonly isSent?: boolean;
  readonly status?: number;
  readonly headers?: Headers;
  readonly body?: string;
  /** The body goes on like this for ever. */
  readonly flood?: string;
  /** The body does not end. */
  readonly hangs?: boolean;
};

type Wire = { readonly http: Pick<HttpClient, 'send'>; readonly asked: HttpRequest[]; aborted(): number };

/** Answers by origin and key: the first that fits of `scripts`. */
function createWire(clock: VirtualClock, answer: (request: HttpRequest, n: number) => Script): Wire {
  const asked: HttpRequest[] = [];
  let aborted = 0;
  const send: HttpClient['send'] = (request, handler) => {
    asked.push(request);
    const script = answer(request, asked.length);
    let isOver = false;
    const play = (): void => {
      if (isOver) return;
      const fail = (): void => {
        if (script.failure !== undefined)
          handler.onFailure({ error: script.failure, detail: 'x', reusedSocket: false });
      };
      if (script.failure !== undefined && script.status === undefined) {
        fail();
        return;
      }
      if (script.isSent === false) return;
      handler.onSent();
      if (script.status === undefined) return;
      handler.onHead(script.status, script.headers ?? {});
      if (script.body !== undefined) handler.onData(new TextEncoder().encode(script.body));
      const flood = new TextEncoder().encode(script.flood ?? '');
      const floods = flood.length > 0 ? 100_000 : 0;
      for (let n = 0; n < floods; n++) {
        if (isOver) return;
        handler.onData(flood);
      }
      if (isOver || script.hangs === true) return;
      if (script.failure === undefined) handler.onEnd();
      else fail();
    };
    clock.setTimer(script.afterMs ?? 1, play);
    return {
      abort() {
        isOver = true;
        aborted++;
      },
      pause() {},
      resume() {},
    };
  };
  return { http: { send }, asked, aborted: () => aborted };
}

const CONFIG = `
providers:
  openai: { preset: openai, apiKey: key-openai }
  claude: { preset: anthropic, apiKey: key-claude, headers: { x-team: blue } }
  google: { preset: gemini, apiKey: key-google }
  pool: { preset: groq, credentials: [{ name: a, apiKey: key-a }, { name: b, apiKey: key-b }, { name: c, apiKey: key-c }] }
  home: { preset: ollama }
models: { m: { targets: [openai/x] } }
`;
const { providers } = configOf(CONFIG);
const PROVIDER = (name: string) => {
  const provider = providers.get(name);
  if (provider === undefined) throw new Error(name);
  return provider;
};

const list = (...ids: readonly string[]): string => JSON.stringify({ data: ids.map((id) => ({ id })) });

async function run(
  names: readonly string[],
  answer: (request: HttpRequest, n: number) => Script,
  { deadlineMs = 60_000, cleanName = (name: string) => name } = {},
) {
  const clock = createVirtualClock(1_000_000);
  const wire = createWire(clock, answer);
  const ports = { ...wire, clock, lists: MODEL_LISTS, codecs: CODECS, failureRows: () => [], cleanName };
  const startedAt = clock.now();
  let endedAt = Number.NaN;
  const found = discover(names.map(PROVIDER), startedAt + deadlineMs, ports).then((result) => {
    endedAt = clock.now();
    return result;
  });
  await clock.advanceAsync(120_000);
  expect(clock.pending).toBe(0);
  return { found: await found, ms: endedAt - startedAt, asked: wire.asked, aborted: wire.aborted() };
}

const wordOf = (found: Awaited<ReturnType<typeof run>>['found']) =>
  found.map((each) => (each.ok ? each.models.map(({ id }) => id).join(' ') : each.reason));

describe('discovery', () => {
  it('asks each in its own way', async () => {
    const { found, asked, ms } = await run(['openai', 'claude', 'google', 'home'], ({ origin }) => ({
      status: 200,
      body: origin.includes('google') ? '{"models":[{"name":"models/g"}]}' : list('m'),
    }));
    expect(wordOf(found)).toEqual(['m', 'm', 'g', 'm']);
    expect(found.map(({ provider }) => provider)).toEqual(['openai', 'claude', 'google', 'home']);
    expect(ms).toBe(1);
    const seen = asked.map(({ origin, path, method, headers, freshSocket }) => ({
      url: `${method} ${origin}${path}`,
      headers,
      freshSocket,
    }));
    const accept = 'application/json';
    expect(seen).toEqual([
      {
        url: 'GET https://api.openai.com:443/v1/models',
        headers: { accept, authorization: 'Bearer key-openai' },
        freshSocket: true,
      },
      {
        url: 'GET https://api.anthropic.com:443/v1/models?limit=1000',
        headers: { accept, 'anthropic-version': '2023-06-01', 'x-team': 'blue', 'x-api-key': 'key-claude' },
        freshSocket: true,
      },
      {
        url: 'GET https://generativelanguage.googleapis.com:443/v1beta/models?pageSize=1000',
        headers: { accept, 'x-goog-api-key': 'key-google' },
        freshSocket: true,
      },
      { url: 'GET http://localhost:11434/v1/models', headers: { accept }, freshSocket: true },
    ]);
    expect(asked.every(({ body }) => body.length === 0)).toBe(true);
  });

  it('is held up by nobody: who is silent has ten seconds, and the others their lists', async () => {
    const { found, ms, aborted } = await run(['openai', 'claude', 'google', 'home'], ({ origin }) => {
      if (origin.includes('openai')) return { isSent: false };
      if (origin.includes('anthropic')) return {};
      if (origin.includes('google')) return { status: 200, body: '{"models":[', hangs: true };
      return { status: 200, body: list('llama3.3') };
    });
    expect(wordOf(found)).toEqual(['timeout_connect', 'timeout_headers', 'timeout_whole', 'llama3.3']);
    expect(ms).toBe(LIST_LIMIT_MS);
    expect(aborted).toBe(3);
  });

  it("ends at the round's own end", async () => {
    const { found, ms } = await run(['openai', 'home'], () => ({}), { deadlineMs: 2500 });
    expect(wordOf(found)).toEqual(['timeout_headers', 'timeout_headers']);
    expect(ms).toBe(2500);
    const late = await run(['openai'], () => ({ status: 200, body: list('m') }), { deadlineMs: 0 });
    expect(wordOf(late.found)).toEqual(['timeout_total']);
    expect(late.asked).toEqual([]);
  });

  const words: readonly (readonly [what: string, script: Script, word: string])[] = [
    ['a refused key', { status: 401, body: '{"error":{"message":"Incorrect API key: sk-leak"}}' }, 'auth'],
    ['no leave', { status: 403, body: '{}' }, 'permission'],
    ['no money', { status: 402, body: '{}' }, 'billing'],
    ['a limit', { status: 429, body: '{}' }, 'rate_limited'],
    ['a fault', { status: 500, body: 'oops' }, 'server_error'],
    ['an overload', { status: 529, body: '' }, 'overloaded'],
    ['a gateway that is alone', { status: 502, body: '<html>' }, 'bad_gateway'],
    ['no list', { status: 404, body: '{}' }, 'protocol_error'],
    ['a redirect', { status: 302, headers: { location: 'http://169.254.169.254/' }, body: '' }, 'protocol_error'],
    ['a page for people', { status: 200, body: '<html><body>Sign in</body></html>' }, 'protocol_error'],
    ['an error in a good answer', { status: 200, body: '{"error":{"message":"no"}}' }, 'protocol_error'],
    ['no connection', { failure: 'refused' }, 'connect_error'],
    ['no name', { failure: 'dns' }, 'connect_error'],
    ['a cut', { status: 200, body: '{"data":[', failure: 'reset' }, 'connect_error'],
    ['a list without end', { status: 200, body: '{"data":[', flood: ' '.repeat(1024 * 1024) }, 'protocol_error'],
    ['an error without end', { status: 503, flood: 'x'.repeat(60_000) }, 'server_error'],
  ];

  it.each(words)('tells %s in a word', async (_, script, word) => {
    const { found, asked } = await run(['openai', 'home'], ({ origin }) =>
      origin.includes('openai') ? script : { status: 200, body: list('m') },
    );
    expect(found).toEqual([
      { provider: 'openai', ok: false, reason: word },
      { provider: 'home', ok: true, models: [{ id: 'm', price: 'unknown' }], leftOut: 0 },
    ]);
    expect(asked).toHaveLength(2);
  });

  it("tells Google's way of refusing a key", async () => {
    const error = { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' };
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }];
    const { found } = await run(['google'], () => ({
      status: 400,
      body: JSON.stringify({ error: { ...error, details } }),
    }));
    expect(wordOf(found)).toEqual(['auth']);
  });

  it('goes to the next key where one may not, and only there', async () => {
    const keyOf = ({ headers }: HttpRequest) => headers['authorization']?.replace('Bearer ', '');
    const statuses: Readonly<Record<string, number>> = { 'key-a': 401, 'key-b': 429, 'key-c': 200 };
    const pool = await run(['pool'], (request) => ({ status: statuses[keyOf(request) ?? ''] ?? 500, body: list('m') }));
    expect(wordOf(pool.found)).toEqual(['m']);
    expect(pool.asked.map(keyOf)).toEqual(['key-a', 'key-b', 'key-c']);
    const none = await run(['pool'], (request) => ({ status: keyOf(request) === 'key-c' ? 403 : 401, body: '{}' }));
    expect(wordOf(none.found)).toEqual(['permission']);
    const down = await run(['pool'], () => ({ failure: 'refused' }));
    expect(down.asked).toHaveLength(1);
  });

  it('reads all pages, and gives no part of a list', async () => {
    const page = (n: number, hasMore: boolean): Script => ({
      status: 200,
      body: JSON.stringify({ data: [{ id: `m-${n}` }, { id: 'twice' }], has_more: hasMore, last_id: `m-${n}` }),
    });
    const whole = await run(['claude'], (_, n) => page(n, n < 3));
    expect(wordOf(whole.found)).toEqual(['m-1 twice m-2 m-3']);
    expect(whole.found[0]).toMatchObject({ leftOut: 2 });
    expect(whole.asked.map(({ path }) => path)).toEqual([
      '/v1/models?limit=1000',
      '/v1/models?limit=1000&after_id=m-1',
      '/v1/models?limit=1000&after_id=m-2',
    ]);
    const cut = await run(['claude'], (_, n) => (n === 1 ? page(n, true) : { status: 500, body: '' }));
    expect(wordOf(cut.found)).toEqual(['server_error']);
    const loop = await run(['claude'], () => page(1, true));
    expect(loop.asked).toHaveLength(2);
    const endless = await run(['claude'], (_, n) => page(n, true));
    expect(endless.asked).toHaveLength(20);
    const long = await run(['claude'], (_, n) => ({
      status: 200,
      body: JSON.stringify({ data: [{ id: `m-${n}` }], has_more: true, last_id: 'x'.repeat(5000) + n }),
    }));
    expect(long.asked).toHaveLength(1);
  });

  it('keeps the bounds of a list over its pages', async () => {
    const many = await run(['claude'], (_, n) => {
      const data = Array.from({ length: 900 }, (_unused, k) => ({ id: `m-${n}-${k}` }));
      return { status: 200, body: JSON.stringify({ data, has_more: true, last_id: `m-${n}` }) };
    });
    expect(many.asked).toHaveLength(3);
    expect(many.found[0]).toMatchObject({ ok: true, leftOut: 2700 - MAX_LIST_MODELS });
    const large = await run(['claude'], (_, n) => {
      const body = JSON.stringify({ data: [{ id: `m-${n}` }], has_more: true, last_id: `m-${n}` });
      return { status: 200, body: body + ' '.repeat(MAX_LIST_BYTES / 2) };
    });
    expect(wordOf(large.found)).toEqual(['protocol_error']);
    expect(large.asked).toHaveLength(2);
  });

  it('lets no secret through that is known', async () => {
    const cleanName = (name: string) => name.replace('hunter2', '[secret]');
    const { found } = await run(['openai'], () => ({ status: 200, body: list('good', 'x-hunter2-y') }), { cleanName });
    expect(found).toEqual([{ provider: 'openai', ok: true, models: [{ id: 'good', price: 'unknown' }], leftOut: 1 }]);
  });
});
