import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configOf } from '../../test/kit/config-text.ts';
import { makeStateDir } from '../../test/kit/state-dir.ts';
import { createVirtualClock } from '../../test/kit/virtual-clock.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import type { Outcome } from '../core/failure/outcome.ts';
import type { Discovered } from '../prober/discover.ts';
import { createCatalogueKeeper } from './catalogue.ts';
import { createSavedCatalogue } from './saved-catalogue.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

const textOf = ({ port = 9001, mode = '', models = '' }: { port?: number; mode?: string; models?: string } = {}) => `
providers:
  a: { protocol: openai-chat, baseUrl: "http://127.0.0.1:${port}/v1", apiKey: key-a, discover: true }
  b: { protocol: openai-chat, baseUrl: "http://127.0.0.1:9002/v1", apiKey: key-b }
  c: { protocol: openai-chat, baseUrl: "http://127.0.0.1:9003/v1", apiKey: key-c }
models:
  main: { targets: [{ discover: { providers: [a, b] } }] }
${models}${mode === '' ? '' : `readiness: { probe: { mode: ${mode} } }`}
`;

type Answer = readonly string[] | Outcome;

function open(folder: string | null = null, startAt = 1_700_000_000_000) {
  const clock = createVirtualClock(startAt);
  const notices: { level: string; message: string; fields: unknown }[] = [];
  const failures: string[] = [];
  const asks: { readonly at: number; readonly names: readonly string[]; readonly deadlineAt: number }[] = [];
  const answers = new Map<string, Answer>();
  const seen: RuntimeConfig[] = [];
  const telemetry = {
    notice: (level: string, message: string, fields?: unknown) => void notices.push({ level, message, fields }),
    discoveryFailed: ({ provider, reason }: { provider: string; reason: string }) =>
      void failures.push(`${provider} ${reason}`),
  };
  const keeper = createCatalogueKeeper({
    clock,
    telemetry,
    saved: folder === null ? null : createSavedCatalogue(folder, telemetry),
    ask: async (providers, deadlineAt) => {
      asks.push({
        at: clock.now() - startAt,
        names: providers.map(({ name }) => name),
        deadlineAt: deadlineAt - startAt,
      });
      await new Promise<void>((resolve) => void clock.setTimer(SECOND, resolve));
      return providers.map(({ name }): Discovered => {
        const answer = answers.get(name) ?? 'connect_error';
        return typeof answer === 'string'
          ? { provider: name, ok: false, reason: answer }
          : { provider: name, ok: true, models: answer.map((id) => ({ id, price: 'unknown' })), leftOut: 1 };
      });
    },
    onChange: (config) => void seen.push(config),
  });
  return { clock, keeper, asks, answers, seen, notices, failures };
}

const targetsOf = (config: RuntimeConfig | undefined) => config?.models.get('main')?.targets.map(({ id }) => id);

