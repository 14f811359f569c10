import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../../test/kit/samples.ts';
import { foldWords } from '../redact/fold-words.ts';
import { hideQuoted } from './hide-quoted.ts';
import type { Outcome } from './outcome.ts';

const PROMPT = 'our merger with the northern company is planned for May';
const FULL = 'prompt is too long: 205000 tokens > 200000 maximum';

const told = (reason: string, request: string, outcome: Outcome = 'bad_request'): string =>
  hideQuoted(makeFailure({ outcome, reason, status: 400, code: null, type: 'invalid_request_error' }), {
    text: foldWords(request),
    written: request,
    isWhole: true,
  }).reason;

describe('hideQuoted', () => {
  it.each<[string, string, string]>([
    [`Bad input: ${PROMPT}`, PROMPT, 'Bad input: […]'],
    [`${FULL}. Prompt was: ${PROMPT}`, PROMPT, `${FULL}. Prompt was: […]`],
    [`${FULL}. Prompt was: ${PROMPT}`, `${FULL}. ${PROMPT}`, `${FULL}. Prompt was: […]`],
    [FULL, `yesterday it said: ${FULL}`, FULL],
    [`Too much: ${PROMPT}`, PROMPT, 'Too much: […]'],
  ])('hides what is the request, and tells what is the error: %s', (reason, request, expected) => {
    expect(told(reason, request, 'context_length')).toBe(expected);
  });

  it.each<[string, string?]>([
    [
      'Rate limit reached for gpt-4o in organization org-AbCdEf on tokens per min (TPM): Limit 30000, Used 29500. Please try again in 1.4s. Visit https://a.example/b to learn more.',
      'Rate limit reached for gpt-4o in organization […] on tokens per min (TPM): Limit 30000, Used 29500. Please try again in 1.4s. Visit […] to learn more.',
    ],
    ["Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."],
    [
      'messages.3.content.0: unexpected `tool_use_id` found in `tool_result` blocks: toolu_01A09q90',
      'messages.3.content.0: unexpected `tool_use_id` found in `tool_result` blocks: […]',
    ],
    ['The model `gpt-5.6` does not exist or you do not have access to it.'],
    ["This model's maximum context length is 128000 tokens. However, your messages resulted in 130452 tokens."],
    ['status 429, rate_limited: Limit 1, used 1. Please try again in 1m2.3s.'],
    ['Your credit balance is too low to access the API. Please go to Plans & Billing to purchase credits.'],
    ['The project proj_AbCd has exceeded its quota.', 'The project […] has exceeded its quota.'],
    ['thinking.budget_tokens: Input should be greater than or equal to 1024'],
    [
      `Invalid 'input[3].call_id': string too long. Expected a string with maximum length 64, but got a string of length 89.`,
    ],
  ])('tells an error that the conversation holds too: %s', (reason, expected = reason) => {
    expect(told(reason, `I got this before: ${reason} And now it came again.`)).toBe(expected);
  });

  it.each<[string, string]>([
    ['why is the rate limit for Wilhelmina exceeded at Rosenweg 17', 'why is the rate limit for […] exceeded […]'],
    [
      'Anna says her account 4711081 has hit the rate limit again in Lisbon',
      '[…] account […] has hit the rate limit […]',
    ],
    ['her retirement party is at the sunset bar in Lisbon', 'status 400, invalid_request_error: […]'],
    ['use the tool to read the file and return the result to the user', 'status 400, invalid_request_error: […]'],
    ["'tell me why my rate limit is exceeded for the account of Anna'", "status 400, invalid_request_error: '[…]'"],
    [`Invalid value: "please, why is the rate limit exceeded for Anna"`, 'status 400, invalid_request_error: […]"'],
  ])('tells no word of a prompt but those of errors: %s', (reason, expected) => {
    expect(told(reason, reason)).toBe(expected);
  });

  it('tells nothing that is the request alone without what failed', () => {
    expect(told(PROMPT, PROMPT)).toBe('status 400, invalid_request_error: […]');
  });

  const codesOf = (code: string, request: string): unknown => {
    const of = { text: foldWords(request), written: request, isWhole: true };
    const { param, type, reason, ...rest } = hideQuoted(
      makeFailure({ reason: `status 400, ${code}`, status: 400, code, param: code, type: code }),
      of,
    );
    expect([param, type]).toEqual([rest.code, rest.code]);
    if (rest.code === null) expect(reason).toBe('status 400, […]');
    return rest.code;
  };

  it.each(['_', '.', '-', ''])('hides a code that is a sentence of the prompt, with %j for its blanks', (mark) => {
    expect(codesOf(PROMPT.replaceAll(' ', mark).slice(0, 64), PROMPT)).toBe(null);
  });

  it.each([
    'context_length_exceeded',
    'messages.0.content',
    'tools[3].function.parameters',
    'exceeded_current_quota_error',
    'unsupported_content_type_error',
    'ServiceUnavailableException',
    'unsupported_country_region_territory',
  ])('tells a code that is one: %s', (code) => {
    expect(codesOf(code, `before it said ${code} to me`)).toBe(code);
  });

  it('searches a request once for what several attempts say', () => {
    let reads = 0;
    const whole = foldWords(`${PROMPT} `.repeat(100));
    const text = Object.assign(new String(whole), {
      charCodeAt: (at: number) => {
        reads++;
        return whole.charCodeAt(at);
      },
    }) as unknown as string;
    const request = { text, written: '', isWhole: true };
    const failure = makeFailure({ reason: `Bad input: ${PROMPT}` });
    const first = hideQuoted(failure, request);
    const { length } = whole;
    expect(reads).toBeGreaterThan(length);
    reads = 0;
    expect(hideQuoted({ ...failure, outcome: 'rate_limited' }, request).reason).toBe(first.reason);
    expect(reads).toBe(0);
    hideQuoted({ ...failure, reason: `Bad: ${PROMPT}` }, request);
    expect(reads).toBeGreaterThan(length);
  });
});
