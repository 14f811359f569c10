import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configOf } from '../../../test/kit/config-text.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { checkScenario, estimateWork, fallbackModel, readScript, scriptJsonSchemaText } from './index.ts';
import { BEHAVIOUR_NAMES, NAMED_BEHAVIOURS } from './named-behaviours.ts';

const SCHEMA_FILE = join(import.meta.dirname, '..', '..', '..', 'schema', 'simulate.schema.json');

function scenarioOf(text: string, model: string | null = 'main'): Scenario {
  const read = readScript(text, { model });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.script.scenario;
}

function problemsOf(text: string, model: string | null = 'main'): readonly string[] {
  const read = readScript(text, { model });
  if (read.ok) throw new Error('it was read');
  return read.problems.map(({ line, column, path, message, hint }) => `${line}:${column} ${path} ${message} → ${hint}`);
}

describe('a script', () => {
  it('says in words what a scenario has as numbers', () => {
    const scenario = scenarioOf(`
seed: 7
for: 10m
asks:
  - { rate: 50/s, client: codex, bytes: 64KiB, timeout: 30s, until: 5m }
  - { rate: 300/m, protocol: messages, model: other, stream: false }
providers:
  - { routes: openai/*, until: 10m, share: 20%, sends: 3-, does: { status: 429, retryAfter: 20s } }
  - { routes: "*", flap: { on: 10s, off: 1m }, does: { head: never, stallAfterWords: 20 } }
accounts: [{ account: a/b, rate: 60/m, burst: 4 }]
acts: [{ at: 2m, does: drain }]
stores: [{ port: claims, how: late, delay: 20ms }]
`);
    expect(scenario).toEqual({
      seed: 7,
      config: null,
      forMs: 600_000,
      asks: [
        {
          fromMs: 0,
          untilMs: 300_000,
          model: 'main',
          protocol: 'openai-chat',
          perSecond: 50,
          count: null,
          arrival: 'even',
          shape: { bytes: 65_536, timeoutMs: 30_000 },
          client: { retries: 'codex' },
        },
        {
          fromMs: 0,
          untilMs: null,
          model: 'other',
          protocol: 'anthropic-messages',
          perSecond: 5,
          count: null,
          arrival: 'even',
          shape: { stream: false },
          client: {},
        },
      ],
      providers: [
        {
          fromMs: 0,
          untilMs: 600_000,
          routes: 'openai/*',
          share: 0.2,
          sends: { from: 2, to: null },
          does: { status: 429, retryAfterMs: 20_000 },
        },
        {
          fromMs: 0,
          untilMs: null,
          routes: '*',
          flap: { onMs: 10_000, offMs: 60_000 },
          does: { headMs: null, words: 28, fault: { kind: 'stall', at: 20 } },
        },
      ],
      accounts: [
        { account: 'a/b', perModel: false, perMinute: 60, burst: 4, concurrency: null, total: null, tells: true },
      ],
      acts: [{ atMs: 120_000, does: 'drain' }],
      stores: [{ fromMs: 0, untilMs: null, port: 'claims', how: 'late', ms: 20 }],
    } satisfies Scenario);
  });

  it('needs nothing: ten requests a second for a minute', () => {
    expect(scenarioOf('')).toMatchObject({ seed: 1, forMs: 60_000, asks: [{ model: 'main', perSecond: 10 }] });
    expect(scenarioOf('providers: [{ routes: "*", until: 7m }]').forMs).toBe(420_000);
  });

  it('knows what providers commonly do by words', () => {
    const rows = BEHAVIOUR_NAMES.map((name) => `{ routes: "*", does: ${name} }`);
    const { providers } = scenarioOf(`providers: [${rows.join(', ')}]`);
    expect(providers.map(({ does }) => does)).toEqual(BEHAVIOUR_NAMES.map((name) => NAMED_BEHAVIOURS[name].does));
  });

  const complaints: readonly (readonly [string, string, string])[] = [
    ['an unknown key', 'asks:\n  - { clint: codex }', '2:7 asks[0].clint unknown key "clint" → did you mean "client"?'],
    [
      'a number for a duration',
      'for: 10',
      '1:6 for a duration needs a unit (not 10) → write it with a unit: "10ms" or "10s"',
    ],
    ['a rate without a time', 'asks: [{ rate: 50 }]', '1:16 asks[0].rate a rate needs a time → write "50/s" or "50/m"'],
    [
      'a rate of nothing',
      'asks: [{ rate: 0/s }]',
      '1:16 asks[0].rate must be more than 0 → leave the row out where nobody is to ask',
    ],
    [
      'a rate that is none',
      'asks: [{ rate: .nan }]',
      '1:16 asks[0].rate is no rate (not NaN) → write a number of requests in a time: 50/s, 300/m, 10/h',
    ],
    [
      'a rate without bounds',
      'asks: [{ rate: 1e400/s }]',
      '1:16 asks[0].rate is more than anybody can count (not "1e400/s") → null',
    ],
    [
      'a share above all',
      'providers: [{ routes: a, share: 120% }]',
      '1:33 providers[0].share must be a share (not "120%") → write 20%, or a number from 0 to 1',
    ],
    [
      'sends backwards',
      'providers: [{ routes: a, sends: 9-3 }]',
      '1:33 providers[0].sends ends before it begins → write 3-9',
    ],
    [
      'an unknown behaviour',
      'providers: [{ routes: a, does: silnt }]',
      '1:32 providers[0].does must be answers | down | silent',
    ],
    [
      'two faults',
      'providers: [{ routes: a, does: { stallAfterWords: 2, closeAfterWords: 3 } }]',
      '1:54 providers[0].does.closeAfterWords is a second fault in one answer → keep one of the two',
    ],
    [
      'a status that is none',
      'providers: [{ routes: a, does: { status: 99 } }]',
      '1:42 providers[0].does.status must be a status from 100 to 599, or none (not 99) → null',
    ],
    ['a row without routes', 'providers: [{ does: down }]', '1:13 providers[0].routes is missing → it must be text'],
    ['a span that ends first', 'asks: [{ from: 2m, until: 1m }]', '1:27 asks[0].until ends before it begins → null'],
    [
      'an act on nothing',
      'acts: [{ at: 1m, does: disable }]',
      '1:8 acts[0].id is missing → it names what to disable: provider/model',
    ],
    [
      'a ledger that is late',
      'stores: [{ port: ledger, how: late }]',
      '1:31 stores[0].how must be throws for ledger → only claims can be late',
    ],
    ['a protocol of later', 'asks: [{ protocol: bedrock-converse }]', '1:20 asks[0].protocol must be chat | responses'],
    ['broken YAML', 'asks: [', '1:8  this is no valid YAML'],
    ['a key twice', 'seed: 1\nseed: 2', '2:1  this key stands twice in one map → keep one of the two'],
  ];

  it.each(complaints)('complains about %s, with its place and what to do', (_, text, wanted) => {
    const [first = '', ...more] = problemsOf(text);
    expect(first.startsWith(wanted), first).toBe(true);
    expect(more).toEqual([]);
  });

  it('tells all that is wrong at once, from the top', () => {
    expect(problemsOf('for: 1\nasks: [{ rate: 2 }]\nseed: x').map((text) => text[0])).toEqual(['1', '2', '3']);
  });

  it('asks for a model where the configuration names none', () => {
    expect(problemsOf('asks: [{ rate: 1/s }]', null)[0]).toContain('asks[0].model is missing → several models');
  });
});

