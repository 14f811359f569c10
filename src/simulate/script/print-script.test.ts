import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../test/kit/assert-property.ts';
import type {
  AccountRow,
  AskRow,
  AskShape,
  Behaviour,
  ClientManner,
  ProviderRow,
  Scenario,
} from '../scenario/scenario.ts';
import {
  DELAY_FORMS,
  ERROR_BODY_FORMS,
  ERROR_EVENT_FORMS,
  FAULT_PLACES,
  FAULTS,
  FINISHES,
  QUIRKS,
  TRANSPORT_ERRORS,
  wordsOf,
} from './behaviour-words.ts';
import { printScript, readScript, SCHEMA_LINE } from './index.ts';

/** Arbitraries for every member: a new one has no round trip before it stands here. */
type Members<T> = { readonly [K in keyof Required<T>]: fc.Arbitrary<NonNullable<T[K]> | Extract<T[K], null>> };

const ms = fc.oneof(
  fc.nat(1_000_000),
  fc.nat(200).map((n) => n * 60_000),
  fc.constant(0.5),
);
const word = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom('main', 'no', '1.0', 'null', '*', '~', '"', '2m', 'a: b'),
);
const pick = <W extends string>(words: Readonly<Record<W, string>>) => fc.constantFrom(...wordsOf(words));
const some = <T>(members: Members<T>): fc.Arbitrary<T> => fc.record(members, { requiredKeys: [] }) as fc.Arbitrary<T>;

const error = some<NonNullable<Behaviour['error']>>({
  code: word,
  type: word,
  param: word,
  message: fc.string(),
  form: pick(ERROR_BODY_FORMS),
});
const fault = fc.record(
  { kind: pick(FAULTS), at: fc.oneof(fc.nat(100), pick(FAULT_PLACES)), code: word, form: pick(ERROR_EVENT_FORMS) },
  { requiredKeys: ['kind', 'at'] },
) as fc.Arbitrary<NonNullable<Behaviour['fault']>>;

const behaviour = some<Behaviour>({
  connectMs: fc.option(ms),
  refuses: pick(TRANSPORT_ERRORS),
  reused: fc.boolean(),
  headMs: fc.option(ms),
  status: fc.option(fc.integer({ min: 100, max: 599 })),
  headers: fc.dictionary(fc.constantFrom('x-a', 'set-cookie', 'content-type'), fc.string(), { noNullPrototype: true }),
  retryAfterMs: ms,
  toldAs: pick(DELAY_FORMS),
  error,
  body: fc.constantFrom('html', 'text', 'empty', 'damaged', 'list'),
  words: fc.nat(1000),
  blank: fc.boolean(),
  reasoning: fc.nat(1000),
  tools: fc.nat(64),
  parallel: fc.boolean(),
  firstWordMs: ms,
  wordMs: ms,
  pings: fc.nat(100),
  finish: pick(FINISHES),
  usage: fc.boolean(),
  hiddenTokens: fc.nat(1000),
  needsTokens: fc.nat(1000),
  otherShape: fc.boolean(),
  fault,
  quirks: fc.subarray([...wordsOf(QUIRKS)]),
  reads: fc.constantFrom('frames', 'merged', 'bytes', 'random'),
  readAhead: fc.nat(100),
  echoes: fc.boolean(),
  endMs: ms,
});

const shape = some<AskShape>({
  stream: fc.boolean(),
  bytes: fc.nat(1_000_000),
  turns: fc.nat(100),
  tools: fc.boolean(),
  endsWithToolResult: fc.boolean(),
  unsafe: fc.boolean(),
  textTool: fc.boolean(),
  foreignState: fc.boolean(),
  maxOutputTokens: fc.integer({ min: 1, max: 100_000 }),
  asksUsage: fc.boolean(),
  key: word,
  session: word,
  failover: fc.boolean(),
  timeoutMs: ms,
});

const client = some<ClientManner>({
  retries: fc.constantFrom('codex', 'claude-code', 'opencode', 'openai-sdk'),
  leavesAfterMs: ms,
  leavesAfterWords: fc.nat(100),
  windowBytes: fc.nat(1_000_000),
  drainMs: fc.option(ms),
});

const span = { fromMs: fc.constantFrom(0, 500, 60_000), untilMs: fc.option(fc.integer({ min: 60_000, max: 900_000 })) };