describe('the lists of providers', () => {
  it('are asked for at the start, and become targets', async () => {
    const { clock, keeper, asks, answers, seen, failures, notices } = open();
    answers.set('a', ['x', 'y']).set('b', 'auth');
    const first = keeper.take(configOf(textOf()));
    expect(first.models.get('main')).toMatchObject({ targets: [], isAwaited: true });
    keeper.start();
    await clock.advanceAsync(SECOND);
    expect(asks).toEqual([{ at: 0, names: ['a', 'b'], deadlineAt: 10 * SECOND }]);
    expect(seen.map(targetsOf)).toEqual([['a/x', 'a/y']]);
    expect(seen[0]?.listed?.get('a')?.size).toBe(2);
    expect(failures).toEqual(['b auth']);
    expect(notices).toEqual([
      { level: 'info', message: 'a provider has listed its models', fields: { provider: 'a', models: 2, left_out: 1 } },
    ]);
    keeper.close();
  });

  it('of those that fail stay as they were, with their age and a word', async () => {
    const { clock, keeper, answers, seen } = open();
    answers.set('a', ['x']).set('b', ['z']);
    keeper.take(configOf(textOf()));
    const now = await Promise.all([keeper.discover(clock.now() + MINUTE), clock.advanceAsync(SECOND)]);
    expect(now[0]).toEqual([
      { provider: 'a', discovered: 1, age_ms: 0 },
      { provider: 'b', discovered: 1, age_ms: 0 },
      { provider: 'c', discovered: null },
    ]);
    answers.set('a', 'server_error').set('b', ['z', 'w']);
    await clock.advanceAsync(MINUTE);
    const [later] = await Promise.all([keeper.discover(clock.now() + MINUTE), clock.advanceAsync(SECOND)]);
    expect(later).toEqual([
      { provider: 'a', discovered: 1, error: 'server_error', age_ms: MINUTE + SECOND },
      { provider: 'b', discovered: 2, age_ms: 0 },
      { provider: 'c', discovered: null },
    ]);
    expect(targetsOf(seen.at(-1))).toEqual(['a/x', 'b/z', 'b/w']);
  });

  it('are no news while they name the same models, in whatever order', async () => {
    const { clock, keeper, answers, seen, asks } = open();
    answers.set('a', ['x', 'y', 'z']).set('b', []);
    keeper.take(configOf(textOf()));
    keeper.start();
    await clock.advanceAsync(SECOND);
    answers.set('a', ['z', 'x', 'y']);
    await clock.advanceAsync(11 * MINUTE);
    expect(asks.length).toBe(2);
    expect(seen).toHaveLength(1);
    answers.set('a', ['z', 'x', 'y', 'new']);
    await clock.advanceAsync(11 * MINUTE);
    expect(seen).toHaveLength(2);
    keeper.close();
  });

  it('that never came are asked for again and again, less and less often', async () => {
    const { clock, keeper, answers, asks, seen } = open();
    answers.set('a', ['x']);
    keeper.take(configOf(textOf({ mode: 'off' })));
    keeper.start();
    await clock.advanceAsync(2 * MINUTE);
    expect(asks.map(({ at, names }) => `${at / SECOND} ${names.join()}`)).toEqual(['0 a,b', '16 b', '47 b', '108 b']);
    answers.set('b', ['z']);
    await clock.advanceAsync(60 * MINUTE);
    expect(asks.length).toBe(5);
    expect(targetsOf(seen.at(-1))).toEqual(['a/x', 'b/z']);
    expect(clock.pending).toBe(0);
  });

  it('are asked for by rounds as well, but not twice in a moment', async () => {
    const { clock, keeper, answers, asks } = open();
    answers.set('a', ['x']).set('b', ['z']);
    keeper.take(configOf(textOf({ mode: 'full' })));
    keeper.start();
    const round = keeper.discover(clock.now() + 40 * SECOND);
    await clock.advanceAsync(SECOND);
    expect(await round).toMatchObject([{ discovered: 1 }, { discovered: 1 }, { discovered: null }]);
    expect(await keeper.discover(clock.now() + 40 * SECOND)).toMatchObject([{ age_ms: 0 }, {}, {}]);
    expect(asks).toHaveLength(1);
    await clock.advanceAsync(10 * SECOND);
    void keeper.discover(clock.now() + 40 * SECOND);
    await clock.advanceAsync(SECOND);
    expect(asks.at(-1)).toEqual({ at: 11 * SECOND, names: ['a', 'b'], deadlineAt: 51 * SECOND });
    keeper.close();
  });

  it('are asked for with probes off at the start and after a change of the file, and not by rounds', async () => {
    const { clock, keeper, answers, asks } = open();
    answers.set('a', ['x']).set('b', ['z']);
    keeper.take(configOf(textOf({ mode: 'off' })));
    keeper.start();
    await clock.advanceAsync(60 * MINUTE);
    void keeper.discover(clock.now() + MINUTE);
    await clock.advanceAsync(60 * MINUTE);
    expect(asks).toHaveLength(1);
    keeper.take(configOf(textOf({ mode: 'off' })));
    await clock.advanceAsync(SECOND);
    expect(asks).toHaveLength(2);
    expect(clock.pending).toBe(0);
  });

  it('outlive a change of the file, but for those of providers that are others now', async () => {
    const { clock, keeper, answers, seen, asks } = open();
    answers.set('a', ['x']).set('b', ['z']);
    keeper.take(configOf(textOf()));
    keeper.start();
    await clock.advanceAsync(SECOND);
    expect(targetsOf(keeper.take(configOf(textOf({ models: '  more: { targets: [c/y] }\n' }))))).toEqual([
      'a/x',
      'b/z',
    ]);
    await clock.advanceAsync(SECOND);
    answers.set('a', ['new']);
    expect(targetsOf(keeper.take(configOf(textOf({ port: 9009 }))))).toEqual(['b/z']);
    await clock.advanceAsync(SECOND);
    expect(targetsOf(seen.at(-1))).toEqual(['a/new', 'b/z']);
    expect(asks).toHaveLength(3);
    keeper.close();
  });

  it('that were asked of somebody who is another by now are not taken', async () => {
    const { clock, keeper, answers, seen, asks } = open();
    answers.set('a', ['old']).set('b', ['z']);
    keeper.take(configOf(textOf()));
    keeper.start();
    await clock.advanceAsync(SECOND / 2);
    keeper.take(configOf(textOf({ port: 9009 })));
    await clock.advanceAsync(SECOND / 2);
    expect(seen.map(targetsOf)).toEqual([['b/z']]);
    answers.set('a', ['new']);
    await clock.advanceAsync(SECOND);
    expect(asks.map(({ names }) => names)).toEqual([['a', 'b'], ['a']]);
    expect(targetsOf(seen.at(-1))).toEqual(['a/new', 'b/z']);
    keeper.close();
  });

  it('come to nobody who has gone, and trouble nobody who wants none', async () => {
    const { clock, keeper, answers, seen, failures } = open();
    answers.set('a', ['x']);
    keeper.take(configOf(textOf()));
    keeper.start();
    keeper.close();
    await clock.advanceAsync(MINUTE);
    expect([seen, failures]).toEqual([[], []]);
    expect(clock.pending).toBe(0);
    const other = open();
    other.keeper.take(configOf('providers: { a: { preset: ollama } }\nmodels: { main: { targets: [a/x] } }'));
    other.keeper.start();
    await other.clock.advanceAsync(60 * MINUTE);
    expect(other.asks).toEqual([]);
  });
});

