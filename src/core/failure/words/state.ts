/** Row 8. */
export const STATE_CODES = [
  'invalid_encrypted_content',
  'encrypted_content_invalid',
  'previous_response_not_found',
  'invalid_thinking_signature',
  'invalid_signature',
  'thinking_signature_invalid',
  'thought_signature_invalid',
] as const;

export const STATE_WORDS = [
  'encrypted content * could not be',
  'encrypted_content * could not be',
  'encrypted content * cannot be',
  'could not decrypt',
  'decryption failed',
  'previous response with id * not found',
  'previous response * not found',
  'invalid signature in thinking block',
  'invalid ~ in ~ block',
  'signature * thinking block',
  'thought signature is not valid',
  'corrupted thought signature',
  'missing a thought_signature',
  'missing a ~ in functioncall',
  'thinking blocks * cannot be modified',
  'expected an id that begins with',
] as const;

/** Row 8, 400 only: at 404 such words speak of something that is gone (row 20). */
export const FOREIGN_ITEM_WORDS = ['item with id * not found', 'item ~ not found'] as const;

/** Row 9. */
export const BAD_GENERATION_CODES = [
  'tool_use_failed',
  'tool_call_failed',
  'tool_call_parse_error',
  'invalid_tool_call_generated',
  'malformed_function_call',
  'malformed_tool_call',
  'unexpected_tool_call',
  'too_many_tool_calls',
  'output_parse_failed',
  'json_validate_failed',
  'bad_generation',
] as const;

export const BAD_GENERATION_WORDS = [
  'failed to call a function',
  'malformed function call',
  'failed to parse tool call',
  'model generated invalid tool call',
  'model produced invalid content',
] as const;