const ask: fc.Arbitrary<AskRow> = fc.record({
  ...span,
  model: word,
  protocol: fc.constantFrom('openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'),
  perSecond: fc.option(
    fc.oneof(
      fc.integer({ min: 1, max: 500 }),
      fc.constantFrom(0.1, 1 / 3, 5 / 60, 7.5, 1e-7),
      fc.double({ min: 0.001, max: 100, noNaN: true }),
    ),
  ),
  count: fc.option(fc.integer({ min: 1, max: 1000 })),
  arrival: fc.constantFrom('even', 'random'),
  shape,
  client,
});

const provider = fc.record(
  {
    ...span,
    routes: word,
    sends: fc.record({ from: fc.nat(5), to: fc.option(fc.integer({ min: 6, max: 20 })) }),
    share: fc.oneof(
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat(100).map((n) => n / 100),
    ),
    flap: fc.record({ onMs: fc.integer({ min: 1, max: 99_999 }), offMs: fc.nat(99_999) }),
    does: behaviour,
  },
  { requiredKeys: ['fromMs', 'untilMs', 'routes', 'does'] },
) as fc.Arbitrary<ProviderRow>;

const account: fc.Arbitrary<AccountRow> = fc.record({
  account: word,
  perModel: fc.boolean(),
  perMinute: fc.option(fc.oneof(fc.integer({ min: 1, max: 900 }), fc.double({ min: 0.01, max: 500, noNaN: true }))),
  burst: fc.nat(50),
  concurrency: fc.option(fc.nat(50)),
  total: fc.option(fc.nat(500)),
  tells: fc.boolean(),
});

/** No map of a script may have that key: it would not be read back. */
const json = fc.jsonValue({ maxDepth: 3 }).filter((value) => !JSON.stringify(value).includes('__proto__'));

const scenario: fc.Arbitrary<Scenario> = fc.record({
  seed: fc.nat(),
  config: fc.option(
    fc.dictionary(fc.constantFrom('models', 'providers', 'auth'), json, {
      noNullPrototype: true,
    }),
  ),
  forMs: ms,
  asks: fc.array(ask, { maxLength: 3 }),
  providers: fc.array(provider, { maxLength: 3 }),
  accounts: fc.array(account, { maxLength: 2 }),
  acts: fc.array(
    fc.oneof(
      fc.record({ atMs: ms, does: fc.constant('drain' as const) }),
      fc.record({ atMs: ms, does: fc.constantFrom('disable', 'enable', 'reset'), id: word }),
    ),
    { maxLength: 2 },
  ) as fc.Arbitrary<Scenario['acts']>,
  stores: fc.array(
    fc.record(
      { ...span, port: fc.constant('claims' as const), how: fc.constantFrom('throws', 'late', 'never'), ms },
      { requiredKeys: ['fromMs', 'untilMs', 'port', 'how'] },
    ),
    { maxLength: 2 },
  ) as fc.Arbitrary<Scenario['stores']>,
});

/** As JSON has it: a map that was read has no prototype. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

function scenarioOf(text: string): Scenario {
  const read = readScript(text, { model: 'main' });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  return read.script.scenario;
}

describe('a printed script', () => {
  it('reads back to the same scenario, whatever it is', () => {
    assertProperty(
      fc.property(scenario, (drawn) => {
        const text = printScript(drawn, ['found by chance\nand kept']);
        const read = readScript(text, { model: null });
        if (!read.ok) throw new Error(`${JSON.stringify(read.problems)}\n${text}`);
        expect(plain(read.script.scenario), text).toEqual(plain(drawn));
      }),
      60,
    );
  });

  it('names its schema first and says things in words', () => {
    const text = printScript(
      scenarioOf(
        'asks: [{ rate: 300/m, client: codex }]\nproviders: [{ routes: a/*, share: 20%, sends: 1-10, does: { words: 30, stallAfterWords: 20 } }]',
      ),
      ['why'],
    );
    expect(text).toBe(`${SCHEMA_LINE}
# why
seed: 1
for: 1m
asks:
  - model: main
    rate: 5/s
    client: codex
providers:
  - routes: a/*
    sends: 1-10
    share: 20%
    does: { words: 30, stallAfterWords: 20 }
`);
  });
});
