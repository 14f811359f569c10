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

const facts = factsOf('req_1');
const failed = foldFacts([
  facts.started(),
  facts.attempt(),
  facts.head(1, 529),
  facts.attemptEnded(1, { outcome: 'overloaded', phase: 'preflight', reason: 'error event before output' }),
]);

describe('createPinoTelemetry', () => {
  it('writes one line per request, with these fields and no others', () => {
    const { telemetry, lines, parsed } = create();
    telemetry.requestEnded(foldFacts(wholeRequest('req_1', 1_700_000_000_000, { key: 'ci', stream: true })));
    expect(lines).toHaveLength(1);
    expect(lines[0]?.endsWith('\n')).toBe(true);
    const { time, ...rest } = parsed()[0] ?? {};
    expect(new Date(String(time)).toISOString()).toBe(time);
    expect(rest).toEqual({
      level: 'info',
      msg: 'request',
      request: 'req_1',
      model: 'main',
      protocol: 'openai-chat',
      stream: true,
      outcome: 'ok',
      status: 200,
      reason: null,
      served_by: 'a/m',
      attempts: 1,
      duration_ms: 100,
      key: 'ci',
    });
  });

  it('writes a warning per failed attempt, with these fields and no others', () => {
    const { telemetry, parsed } = create();
    telemetry.attemptEnded(failed.started, attemptOf(failed, 1));
    const { time: _, ...rest } = parsed()[0] ?? {};
    expect(rest).toEqual({
      level: 'warn',
      msg: 'attempt failed',
      request: 'req_1',
      n: 1,
      target: 'a/m',
      credential: 'default',
      endpoint: 'a.test:443',
      outcome: 'overloaded',
      status: 529,
      phase: 'preflight',
      ms: 6,
      reason: 'error event before output',
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
      expect(loud.parsed()[0]).toMatchObject({ level: 'debug', msg: 'attempt', outcome });
    },
  );

  it('writes changes of health and notices', () => {
    const { telemetry, parsed } = create();
    const change = {
      id: 'a/m#k',
      scope: 'route',
      from: 'ready',
      to: 'open',
      until: 1_700_000_000_000,
      reason: '3 failures',
    };
    telemetry.healthChanged(change);
    telemetry.notice('error', 'reload refused', { file: 'understudy.yaml', line: 3, msg: 'mine', level: 'mine' });
    const [health, notice] = parsed();
    expect(health).toMatchObject({ ...change, until: '2023-11-14T22:13:20.000Z', level: 'info', msg: 'health' });
    expect(notice).toMatchObject({ level: 'error', msg: 'reload refused', file: 'understudy.yaml', line: 3 });
  });

  it('keeps to its level', () => {
    const say = (level: PinoTelemetryOptions['level']) => {
      const { telemetry, lines } = create({ level });
      telemetry.requestEnded(foldFacts(wholeRequest('r')));
      telemetry.attemptEnded(failed.started, attemptOf(failed, 1));
      telemetry.notice('error', 'x');
      return lines.length;
    };
    expect([say('debug'), say('info'), say('warn'), say('error'), say('silent')]).toEqual([3, 3, 2, 1, 0]);
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

  it('cleans a name as its record has it: keys that announce themselves go, ids stay', () => {
    const { telemetry, parsed } = create();
    for (const model of ['any-sk-proj-Zx81kQ0vLmT5', '0123456789abcdef0123456789abcdef'])
      telemetry.requestEnded(foldFacts(wholeRequest('req_01J8ZQ4V6N0000000000000000', undefined, { model })));
    expect(parsed().map(({ model }) => model)).toEqual([
      cleanName('any-sk-proj-Zx81kQ0vLmT5'),
      '0123456789abcdef0123456789abcdef',
    ]);
    expect(parsed()[0]).toMatchObject({ model: 'any-[secret]', request: 'req_01J8ZQ4V6N0000000000000000' });
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