describe('lists in the state directory', () => {
  it('serve a restart at once', async () => {
    const folder = makeStateDir();
    const first = open(folder);
    first.answers.set('a', ['x']).set('b', 'auth');
    first.keeper.take(configOf(textOf()));
    first.keeper.start();
    await first.clock.advanceAsync(SECOND);
    first.keeper.close();
    const file = join(folder, 'catalogue.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain('127.0.0.1');
    const second = open(folder, first.clock.now() + MINUTE);
    expect(targetsOf(second.keeper.take(configOf(textOf())))).toEqual(['a/x']);
    const [report] = await Promise.all([second.keeper.discover(second.clock.now()), second.clock.advanceAsync(SECOND)]);
    expect(report[0]).toEqual({ provider: 'a', discovered: 1, error: 'connect_error', age_ms: MINUTE + SECOND });
    // Another address is another provider.
    expect(targetsOf(open(folder).keeper.take(configOf(textOf({ port: 9009 }))))).toEqual([]);
  });

  it.each([
    ['no JSON', '{'],
    ['another file', '{"contract":"understudy-health-v1","providers":{}}'],
    ['nothing of use', '{"contract":"understudy-catalogue-v1","providers":[1]}'],
    ['null', 'null'],
  ])('that are %s cost nothing but themselves', (_, text) => {
    const folder = makeStateDir();
    writeFileSync(join(folder, 'catalogue.json'), text);
    expect(targetsOf(open(folder).keeper.take(configOf(textOf())))).toEqual([]);
  });

  it('that can not be written are told of once', async () => {
    const { clock, keeper, answers, notices, seen } = open('/proc/nowhere');
    answers.set('a', ['x']).set('b', ['z']);
    keeper.take(configOf(textOf()));
    keeper.start();
    await clock.advanceAsync(25 * MINUTE);
    expect(targetsOf(seen.at(-1))).toEqual(['a/x', 'b/z']);
    expect(notices.filter(({ level }) => level === 'warn')).toHaveLength(1);
    keeper.close();
  });
});
