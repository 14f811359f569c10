import type { Behaviour } from '../scenario/scenario.ts';
import type { Weighted } from './dice.ts';

const says = (status: number, code: string | null, message: string, more: Behaviour['error'] = {}): Behaviour => ({
  status,
  error: { ...(code === null ? {} : { code }), message, ...more },
});

/** Complete answers that say no, over all rows of the failure table, with how common they are. */
export const REFUSALS: Weighted<Behaviour> = [
  [2, says(404, 'model_not_found', 'The model m1 has been deprecated and is no longer available.')],
  [1, says(410, 'model_retired', 'This model has been retired.')],
  [2, says(402, null, 'Payment required.')],
  [3, says(429, 'insufficient_quota', 'You exceeded your current quota, please check your plan and billing details.')],
  [1, says(400, null, 'Your credit balance is too low to access the API.')],
  [1, says(429, 'rate_limit_exceeded', 'Request too large: Limit 1000, Requested 2300.')],
  [2, says(529, null, 'Overloaded', { type: 'overloaded_error' })],
  [2, says(503, 'server_is_overloaded', 'The server is overloaded.')],
  [1, says(503, 'slow_down', 'Please slow down.')],
  [2, says(400, 'context_length_exceeded', "This model's maximum context length is 1000 tokens.")],
  [1, says(400, null, 'prompt is too long: 2300 tokens > 1000 maximum')],
  [2, says(400, 'content_policy_violation', 'Your request was rejected by the safety system.')],
  [1, says(400, 'unsupported_parameter', "Unsupported parameter: 'stream_options'", { param: 'stream_options' })],
  [1, says(400, null, 'This model does not support tools.', { param: 'tools' })],
  [1, says(400, null, 'messages.1.content.0: Invalid `signature` in `thinking` block')],
  [1, says(400, 'tool_use_failed', 'Failed to call a function. Please adjust your prompt.')],
  [3, says(401, 'invalid_api_key', 'Incorrect API key provided.')],
  [1, says(403, null, 'Your API key does not have access.', { type: 'permission_error' })],
  [1, says(403, 'unsupported_country_region_territory', 'Country, region, or territory not supported')],
  [2, says(404, 'model_not_found', 'The model m1 does not exist.')],
  [9, says(429, 'rate_limit_exceeded', 'Rate limit reached.')],
  [1, says(408, null, 'Request timeout.')],
  [1, says(409, null, 'Conflict.')],
  [1, says(413, null, 'The request is too large.')],
  [2, says(502, null, 'Bad gateway.')],
  [1, { status: 502, body: 'html' }],
  [1, { status: 504, body: 'text' }],
  [1, { status: 520, body: 'empty' }],
  [4, says(500, null, 'Internal server error.')],
  [3, says(503, null, 'Service unavailable.')],
  [1, { status: 500, body: 'damaged' }],
  [1, { status: 302, headers: { location: 'https://elsewhere.test/v1' }, body: 'empty' }],
  [1, says(400, 'invalid_value', "Invalid value for 'temperature'.", { param: 'temperature' })],
  [1, says(404, null, 'No such item: item_1.')],
  [1, says(410, null, 'Gone.')],
  [1, says(422, null, 'Unprocessable.')],
  [1, says(415, null, 'Unsupported media type.')],
];
