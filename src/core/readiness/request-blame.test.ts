import { describe, expect, it } from 'vitest';
import { OUTCOME_CLASS } from '../failure/answer-class.ts';
import { type Component, OUTCOMES, type Outcome } from '../failure/outcome.ts';
import { type Blame, blameOf, blameOfWord, OUTCOME_BLAME } from './request-blame.ts';

const ended = (outcome: Outcome, component: Component | null = 'target', reason: string | null = 'why') => ({
  outcome,
  component,
  reason,
});

describe('what the end of a request says', () => {
  const rows: readonly (readonly [Blame, readonly Outcome[]])[] = [
    ['served', ['ok', 'ok_truncated', 'ok_filtered', 'refused']],
    ['left', ['client_closed', 'hedge_lost']],
    [
      'command',
      [
        'context_length',
        'payload_too_large',
        'content_policy',
        'unsupported_capability',
        'incompatible_history',
        'bad_request',
        'skipped_capability',
        'skipped_state',
        'rejected',
      ],
    ],
    ['configuration', ['auth', 'permission', 'billing', 'model_not_found', 'model_gone']],
    ['gateway', ['abandoned']],
  ];
  const told = rows.flatMap(([blame, outcomes]) => outcomes.map((outcome) => [outcome, blame] as const));
  const others = OUTCOMES.filter((outcome) => !told.some(([word]) => word === outcome));

  it.each([...told, ...others.map((outcome) => [outcome, 'capacity'] as const)])('%s: %s', (outcome, blame) => {
    expect(OUTCOME_BLAME[outcome]).toBe(blame);
    const component = blame === 'command' ? 'client' : blame === 'gateway' ? 'gateway' : 'target';
    expect(blameOf(ended(outcome, component))).toBe(blame);
  });

  it('calls those a matter of the configuration that the client is told as route_misconfigured', () => {
    const misconfigured = OUTCOMES.filter((outcome) => OUTCOME_CLASS[outcome] === 'misconfigured');
    expect(OUTCOMES.filter((outcome) => OUTCOME_BLAME[outcome] === 'configuration')).toEqual(misconfigured);
  });

  it.each([
    ['bad_gateway', 'gateway', 'bad_gateway', 'gateway'],
    ['server_error', 'gateway', 'internal_error', 'gateway'],
    ['interrupted', 'gateway', 'abandoned', 'left'],
    ['abandoned', 'gateway', 'draining', 'left'],
    ['interrupted', 'gateway', 'internal_error', 'gateway'],
    ['abandoned', 'gateway', 'the gateway died', 'gateway'],
    ['interrupted', 'deadline', 'timeout_total', 'capacity'],
    ['client_closed', 'gateway', 'internal_error', 'gateway'],
    ['ok', 'gateway', null, 'served'],
    ['rejected', 'client', 'invalid_api_key', 'command'],
    ['rejected', 'client', 'skipped_capability', 'command'],
    ['rejected', 'client', 'model_not_found', 'command'],
    ['rejected', 'target', 'model_not_found', 'configuration'],
    ['rejected', 'gateway', 'gateway_overloaded', 'gateway'],
    // Busy routes are no fault of the gateway, though it is the one that counts them.
    ['rejected', 'gateway', 'skipped_busy', 'capacity'],
    ['rejected', 'gateway', 'operator', 'capacity'],
    ['rejected', 'credential', 'rate_limited', 'capacity'],
    ['rejected', 'credential', 'auth', 'configuration'],
    ['rejected', 'target', 'model_gone', 'configuration'],
    ['rejected', 'target', 'no_target_available', 'capacity'],
    ['rejected', 'deadline', 'timeout_total', 'capacity'],
    ['rejected', 'policy', null, 'command'],
    ['rejected', null, null, 'command'],
  ] satisfies readonly (readonly [Outcome, Component | null, string | null, Blame])[])(
    '%s by %s for %s: %s',
    (outcome, component, reason, blame) => expect(blameOf({ outcome, component, reason })).toBe(blame),
  );

  it('knows words of outcomes only', () => {
    expect(['auth', 'rejected', 'operator', 'toString'].map(blameOfWord)).toEqual(['configuration', null, null, null]);
  });
});
