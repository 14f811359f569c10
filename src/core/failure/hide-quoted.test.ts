import { describe, expect, it } from 'vitest';
import { makeFailure } from '../../../test/kit/samples.ts';
import { foldWords } from '../redact/fold-words.ts';
import { hideQuoted, hideQuotedWords } from './hide-quoted.ts';
import type { Outcome } from './outcome.ts';

const PROMPT = 'our merger with the northern company is planned for May';
const FULL = 'prompt is too long: 205000 tokens > 200000 maximum';

/** How words are told for a request. */
const hideIn =
  (request: string) =>
  (words: string): string => {
    const of = { text: foldWords(request), written: [new TextEncoder().encode(request)], isWhole: true };
    return hideQuotedWords(words, () => of);
  };

const told = (reason: string, request: string, outcome: Outcome = 'bad_request'): string =>
  hideQuoted(makeFailure({ outcome, reason, status: 400, code: null, type: 'invalid_request_error' }), hideIn(request))
    .reason;

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
    const { param, type, reason, ...rest } = hideQuoted(
      makeFailure({ reason: `status 400, ${code}`, status: 400, code, param: code, type: code }),
      hideIn(request),
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

  const isAsked = (words: string): boolean => {
    let asked = 0;
    const request = () => {
      asked++;
      return { text: foldWords(words), written: [], isWhole: true };
    };
    const hidden = hideQuotedWords(words, request);
    if (asked === 0) expect(hidden).toBe(words);
    return asked > 0;
  };

  it.each([
    'status 429, rate_limit_exceeded: Rate limit reached. Please try again in 20s.',
    'status 500, api_error: Internal server error',
    'status 503, overloaded_error: Overloaded',
    'status 503, overloaded: The server is overloaded.',
    'status 503, UNAVAILABLE: The model is overloaded. Please try again later.',
    'status 503: Service temporarily unavailable',
    'status 503: no healthy upstream',
    'status 502: Bad gateway',
    'status 504: Gateway timeout',
    'error event, overloaded_error: Overloaded',
    'error in a body of status 200, api_error: Internal server error',
    'status 429, insufficient_quota: You exceeded your current quota, please check your plan and billing details.',
    'status 503',
    'context_length_exceeded',
    '',
  ])('reads no request for what errors say: %s', (words) => {
    expect(isAsked(words)).toBe(false);
  });

  it.each([
    `status 400, api_error: ${PROMPT}`,
    'status 503, of_wilhelmina_and_anna: Overloaded again',
    'status 4711, api_error: Anna has hit it',
    'The rate limit for Wilhelmina is exceeded, try again',
    'our_merger_with_the_northern_company',
  ])('reads it for everything else: %s', (words) => {
    expect(isAsked(words)).toBe(true);
  });

  it('tells its own lead and code, whoever holds them', () => {
    const reason = `status 503, server_error: ${PROMPT}`;
    expect(told(reason, reason)).toBe('status 503, server_error: […]');
    expect(told('status 503, server_error: Anna, no!', 'status 503, server_error: Anna, no!')).toMatch(/Anna, no!$/);
  });
});
