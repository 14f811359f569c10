import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../core/failure/catalogue.ts';
import type { ErrorCode } from '../core/failure/client-error.ts';
import { rawRefusal } from './raw-answer.ts';
import { refuse } from './refusal.ts';

describe('whether a repeat of what is refused could help', () => {
  it.each<[ErrorCode, boolean]>([
    ['invalid_request_error', false],
    ['invalid_api_key', false],
    ['model_not_allowed', false],
    ['forbidden', false],
    ['not_found', false],
    ['model_not_found', false],
    ['method_not_allowed', false],
    ['request_too_large', false],
    ['gateway_overloaded', true],
    ['no_target_available', true],
    ['rate_limit_exceeded', true],
    ['internal_error', true],
  ])('%s (%s)', (code, helps) => {
    const { error } = refuse(code, 'no');
    expect({ status: error.status, shouldRetry: error.shouldRetry }).toEqual({
      status: CATALOGUE[code].status,
      shouldRetry: helps ? null : false,
    });
  });

  it.each([
    [408, null],
    [415, false],
    [426, false],
    [499, null],
  ])("as the status says, where that is not the code's own: %s", (status, shouldRetry) => {
    expect(refuse('invalid_request_error', 'no', { status }).error.shouldRetry).toBe(shouldRetry);
  });

  it('of what never became a request too', () => {
    expect(rawRefusal('HPE_HEADER_OVERFLOW').error).toMatchObject({ status: 431, shouldRetry: false });
    expect(rawRefusal('ERR_HTTP_REQUEST_TIMEOUT').error).toMatchObject({ status: 408, shouldRetry: null });
  });
});