describe('a script beside a configuration', () => {
  const config = configOf(
    'providers: { a: { preset: ollama } }\nmodels: { main: { targets: [a/x] }, other: { targets: [a/y] } }',
  );
  const check = (text: string) => {
    const read = readScript(text, { model: 'main' });
    if (!read.ok) throw new Error(JSON.stringify(read.problems));
    return checkScenario(read.script, config);
  };

  it('must ask for models that there are', () => {
    expect(check('asks: [{ model: man }]').problems).toMatchObject([
      { path: 'asks[0].model', line: 1, column: 17, hint: expect.stringContaining('main') },
    ]);
    expect(check('asks: [{ model: other }]').problems).toEqual([]);
  });

  it('is told of rows that say nothing', () => {
    const { notes } = check(`
providers: [{ routes: a/x, does: down }, { routes: b/*, does: down }, { routes: "a/*#default", does: down }]
accounts: [{ account: a/default }, { account: a/second }]
asks: [{ rate: 1/s }, { from: 2m }, { rate: 1/s, from: 5s, until: 5s }]
acts: [{ at: 1s, does: disable, id: a/x }, { at: 1s, does: reset, id: a/z }]
for: 1m`);
    expect(notes.map(({ path }) => path)).toEqual([
      'asks[1]',
      'asks[2]',
      'providers[1].routes',
      'accounts[1].account',
      'acts[1].id',
    ]);
  });

  it('finds the model of asks that name none', () => {
    expect(fallbackModel(config)).toBe(null);
    expect(fallbackModel({ models: new Map([...config.models].slice(0, 1)) })).toBe('main');
    expect(fallbackModel({ models: config.models, defaultModel: 'other' })).toBe('other');
  });

  it('says how much it asks for', () => {
    const work = estimateWork(
      scenarioOf(
        'for: 10s\nasks: [{ rate: 5/s, until: 4s }, { count: 7, bytes: 1KiB }]\nproviders: [{ routes: "*", does: { words: 100 } }]',
      ),
    );
    expect(work).toEqual({
      requests: { amount: 27, heaviest: { list: 'asks', row: 0 } },
      atOnce: { amount: 7, heaviest: { list: 'asks', row: 1 } },
      words: { amount: 2700, heaviest: { list: 'providers', row: 0 } },
      bytes: { amount: 27 * 512 + 7 * 1024, heaviest: { list: 'asks', row: 1 } },
    });
  });

  it('counts what rows ask for at the same moment', () => {
    const { atOnce } = estimateWork(
      scenarioOf('asks: [{ count: 9, from: 2s }, { count: 5 }, { count: 7 }, { rate: 1/s }]'),
    );
    expect(atOnce).toEqual({ amount: 12, heaviest: { list: 'asks', row: 1 } });
  });
});

describe('the published schema of scripts', () => {
  it('is the one that the code makes', () => {
    if (process.env['UPDATE_GENERATED'] === '1') writeFileSync(SCHEMA_FILE, scriptJsonSchemaText());
    expect(readFileSync(SCHEMA_FILE, 'utf8')).toBe(scriptJsonSchemaText());
  });

  it('has no references to the environment, which scripts do not read', () => {
    expect(scriptJsonSchemaText()).not.toContain('\\\\$\\\\{');
  });
});
