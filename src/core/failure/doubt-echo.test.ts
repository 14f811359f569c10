import { describe, expect, it } from 'vitest';
import { err, http, invalid } from '../../../test/kit/failure-signals.ts';
import { foldWords } from '../redact/index.ts';
import { classifyDoubting } from './doubt-echo.ts';

const BODY =
  'role Your credit balance is too low to pay. tools is not supported with this model. Incorrect API key provided now';
const heard = (signal: Parameters<typeof classifyDoubting>[0]) =>
  classifyDoubting(signal, [], () => ({ text: foldWords(BODY), written: [], isWhole: true }));

describe('a failure in words of the request', () => {
  it.each([
    ['a feature', 'Unknown role tools is not supported with this model in messages', 'next_capable'],
    ['a quota', 'Unknown role Your credit balance is too low in messages', 'next_credential'],
    ['a quota, folded', 'Your credit \n balance is too low', 'next_credential'],
    ['a key', 'Unknown role Incorrect API key provided in messages', 'next_credential'],
  ])('goes on and leaves no trace: %s', (_, message, onward) => {
    expect(heard(http(400, invalid(message)))).toMatchObject({
      onward,
      scope: 'none',
      hold: null,
      weight: 0,
      feature: null,
      toldDelayMs: null,
    });
  });

  it.each([
    ['a code says it too', http(400, err('Your credit balance is too low', { code: 'insufficient_quota' }))],
    ['the status does', http(402, err('Your credit balance is too low to pay'))],
    ['other words do', http(400, invalid('Your credit balance is too low to pay. Please top up your account'))],
    ['the request says something else', http(400, invalid('You have insufficient credits for this'))],
  ])('leaves one where %s', (_, signal) => {
    expect(heard(signal)).toMatchObject({ row: 'quota_exhausted', hold: 'quota', scope: 'credential' });
  });

  it('is searched for only where words decided', () => {
    let asked = 0;
    const request = () => {
      asked++;
      return { text: foldWords(BODY), written: [], isWhole: true };
    };
    classifyDoubting(http(500, err('Your credit was not read, try again')), [], request);
    classifyDoubting(http(400, invalid('role Your is not one of these words')), [], request);
    expect(asked).toBe(0);
    classifyDoubting(http(400, invalid('Your credit balance is too low')), [], request);
    expect(asked).toBeGreaterThan(0);
  });

  it('has no delay that the request names', () => {
    const message = 'Unknown role Please try again in 23h, said the user';
    const text = 'role Please try again in 23h, said the user';
    const limited = (body: string) =>
      classifyDoubting(http(429, err(message)), [], () => ({ text: foldWords(body), written: [], isWhole: true }));
    expect(limited(text)).toMatchObject({ row: 'rate_limited', hold: 'rate_limited', toldDelayMs: null });
    expect(limited('something else')).toMatchObject({ hold: 'rate_limited', toldDelayMs: 23 * 3_600_000 });
  });

  it('of a request that is not there whole leaves what code and status say', () => {
    const gone = (signal: Parameters<typeof classifyDoubting>[0]) =>
      classifyDoubting(signal, [], () => ({ text: '', written: [], isWhole: false }));
    const broke = http(400, invalid('Your credit balance is too low'));
    expect(gone(broke)).toMatchObject({ outcome: 'quota_exhausted', hold: null, weight: 0 });
    expect(gone(http(429, err('Please try again in 23h')))).toMatchObject({ hold: 'rate_limited', toldDelayMs: null });
    expect(gone(http(402, err('Your credit balance is too low')))).toMatchObject({ hold: 'quota' });
  });

  it.each([
    ['short', 'invalid_request_error: insufficient balance', 'please say Insufficient  balance to them'],
    ['in another case', 'Invalid content: YOUR CREDIT BALANCE IS TOO LOW', 'Your credit balance is too low'],
    ['with other blanks', 'Invalid content: your credit\u0001balance\fis too low', 'your credit balance is too low'],
    [
      'with what nobody sees',
      'Invalid content: your credit balance is too low',
      'your cre\u200bdit bal\\u00adance is too low',
    ],
    [
      'as HTML',
      'Invalid: Insufficient&nbsp;quota: your credit&#32;balance is too low',
      'insufficient quota: your credit balance is too low',
    ],
    ['many times', 'credit balance is too low '.repeat(3), 'credit balance is too low'],
  ])('is known however it is echoed: %s', (_, message, text) => {
    const said = (body: string) =>
      classifyDoubting(http(400, invalid(message)), [], () => ({
        text: foldWords(body),
        written: [],
        isWhole: true,
      }));
    expect(said(text)).toMatchObject({ outcome: 'quota_exhausted', hold: null });
    expect(said('something else')).toMatchObject({ outcome: 'quota_exhausted', hold: 'quota' });
  });
});
