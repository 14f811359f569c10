import { describe, expect, it } from 'vitest';
import { err, http } from '../../test/kit/failure-signals.ts';
import { makeRoute } from '../../test/kit/health-fixtures.ts';
import { makeAttemptOn, makeCandidate, makeTarget } from '../../test/kit/samples.ts';
import { answerExhausted } from '../core/failure/answer.ts';
import { classify } from '../core/failure/classify.ts';
import type { ClientError } from '../core/failure/client-error.ts';
import type { Outcome } from '../core/failure/outcome.ts';
import type { FailureSignal } from '../core/failure/signal.ts';
import type { Protocol } from '../core/model/protocol.ts';
import type { Candidate } from '../core/routing/plan.ts';
import { CODECS } from './index.ts';
import { decodeUtf8 } from './json/index.ts';

/** By these a client takes its own key, plan, model or body for the fault, and repeats itself for nothing. */
const CLIENT_FAULTS: ReadonlySet<number> = new Set([401, 402, 403, 404, 422]);

const ROUTE = makeRoute('p/m');
const BASE = {
  missing: [],
  asked: { model: 'main', protocol: 'openai-chat' },
  why: 'exhausted',
  limit: null,
  maxRetryAfterMs: 60_000,
  now: 1000,
  jitter: 0,
} as const;

function tried(signal: FailureSignal): ClientError {
  const failure = classify(signal);
  const attempt = makeAttemptOn(ROUTE, { status: signal.status, outcome: failure.outcome, failure });
  return answerExhausted({ ...BASE, attempts: [attempt], candidates: [] });
}

function held(cause: Outcome): ClientError {
  const candidate: Candidate = makeCandidate(makeTarget([ROUTE]), ROUTE, {
    rank: null,
    use: 'skip',
    skip: 'skipped_cooldown',
    availability: { state: 'rejected', cause, reason: null, since: 0, until: 9000, told: false, scope: 'route' },
  });
  return answerExhausted({ ...BASE, attempts: [], candidates: [candidate] });
}

/** As clients of every protocol get it. */
const told = (error: ClientError) =>
  [...CODECS].map(([protocol, codec]) => {
    const { status, body } = codec.encodeError(error, { requestId: 'req_1' });
    return { protocol, status, body: decodeUtf8(body) };
  });

const OWN: readonly (readonly [name: string, error: ClientError])[] = [
  ['401', tried(http(401))],
  ['a bad key', tried(http(401, err('Incorrect API key provided', { code: 'invalid_api_key' })))],
  ['402', tried(http(402))],
  ['403', tried(http(403))],
  ['403 of a key', tried(http(403, err('invalid api key')))],
  ['404', tried(http(404))],
  ['an unknown model', tried(http(404, err('The model `m` does not exist', { code: 'model_not_found' })))],
  ['an unknown model at 400', tried(http(400, err('no such model', { code: 'model_not_found' })))],
  ['a retired model', tried(http(410, err('gone', { code: 'model_deprecated' })))],
  ...(['auth', 'permission', 'billing', 'model_not_found', 'model_gone'] as const).map(
    (cause): readonly [string, ClientError] => [`a hold of ${cause}`, held(cause)],
  ),
];

/** Where the code itself has no place. */
const WORDS: { readonly [P in Protocol]?: string } = {
  'anthropic-messages': '"type":"api_error"',
  gemini: '"reason":"route_misconfigured"',
};

describe("the gateway's own fault", () => {
  it.each(OWN)('%s is 502 to every client', (_, error) => {
    expect(error.code).toBe('route_misconfigured');
    for (const { protocol, status, body } of told(error)) {
      expect(status, protocol).toBe(502);
      expect(body).toContain(WORDS[protocol] ?? '"code":"route_misconfigured"');
    }
  });

  it('no status that a provider may send makes a client doubt itself', () => {
    for (let status = 400; status < 600; status++) {
      for (const one of told(tried(http(status)))) {
        expect(CLIENT_FAULTS.has(one.status), `${status} became ${one.status} for ${one.protocol}`).toBe(false);
      }
    }
  });
});
