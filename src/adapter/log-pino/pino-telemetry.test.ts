import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { attemptOf, factsOf, foldFacts, wholeRequest } from '../../../test/kit/facts.ts';
import { cleanName } from '../../core/redact/index.ts';
import { createPinoTelemetry, type PinoTelemetryOptions } from './pino-telemetry.ts';

function create(options: Partial<PinoTelemetryOptions> = {}) {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const telemetry = createPinoTelemetry({ level: 'info', format: 'json', write, ...options });
  const parsed = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  return { telemetry, lines, parsed };
}

const ID = 'req_01J8ZQ4V6N0000000000000000';
const facts = factsOf(ID);
const failed = foldFacts([
  facts.started(),
  facts.attempt(),
  facts.head(1, 529),
  facts.attemptEnded(1, { outcome: 'overloaded', phase: 'preflight', reason: 'error event before output' }),
]);

/** What the words say: no event has any. */
const withoutTime = (line: Readonly<Record<string, unknown>> | undefined) => {
  const { time, ...rest } = line ?? {};
  expect(new Date(String(time)).toISOString()).toBe(time);
  return rest;
};

describe('createPinoTelemetry', () => {
  it('writes the event of a request that went well, and nothing else', () => {
    const { telemetry, lines } = create();
    telemetry.requestEnded(foldFacts(wholeRequest(ID, 1_700_000_000_000, { key: 'ci', stream: true })));
    expect(lines).toEqual([
      `{"event":"request_ended","v":1,"at":"2023-11-14T22:13:20.100Z","request":"${ID}","model":"main","protocol":"openai-chat","stream":true,"client":"ci","outcome":"ok","status":200,"served_by":"a/m","attempts":1,"ms":100,"commit_ms":14}\n`,
    ]);
  });

  it('has no words for a request that went well', () => {
    const { telemetry, lines } = create();
    telemetry.requestEnded(foldFacts([facts.started({ kind: 'count' }), facts.ended({ reason: 'estimated' })]));
    expect(lines).toHaveLength(1);
  });

  it('writes the event of a failed attempt, and its words in a warning behind it', () => {
    const { telemetry, lines, parsed } = create();
    telemetry.attemptEnded(failed.started, attemptOf(failed, 1));
    const way = '"route":"a/m#default","target":"a/m","credential":"default","endpoint":"a.test:443"';
    expect(lines[0]).toBe(
      `{"event":"attempt_ended","v":1,"at":"2023-11-14T22:13:20.016Z","request":"${ID}","n":1,${way},"outcome":"overloaded","phase":"preflight","status":529,"ms":6,"head_ms":2}\n`,
    );
    const words = { level: 'warn', msg: 'attempt failed', request: ID, n: 1, reason: 'error event before output' };
    expect(withoutTime(parsed()[1])).toEqual(words);
    expect(lines).toHaveLength(2);
  });

  it('writes words of a request that was refused: its event has no name that only the client knows', () => {
    const isOurs: PinoTelemetryOptions['isOurs'] = (kind, name) => kind !== 'model' || name === 'main';
    const { telemetry, parsed } = create({ isOurs });
    const end = {
      outcome: 'rejected',
      status: 404,
      reason: 'model_not_found',
      servedBy: null,
      rejected: true,
    } as const;
    telemetry.requestEnded(foldFacts([facts.started({ model: 'mian' }), facts.ended(end)]));
    const [event, words] = parsed();
    expect(event).toMatchObject({ event: 'request_ended', outcome: 'rejected', attempts: 0 });
    expect(event).not.toHaveProperty('model');
    expect(telemetry.droppedMembers()).toBe(1);
    expect(create({ isOurs, format: 'pretty' }).telemetry.droppedMembers()).toBe(0);
    expect(withoutTime(words)).toEqual({
      level: 'info',
      msg: 'request',
      request: ID,
      model: 'mian',
      reason: 'model_not_found',
    });
  });

  it.each(['ok', 'ok_truncated', 'refused', 'client_closed', 'hedge_lost', 'stale_socket'] as const)(
    'passes over an attempt that is nobody’s failure (%s), but for debugging',
    (outcome) => {
      const ledger = foldFacts([facts.started(), facts.attempt(), facts.attemptEnded(1, { outcome })]);
      const quiet = create();
      quiet.telemetry.attemptEnded(ledger.started, attemptOf(ledger, 1));
      expect(quiet.lines).toEqual([]);
      const loud = create({ level: 'debug' });
      loud.telemetry.attemptEnded(ledger.started, attemptOf(ledger, 1));
      expect(loud.parsed()).toMatchObject([{ event: 'attempt_ended', outcome }]);
    },
  );

  it('writes changes of health and notices', () => {
    const { telemetry, parsed } = create();
    telemetry.healthChanged({
      id: 'a/m#k',
      scope: 'route',
      from: 'ready',
      to: 'open',
      until: Date.now() + 30_000,
      reason: '3 failures',
      cause: 'overloaded',
    });
    telemetry.notice('error', 'reload refused', { file: 'understudy.yaml', line: 3, msg: 'mine', level: 'mine' });
    const [event, words, notice] = parsed();
    expect(event).toMatchObject({
      event: 'route_state_changed',
      scope: 'route',
      id: 'a/m#k',
      from: 'ready',
      to: 'open',
    });
    expect(event).toMatchObject({ cause: 'overloaded' });
    expect(Number(event?.['for_ms'])).toBeGreaterThan(25_000);
    expect(withoutTime(words)).toEqual({
      level: 'info',
      msg: 'health',
      scope: 'route',
      id: 'a/m#k',
      reason: '3 failures',
    });
    expect(notice).toMatchObject({ level: 'error', msg: 'reload refused', file: 'understudy.yaml', line: 3 });
  });

  it('says what a provider refuses for good, and what it has run out of, as a warning too', () => {
    const { telemetry, parsed } = create({ level: 'warn' });
    const change = { scope: 'credential', id: 'a/k', from: 'ready', to: 'rejected', until: null, reason: null };
    telemetry.healthChanged({ ...change, cause: 'auth' });
    telemetry.healthChanged({ ...change, cause: 'billing' });
    expect(parsed()).toMatchObject([
      { event: 'provider_rejected_permanent', provider: 'a', id: 'a/k', cause: 'auth' },
      { event: 'provider_exhausted', provider: 'a', credential: 'k', cause: 'billing' },
    ]);
  });

  it('tells of probes, lists that did not come and changed files, in both formats', () => {
    const probe = {
      route: 'a/m#k',
      target: 'a/m',
      credential: 'k',
      endpoint: 'a.test:443',
      model: 'main',
      state: 'deferred',
      outcome: 'overloaded',
      status: 503,
      escalated: false,
      ms: 89.4,
      tokens: null,
      request: ID,
    } as const;
    const tellAll = (format: 'json' | 'pretty') => {
      const made = create({ format });
      made.telemetry.probeEnded(probe);
      made.telemetry.discoveryFailed({ provider: 'a', reason: 'auth' });
      made.telemetry.configChanged({ result: 'in_force', models: 1, providers: 2 });
      return made;
    };
    expect(tellAll('json').parsed()).toMatchObject([
      { event: 'probe_result', route: 'a/m#k', state: 'deferred', ms: 89, request: ID },
      { event: 'discovery_failed', provider: 'a', reason: 'auth' },
      { event: 'config_changed', result: 'in_force', models: 1, providers: 2 },
    ]);
    const [said, list, ...others] = tellAll('pretty').lines;
    expect(said).toContain(`probe of a/m#k: deferred overloaded 503 89 ms ${ID}`);
    expect(list).toContain('provider a gave no list of its models: auth');
    expect(others).toEqual([]);
  });

  it('has no secret of the configuration for a name', () => {
    const { telemetry, lines } = create({ scrub: (text) => text.replaceAll('hunter2', '[secret]') });
    telemetry.requestEnded(foldFacts(wholeRequest(ID, undefined, { model: 'hunter2', key: 'hunter2' })));
    expect(lines.join('')).not.toContain('hunter2');
    expect(lines).toHaveLength(1);
  });

  it('keeps to its level', () => {
    const say = (level: PinoTelemetryOptions['level']) => {
      const { telemetry, lines } = create({ level });
      telemetry.requestEnded(foldFacts(wholeRequest('r')));
      telemetry.attemptEnded(failed.started, attemptOf(failed, 1));
      telemetry.notice('error', 'x');
      return lines.length;
    };
    expect([say('debug'), say('info'), say('warn'), say('error'), say('silent')]).toEqual([4, 4, 3, 1, 0]);
  });

  it('makes one harmless line of what strangers wrote', () => {
    for (const format of ['json', 'pretty'] as const) {
      const { telemetry, lines } = create({ format });
      const model = `evil\n{"level":"error"}\u001b[2J\u202e${'x'.repeat(50_000)}`;
      telemetry.requestEnded(foldFacts(wholeRequest('r', 1_700_000_000_000, { model })));
      telemetry.notice('warn', 'a\nb\u001b[31m', { why: 'c\r\nd' });
      const text = lines.join('');
      expect(text.trimEnd().split('\n')).toHaveLength(2);
      for (const bad of ['\u001b', '\u202e']) expect(text).not.toContain(bad);
      expect(text.length).toBeLessThan(2_000);
    }
  });

  it('takes out keys by their shape where people wrote words', () => {
    const { telemetry, lines } = create();
    telemetry.notice('warn', 'Incorrect API key provided: sk-proj-abcdef0123456789abcdef');
    expect(lines.join('')).not.toContain('abcdef0123456789');
  });

  it('cleans a name in words as its record has it: keys that announce themselves go, ids stay', () => {
    const { telemetry, parsed } = create();
    for (const model of ['any-sk-proj-Zx81kQ0vLmT5', '0123456789abcdef0123456789abcdef'])
      telemetry.requestEnded(
        foldFacts([facts.started({ model }), facts.ended({ outcome: 'rejected', reason: 'model_not_found' })]),
      );
    const words = parsed().filter(({ msg }) => msg === 'request');
    expect(words.map(({ model }) => model)).toEqual([
      cleanName('any-sk-proj-Zx81kQ0vLmT5'),
      '0123456789abcdef0123456789abcdef',
    ]);
    expect(words[0]).toMatchObject({ model: 'any-[secret]', request: ID });
  });

  it('is pretty when asked to, one line each', () => {
    const { telemetry, lines } = create({ format: 'pretty' });
    telemetry.requestEnded(foldFacts(wholeRequest('req_1')));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/INFO.*: \S+ → a\/m 200 (\d tries )?[\d.]+ m?s (key \S+ )?req_1\n$/);
    expect(lines[0]).not.toMatch(/hostname|[{}"]/);
  });

  it('is pretty about a refusal with its code', () => {
    const { telemetry, lines } = create({ format: 'pretty' });
    const facts = factsOf('req_1');
    const ended = {
      outcome: 'rejected',
      status: 404,
      reason: 'model_not_found',
      servedBy: null,
      rejected: true,
    } as const;
    telemetry.requestEnded(foldFacts([facts.started({ model: 'mian' }), facts.ended(ended)]));
    expect(lines[0]).toMatch(/: mian → nobody 404 rejected \(model_not_found\) /);
  });

  it('writes to standard output, all of it, before a process ends', () => {
    const script = `
      import { createPinoTelemetry } from ${JSON.stringify(new URL('./index.ts', import.meta.url).href)};
      const telemetry = createPinoTelemetry({ level: 'info', format: process.argv[1] });
      for (let n = 0; n < 500; n++) telemetry.notice('info', 'line ' + n);
      process.exit(0);
    `;
    for (const format of ['json', 'pretty']) {
      const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script, format], {
        encoding: 'utf8',
      });
      expect(stdout.trimEnd().split('\n'), format).toHaveLength(500);
    }
  });

  it('costs little', () => {
    let bytes = 0;
    const { telemetry } = create({
      write: (line) => {
        bytes += line.length;
      },
    });
    const request = foldFacts(wholeRequest('req_1'));
    /** CPU time in µs, which other processes do not change. */
    const costOf = (count: number) => {
      const from = process.cpuUsage();
      for (let n = 0; n < count; n++) telemetry.requestEnded(request);
      const { user, system } = process.cpuUsage(from);
      return (user + system) / count;
    };
    costOf(5_000);
    // About 6 µs where it was measured.
    expect(costOf(10_000)).toBeLessThan(50);
    expect(bytes).toBeGreaterThan(0);
  });
});
