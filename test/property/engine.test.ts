import { expect, it } from 'vitest';
import type { Piece, Play } from '../../src/simulate/world/network.ts';
import type { ClientScript } from '../../src/simulate/world/simulated-client.ts';
import type { Ask, BenchOptions, SettingsChange } from '../kit/bench-call.ts';
import { DONE, delta, STOP } from '../kit/chat-stream.ts';
import { type Asked, createEngineBench, type EngineBench } from '../kit/engine-bench.ts';
import { completion, fails, text } from '../kit/plays.ts';
import { takeRuns, takeSeed } from '../kit/seed.ts';
import { createSeededRandom } from '../kit/seeded-random.ts';

// Random worlds: providers that do anything, clients that do anything, any settings, in virtual time. Whatever happens,
// a request has one honest end, nothing is said twice and nothing is left behind.

type Dice = {
  below(n: number): number;
  chance(p: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Mostly nothing, sometimes a moment, rarely an age. */
  ms(): number;
};

function createDice(seed: number): Dice {
  const random = createSeededRandom(seed);
  const dice: Dice = {
    below: (n) => Math.floor(random.next() * n),
    chance: (p) => random.next() < p,
    pick: (list) => list[dice.below(list.length)] as (typeof list)[number],
    ms: () => dice.pick([0, 0, 0, 1, 20, 300, 4_000, 40_000, 400_000]),
  };
  return dice;
}

/** Text that names the send that said it. */
const mark = (send: number, n: number): string => `<${send}.${n}>`;

const TOOL = delta({
  tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'f', arguments: '{}' } }],
});

const ERROR_CODES = [
  'server_error',
  'overloaded_error',
  'rate_limit_exceeded',
  'context_length_exceeded',
  'content_filter',
  'invalid_api_key',
  'nonsense',
];
const STATUSES = [400, 401, 402, 403, 404, 408, 410, 413, 422, 429, 500, 502, 503, 504, 529, 302];

const delayed = (dice: Dice, bytes: string): Piece => ({ bytes, ms: dice.ms() });

/** A frame in one or two reads. */
function cutUp(dice: Dice, frame: string): readonly Piece[] {
  if (dice.chance(0.8)) return [delayed(dice, frame)];
  const at = dice.below(frame.length);
  return [delayed(dice, frame.slice(0, at)), delayed(dice, frame.slice(at))];
}

function streamBody(dice: Dice, send: number): readonly Piece[] {
  const frames: string[] = [];
  const add = (...list: string[]): void => void frames.push(...list);
  if (dice.chance(0.4)) add(delta({ role: 'assistant', content: '' }));
  if (dice.chance(0.2)) for (let n = dice.below(4); n > 0; n--) add(': ping\n\n');
  const outputs = dice.pick([0, 1, 1, 2, 5, 20]);
  for (let n = 0; n < outputs; n++) add(dice.chance(0.05) ? ': ping\n\n' : text(mark(send, n)));
  if (dice.chance(0.15)) add(TOOL, ...(dice.chance(0.8) ? [delta({}, 'tool_calls')] : []));
  const ending = dice.below(12);
  if (ending < 7) add(STOP, DONE);
  else if (ending === 7) add(STOP);
  else if (ending === 8) add(`data: ${JSON.stringify({ error: { message: 'no', code: dice.pick(ERROR_CODES) } })}\n\n`);
  else if (ending === 9) add('data: {"choices":[{"de\n\n');
  else if (ending === 10) add(delta({}, dice.pick(['length', 'content_filter', 'error'])), DONE);
  return frames.flatMap((frame) => cutUp(dice, frame));
}

function jsonBody(dice: Dice, send: number): readonly Piece[] {
  const content = dice.chance(0.1) ? '' : mark(send, 0) + (dice.chance(0.2) ? 'x'.repeat(3000) : '');
  const whole = dice.pick([
    completion(content),
    completion(content),
    completion(content),
    '{"error":{"message":"no"}}',
    '[]',
    '{"cho',
    '<html>',
  ]);
  return cutUp(dice, whole);
}

