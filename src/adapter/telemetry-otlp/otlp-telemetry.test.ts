import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../../../test/e2e/server-kit.ts';
import { factsOf, foldFacts } from '../../../test/kit/facts.ts';
import { createOtlpReceiver, type OtlpReceiver } from '../../../test/kit/otlp-receiver.ts';
import type { RequestLedger } from '../../core/attempt/ledger.ts';
import type { Clock } from '../../port/clock.ts';
import { createOtlpTelemetry, loadOtlpPackages, type OtlpPackages, type OtlpTelemetry } from './index.ts';
import { MAX_WAITING } from './span-queue.ts';

let packages: OtlpPackages;
let receiver: OtlpReceiver;
let notices: [level: string, message: string, fields: unknown][];
const opened: OtlpTelemetry[] = [];

beforeAll(async () => {
  const loaded = await loadOtlpPackages();
  if (loaded === null) throw new Error('the packages of OpenTelemetry are not installed');
  packages = loaded;
});
beforeEach(async () => {
  receiver = await createOtlpReceiver();
  notices = [];
});
afterEach(async () => {
  await receiver.close();
  for (const telemetry of opened.splice(0)) await telemetry.close(1);
});

const clock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  setTimer(ms, fire) {
    const timer = setTimeout(fire, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

function open(scrub: (text: string) => string = (text) => text): OtlpTelemetry {
  const telemetry = createOtlpTelemetry(packages, {
    url: `${receiver.url}/v1/traces`,
    names: 'current',
    version: '1.2.3',
    instance: 'boot_1',
    clock,
    notice: (...notice) => void notices.push([notice[0], notice[1], notice[2]]),
    scrub,
    presetOf: () => null,
  });
  opened.push(telemetry);
  return telemetry;
}

const hex = (n: number, digits: number): string => n.toString(16).padStart(digits, '0');

/** A request of one attempt: two spans. */
function requestOf(n: number, why = 'first in plan'): RequestLedger {
  const facts = factsOf(`req_${n}`);
  const trace = { traceId: hex(n + 1, 32), spanId: hex(2 * n + 1, 16), parentId: null, isSampled: true };
  return foldFacts([
    facts.started({ trace }),
    facts.attempt(1, { span: hex(2 * n + 2, 16), why }),
    facts.attemptEnded(),
    facts.ended(),
  ]);
}

function tell(telemetry: OtlpTelemetry, count: number, from = 0): void {
  for (let n = from; n < from + count; n++) telemetry.requestEnded(requestOf(n));
}

describe('createOtlpTelemetry', () => {
  it('sends all that waits when it is closed, and nothing twice', async () => {
    const telemetry = open();
    tell(telemetry, MAX_WAITING / 2);
    await telemetry.close(10_000);
    expect(receiver.problems).toEqual([]);
    expect(receiver.spans).toHaveLength(MAX_WAITING);
    expect(new Set(receiver.spans.map(({ spanId }) => spanId)).size).toBe(MAX_WAITING);
    expect(receiver.headers[0]?.['user-agent']).toMatch(/^understudy\/1\.2\.3 /);
    expect([telemetry.lostSpans(), notices]).toEqual([0, []]);
  });

  it('keeps so many spans and no more while nobody takes them, and each request whole', async () => {
    receiver.behave('hang');
    const telemetry = open();
    tell(telemetry, 3 * MAX_WAITING);
    expect(telemetry.lostSpans()).toBe(6 * MAX_WAITING - MAX_WAITING);
    expect(notices).toEqual([
      [
        'warn',
        expect.stringContaining('spans get lost'),
        { receiver: new URL(receiver.url).host, code: 'queue_full', lost: 2 },
      ],
    ]);
    const from = performance.now();
    await telemetry.close(200);
    expect(performance.now() - from).toBeLessThan(1500);
  });

  it('waits for a receiver that says nothing, and not for ever', async () => {
    receiver.behave('hang');
    const telemetry = open();
    tell(telemetry, 1);
    const from = performance.now();
    await telemetry.close(200);
    const took = performance.now() - from;
    expect(took).toBeGreaterThan(150);
    expect(took).toBeLessThan(1500);
  });

  it('says once that spans get lost, and once that they arrive again', async () => {
    receiver.behave(400);
    const telemetry = open();
    // So many make a batch, which leaves at once.
    tell(telemetry, 64);
    await until(() => telemetry.lostSpans() === 128);
    tell(telemetry, 64, 64);
    await until(() => telemetry.lostSpans() === 256);
    expect(notices).toEqual([['warn', expect.any(String), expect.objectContaining({ code: '400', lost: 128 })]]);
    receiver.behave('take');
    tell(telemetry, 64, 128);
    await until(() => notices.length > 1);
    expect(notices[1]).toEqual(['info', 'spans arrive again', expect.objectContaining({ lost: 256 })]);
    expect(receiver.spans).toHaveLength(128);
  });

  it('lets nothing out that is a known secret, and cuts what is long', async () => {
    const telemetry = open((text) => text.replaceAll('hunter2', '[secret]'));
    telemetry.requestEnded(requestOf(1, `because of hunter2 ${'x '.repeat(2000)}`));
    await telemetry.close(10_000);
    expect(receiver.heard).toContain('because of [secret]');
    expect(receiver.heard).not.toContain('hunter2');
    expect(receiver.heard.length).toBeLessThan(3000);
  });

  it('an end before the beginning is no span of negative length', async () => {
    const telemetry = open();
    const request = requestOf(1);
    telemetry.requestEnded({ ...request, ended: request.ended && { ...request.ended, at: request.started.at - 5 } });
    await telemetry.close(10_000);
    expect(receiver.problems).toEqual([]);
  });
});
