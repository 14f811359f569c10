import { describe, expect, it } from 'vitest';
import { OUTCOMES } from '../../src/core/failure/outcome.ts';
import type { ProbeEnd, Telemetry } from '../../src/port/telemetry.ts';
import { attemptOf, factsOf, foldFacts, wholeRequest } from '../kit/facts.ts';

export type TelemetryUnderTest = {
  readonly telemetry: Telemetry;
  /** Everything that has left the process by it so far, as one text; '' when nothing leaves. */
  readonly output: () => string | Promise<string>;
};

const probeOf = (word: string): ProbeEnd => ({
  route: word,
  target: word,
  credential: word,
  endpoint: word,
  model: word,
  request: word,
  state: 'ready',
  outcome: 'ok',
  status: 200,
  escalated: false,
  ms: 12.5,
  tokens: 17,
});

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
      telemetry.attemptStarted(started, attemptOf(open, 1));
      telemetry.attemptEnded(started, attemptOf(open, 1));
      telemetry.configChanged({ result: 'refused', models: 0, providers: 0 });
      for (const outcome of OUTCOMES) {
        telemetry.probeEnded({ ...probeOf('a/m'), outcome, status: null, request: null, model: null, tokens: null });
        telemetry.discoveryFailed({ provider: 'a', reason: outcome });
        const ended = foldFacts([started, facts.attempt(), facts.attemptEnded(1, { outcome, reason: 'why' })]);
        telemetry.attemptEnded(started, attemptOf(ended, 1));
        telemetry.requestEnded(foldFacts([started, facts.ended({ outcome, status: null, servedBy: null })]));
      }
      for (const until of [null, 0, 1_700_000_000_000, Number.NaN, Number.POSITIVE_INFINITY]) {
        telemetry.healthChanged({ id: 'a/m#k', scope: 'route', from: 'ready', to: 'open', until, reason: null });
        const cause = 'quota_exhausted';
        telemetry.healthChanged({
          id: 'a/k',
          scope: 'credential',
          from: 'open',
          to: 'rejected',
          until,
          reason: null,
          cause,
        });
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
      telemetry.attemptStarted(request.started, attemptOf(request, 1));
      telemetry.attemptEnded(request.started, attemptOf(request, 1));
      telemetry.requestEnded(request);
      telemetry.healthChanged({ id: odd, scope: odd, from: odd, to: odd, until: null, reason: odd, cause: odd });
      // A secret may look like a name.
      for (const word of [odd, SECRET, `a/${SECRET}`, `${SECRET}/m#k`, `${SECRET}:443`]) {
        telemetry.probeEnded(probeOf(word));
        telemetry.discoveryFailed({ provider: word, reason: 'auth' });
        telemetry.healthChanged({ id: word, scope: 'route', from: 'ready', to: 'rejected', until: 0, reason: null });
        telemetry.requestEnded(foldFacts(wholeRequest('r3', 1_700_000_000_000, { model: word, key: word })));
      }
      telemetry.notice('error', odd, { file: odd, [odd]: 1 });
      expect(await output()).not.toContain(SECRET);
    });
  });
}