function playOf(dice: Dice, send: number): Play {
  const reused = dice.chance(0.2);
  const common: Play = {
    reused,
    connectMs: dice.chance(0.02) ? null : dice.ms() / 10,
    headMs: dice.ms(),
    readAhead: dice.below(3),
  };
  if (dice.chance(0.06))
    return { ...common, refuse: dice.pick(['refused', 'dns', 'tls', 'reset', 'local', 'bad_http']) };
  if (dice.chance(0.06)) return { ...common, status: null, end: dice.pick(['reset', 'closed']) };
  if (dice.chance(0.04)) return { ...common, headMs: null };
  if (dice.chance(0.01)) return { crash: new Error('scripted crash') };
  const end = dice.pick(['clean', 'clean', 'clean', 'clean', 'reset', 'closed', 'hang'] as const);
  const endMs = dice.ms();
  if (dice.chance(0.25)) {
    const retryAfter = dice.chance(0.3) ? { 'retry-after': String(dice.below(90)) } : {};
    const error = {
      code: dice.chance(0.4) ? dice.pick(ERROR_CODES) : null,
      param: dice.chance(0.1) ? 'stream_options' : null,
    };
    return {
      ...common,
      ...fails(dice.pick(STATUSES), error),
      headers: { 'content-type': 'application/json', ...retryAfter },
      end,
      endMs,
    };
  }
  const body = dice.chance(0.75) ? streamBody(dice, send) : jsonBody(dice, send);
  return { ...common, headers: {}, body, end, endMs };
}

function clientOf(dice: Dice): ClientScript {
  return {
    ...(dice.chance(0.3) ? { window: dice.pick([1, 200, 1000]), drainMs: dice.chance(0.15) ? null : dice.ms() } : {}),
    ...(dice.chance(0.2) ? { leaveMs: dice.ms() } : {}),
    ...(dice.chance(0.05) ? { leaveAfter: 'data' } : {}),
    ...(dice.chance(0.01) ? { crashAt: 1 + dice.below(5) } : {}),
  };
}

function settingsOf(dice: Dice): SettingsChange {
  return {
    commitOn: dice.pick(['output', 'answer']),
    onEmpty: dice.pick(['next', 'accept']),
    onContentPolicy: dice.pick(['stop', 'next']),
    onMalformed: dice.chance(0.9) ? 'fail' : 'drop',
    holdToolEnd: dice.pick([true, true, 'all', false]),
    keepalive: dice.chance(0.5)
      ? null
      : { afterMs: dice.pick([1, 2_000, 10_000]), everyMs: dice.pick([5_000, 60_000]) },
    replay: dice.pick(['auto', 'auto', 'always', 'safe']),
    retry: {
      sameTarget: dice.pick(['auto', 0, 1, 3]),
      maxAttempts: dice.pick([1, 2, 8]),
      waitForCooldownMs: dice.pick([0, 0, 3_000, 60_000]),
      preferSameTarget: dice.chance(0.3),
    },
    timeouts: {
      connectMs: 5_000,
      headersMs: dice.pick([1_000, 60_000]),
      firstOutputMs: dice.pick([2_000, 120_000]),
      idleMs: dice.pick([2_000, 120_000]),
      progressMs: dice.pick([5_000, 300_000]),
      wholeMs: dice.pick([5_000, 300_000]),
      commitMs: dice.pick([3_000, 600_000]),
      totalMs: dice.pick([10_000, 3_600_000]),
    },
    preflight: {
      maxBytes: dice.pick([300, 4 << 20]),
      maxEvents: dice.pick([5, 4096]),
      maxJson: dice.pick([1000, 32 << 20]),
    },
  };
}

const STALL_MS = 20_000;

