import { describe, expect, it } from 'vitest';
import { attemptOf, factsOf, foldFacts, wholeRequest } from '../../../test/kit/facts.ts';
import { closeRequest } from './close-request.ts';

const AT = 1_700_000_000_000;

describe('closeRequest', () => {
  it('ends open attempts, then the request, at the last sign of life', () => {
    const facts = factsOf('r');
    const ledger = foldFacts([
      facts.started(),
      facts.attempt(1),
      facts.attemptEnded(1, { outcome: 'server_error' }),
      facts.attempt(2),
      facts.head(2),
    ]);
    const closed = closeRequest(ledger, AT + 500, 'gone');
    expect(attemptOf(closed, 1)).toBe(attemptOf(ledger, 1));
    expect(attemptOf(closed, 2)).toMatchObject({
      outcome: 'abandoned',
      endedAt: AT + 500,
      phase: 'preflight',
      reason: 'gone',
      usage: null,
    });
    expect(closed.ended).toMatchObject({
      outcome: 'abandoned',
      at: AT + 500,
      status: null,
      component: 'gateway',
      reason: 'gone',
      servedBy: null,
      rejected: false,
    });
  });

  it('names who served when the answer was bound', () => {
    const facts = factsOf('r');
    const ledger = foldFacts([facts.started(), facts.attempt(), facts.head(), facts.committed()]);
    expect(closeRequest(ledger, AT, 'gone').ended?.servedBy).toBe('a/m');
  });

  it('never ends anything before the latest moment on record', () => {
    const facts = factsOf('r');
    const ledger = foldFacts([facts.started(), facts.attempt(), facts.head(), facts.committed()]);
    const closed = closeRequest(ledger, 0, 'gone');
    expect(attemptOf(closed, 1).endedAt).toBe(AT + 14);
    expect(closed.ended?.at).toBe(AT + 14);
  });

  it('closes a request without attempts, and leaves one that has ended', () => {
    expect(closeRequest(foldFacts([factsOf('r').started()]), 0, 'gone').ended?.at).toBe(AT);
    const whole = foldFacts(wholeRequest('r'));
    expect(closeRequest(whole, AT + 999, 'gone')).toBe(whole);
  });

  it('closes once', () => {
    const facts = factsOf('r');
    const closed = closeRequest(foldFacts([facts.started(), facts.attempt()]), AT + 50, 'gone');
    expect(closeRequest(closed, AT + 99, 'again')).toBe(closed);
  });
});
