import { describe, expect, it } from 'vitest';
import { OUTCOMES } from '../../src/core/failure/outcome.ts';
import type { Telemetry } from '../../src/port/telemetry.ts';
import { attemptOf, factsOf, foldFacts, wholeRequest } from '../kit/facts.ts';

export type TelemetryUnderTest = {
  readonly telemetry: Telemetry;
  /** Everything that has left the process by it so far, as one text; '' when nothing leaves. */
  readonly output: () => string | Promise<string>;
};

/** `scrub` is to be applied to every string that leaves. */
export function telemetryContract(name: string, create: (scrub: (text: string) => string) => TelemetryUnderTest): void {
  describe(`Telemetry: ${name}`, () => {
    const SECRET = 'hunter2';
    const scrub = (text: string) => text.replaceAll(SECRET, '[secret]');
    const facts = factsOf('r1');
    const started = facts.started();

    it('takes every record, whatever it holds', async () => {
      const { telemetry, output } = create(scrub);
      const open = foldFacts([started, facts.attempt()]);
      telemetry.requestEnded(foldFacts([started]));
      telemetry.requestEnded(foldFacts(wholeRequest('r2', 1_700_000_000_000, { key: 'ci' })));
      telemetry.attemptEnded(started, attemptOf(open, 1));
      for (const outcome of OUTCOMES) {
        const ended = foldFacts([started, facts.attempt(), facts.attemptEnded(1, { outcome, reason: 'why' })]);
        telemetry.attemptEnded(started, attemptOf(ended, 1));
        telemetry.requestEnded(foldFacts([started, facts.ended({ outcome, status: null, servedBy: null })]));
      }
      for (const until of [null, 0, 1_700_000_000_000, Number.NaN, Number.POSITIVE_INFINITY]) {
        telemetry.healthChanged({ id: 'a/m#k', scope: 'route', from: 'ready', to: 'open', until, reason: null });
      }
      for (const level of ['info', 'warn', 'error'] as const) {
        telemetry.notice(level, 'disk full');
        telemetry.notice(level, '%s %d %o', { level: 'x', time: 1, msg: 'y', __proto__: null, ok: true });
      }
      expect(await output()).not.toContain('undefined');
    });

    it('lets no secret out that it was told of, wherever it stands', async () => {
      const { telemetry, output } = create(scrub);
      const odd = `x ${SECRET} y`;
      const request = foldFacts([
        factsOf(odd).started({ model: odd, key: odd }),
        factsOf(odd).attempt(1, { target: odd, credential: odd, endpoint: odd, why: odd }),
        factsOf(odd).attemptEnded(1, { outcome: 'server_error', reason: odd }),
        factsOf(odd).ended({ servedBy: odd, reason: odd, outcome: 'server_error' }),
      ]);
      telemetry.attemptEnded(request.started, attemptOf(request, 1));
      telemetry.requestEnded(request);
      telemetry.healthChanged({ id: odd, scope: odd, from: odd, to: odd, until: null, reason: odd });
      telemetry.notice('error', odd, { file: odd, [odd]: 1 });
      expect(await output()).not.toContain(SECRET);
    });
  });
}