function optionsOf(dice: Dice, seed: number): BenchOptions {
  const names = ['a', 'b', 'c'].slice(0, 1 + dice.below(3));
  return {
    seed,
    targets: names.map((id) => ({
      id,
      tier: dice.below(2),
      weight: 1 + dice.below(3),
      credentials: dice.chance(0.2) ? ['one', 'two'] : ['one'],
    })),
    settings: settingsOf(dice),
    model: { strategy: dice.pick(['failover', 'round-robin', 'weighted']), affinity: dice.chance(0.3) },
    limits: dice.chance(0.2) ? { a: { concurrency: 1, queueMs: dice.pick([0, 1_000, 30_000]) } } : {},
    engine: { clientStallMs: STALL_MS },
  };
}

function askOf(dice: Dice): Ask {
  return {
    stream: dice.chance(0.75),
    failover: dice.chance(0.95),
    timeoutMs: dice.chance(0.1) ? dice.pick([0, 500, 20_000]) : null,
    ...(dice.chance(0.15) ? { body: { tools: [{ type: 'mcp', server_url: 'https://x.test' }] } } : {}),
    client: clientOf(dice),
  };
}

type Request = { readonly ask: Ask; readonly asked: Asked };
type World = { readonly bench: EngineBench; readonly requests: readonly Request[] };

async function runWorld(seed: number): Promise<World> {
  const dice = createDice(seed);
  const bench = createEngineBench(optionsOf(dice, seed));
  bench.playEach((n) => playOf(dice, n));
  const requests: Request[] = [];
  for (let n = dice.pick([1, 1, 2, 3]); n > 0; n--) {
    const ask = askOf(dice);
    requests.push({ ask, asked: bench.ask(ask) });
    if (dice.chance(0.5)) await bench.pass(dice.ms());
  }
  if (dice.chance(0.05)) bench.engine.abandonAll();
  await bench.quiet();
  return { bench, requests };
}

const MARK = /<(\d+)\.(\d+)>/g;

/** Cheaper than `expect` by far, for the millionth time. */
function demand(isTrue: boolean, what: string): void {
  if (!isTrue) throw new Error(what);
}

const isSorted = (numbers: readonly number[]): boolean =>
  numbers.every((n, i) => i === 0 || (numbers[i - 1] ?? 0) <= n);

/** One answer, in order, from its beginning, and of the send that the record names. */
function checkOutput({ client, attempts, ledger }: Asked, sends: readonly number[]): void {
  const marks = [...client.text.matchAll(MARK)].map(([, send, n]) => [Number(send), Number(n)] as const);
  if (marks.length === 0) return;
  const numbers = marks.map(([, n]) => n);
  demand(new Set(marks.map(([send]) => send)).size === 1, 'two answers in one');
  demand(isSorted(numbers) && new Set(numbers).size === numbers.length, 'output twice or out of order');
  demand(ledger.committed === attempts.length, 'output of no attempt, or of one that was not the last');
  demand(sends[(ledger.committed ?? 0) - 1] === marks[0]?.[0], 'output of another attempt');
}

const SUCCESSES: ReadonlySet<string | null> = new Set(['ok', 'ok_truncated', 'ok_filtered', 'refused']);

/** An error that came behind the terminal is left out, and with it what was to come behind it. */
const isTerminal = (data: string): boolean => /"finish_reason":"/.test(data);

/** An end is whole or told: never both, never neither. */
function checkEnding({ client, data, error, outcome }: Asked): void {
  const { ending, isClosed, headers, text: said } = client;
  const hasMark = said.includes('[DONE]');
  const isSuccess = SUCCESSES.has(outcome);
  demand(ending !== null || isClosed, 'a client without an end');
  demand(!hasMark || error === null, 'a success marker with an error');
  demand(ending !== 'destroy' || !isSuccess, 'a success that was cut');
  if (isClosed || ending === 'destroy') return;
  if (!isSuccess) demand(error !== null && !hasMark, `${outcome} that nobody was told of`);
  else {
    demand(error === null && client.status === 200, 'a success with an error');
    const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
    demand(!isStream || said.endsWith(DONE) || isTerminal(data.at(-1) ?? ''), 'a success without its terminal');
  }
}

function checkRecord({ facts, ledger, client, attempts, outcome }: Asked, bench: EngineBench): void {
  const count = (type: string): number => facts.filter((fact) => fact.type === type).length;
  demand(count('request_started') === 1 && count('request_ended') === 1, 'a request has one start and one end');
  demand(count('attempt_ended') === count('attempt_started'), 'an attempt has one end');
  demand(facts.at(-1)?.type === 'request_ended', 'a fact behind the end');
  demand(ledger.ended?.status === client.status, 'the record tells another status');
  const { maxAttempts } = bench.model.settings.retry;
  demand(attempts.filter(({ charged }) => charged).length <= maxAttempts, 'more attempts than allowed');
  demand(isSorted(facts.map(({ at }) => at)), 'facts out of order');
  if (outcome === 'client_closed') demand(client.isClosed || client.ending === 'destroy', 'the client did not leave');
}

/** Deadlines hold to the millisecond where no client kept the request waiting. */
function checkDeadlines({ asked, ask }: Request, bench: EngineBench): void {
  const { at, client, attempts, ledger } = asked;
  if (client.wasBlocked) return;
  const { commitMs, totalMs } = bench.model.settings.timeouts;
  const took = (ledger.ended?.at ?? Number.POSITIVE_INFINITY) - at;
  demand(took <= Math.min(totalMs, ask.timeoutMs ?? totalMs), `total: ${took} ms`);
  demand(ledger.committed !== null || took <= commitMs, `commit: ${took} ms`);
  demand(
    attempts.every(({ committedAt }) => (committedAt ?? at) - at <= commitMs),
    'a late commit',
  );
}

/** Sends of a request, as numbers in the order of all sends: each stands behind the fact of its attempt. */
function sendsOf(request: string, { facts }: EngineBench): readonly number[] {
  const starts = facts.filter(({ type }) => type === 'attempt_started');
  return starts.flatMap((fact, n) => (fact.request === request ? [n] : []));
}

/** Whatever ends an attempt that is not whole, its provider is let go in the same tick. */
function checkSends({ attempts }: Asked, numbers: readonly number[], { http }: EngineBench): void {
  for (const [index, { outcome, endedAt }] of attempts.entries()) {
    const abortedAt = http.sends[numbers[index] ?? -1]?.abortedAt ?? null;
    if (!SUCCESSES.has(outcome)) demand(abortedAt === null || abortedAt === endedAt, 'a provider that was kept on');
  }
}

function checkWorld({ bench, requests }: World): void {
  const attempts = requests.reduce((sum, { asked }) => sum + asked.attempts.length, 0);
  demand(bench.http.sends.length === attempts, 'sends are attempts');
  demand(bench.ended.length === requests.length, 'telemetry hears of each end');
  for (const request of requests) {
    const { asked, ask } = request;
    checkDeadlines(request, bench);
    const numbers = sendsOf(asked.id, bench);
    checkOutput(asked, numbers);
    checkSends(asked, numbers, bench);
    if (ask.client?.crashAt !== undefined) continue;
    checkRecord(asked, bench);
    checkEnding(asked);
  }
}

async function findFault(world: number): Promise<unknown> {
  try {
    checkWorld(await runWorld(world));
    return null;
  } catch (error) {
    return error;
  }
}

it('random worlds end honestly, say nothing twice and leave nothing behind', { timeout: 120_000 }, async () => {
  const seed = takeSeed('engine');
  const faults: { readonly world: number; readonly fault: unknown }[] = [];
  for (let n = 0; n < takeRuns(2_000); n++) {
    const world = seed + n;
    const fault = await findFault(world);
    // An assertion for each world would cost more than the world.
    if (fault === null) continue;
    faults.push({ world, fault });
    break;
  }
  expect(faults, 'UNDERSTUDY_SEED=<world> begins with it').toEqual([]);
});
