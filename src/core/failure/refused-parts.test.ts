import { describe, expect, it } from 'vitest';
import { http, invalid } from '../../../test/kit/failure-signals.ts';
import { classify } from './classify.ts';

const MESSAGES = { protocol: 'anthropic-messages' } as const;

/** Flags of the request. */
const SENT = [
  'prompt-caching-scope-2026-01-05',
  'structured-outputs-2025-12-15',
  'afk-mode-2026-01-31',
  'context-1m-2025-08-07',
  'advisor-tool-2026-03-01',
  'foo-beta-2025-01-01',
  'context-management-2025-06-27',
];
const ALL = `beta:${[...SENT].sort().join()}`;

const said = (message: string, status = 400, sentBetas: readonly string[] = SENT) => {
  const body = { type: 'error', error: { type: 'invalid_request_error', message } };
  return classify(http(status, body, { ...MESSAGES, sentBetas }));
};

/** Words that providers were seen to send. */
const WORDS: readonly (readonly [who: string, message: string, parts: readonly string[]])[] = [
  [
    'Vertex, one flag',
    'Unexpected value(s) `prompt-caching-scope-2026-01-05` for the `anthropic-beta` header. Please consult our documentation at docs.anthropic.com or try again without the header.',
    ['beta:prompt-caching-scope-2026-01-05'],
  ],
  [
    'Vertex, two flags',
    'Unexpected value(s) `prompt-caching-scope-2026-01-05`, `structured-outputs-2025-12-15` for the `anthropic-beta` header. Please consult our documentation.',
    ['beta:prompt-caching-scope-2026-01-05', 'beta:structured-outputs-2025-12-15'],
  ],
  [
    'a relay that lost the quotes',
    'Unexpected value(s) afk-mode-2026-01-31 for the anthropic-beta header. Please consult our documentation at docs.claude.com',
    ['beta:afk-mode-2026-01-31'],
  ],
  ['one that names none', 'Unexpected value(s) for the `anthropic-beta` header', [ALL]],
  ['Bedrock', 'invalid beta flag', [ALL]],
  ['Bedrock, Converse', 'The model returned the following errors: invalid beta flag', [ALL]],
  ['Anthropic', 'Unsupported beta header: context-1m-2025-08-07', ['beta:context-1m-2025-08-07']],
  ['Azure', 'Unexpected beta header "advisor-tool-2026-03-01"', ['beta:advisor-tool-2026-03-01']],
  ['a relay', 'UNKNOWN: unsupported anthropic-beta header foo-beta-2025-01-01', ['beta:foo-beta-2025-01-01']],
  [
    'OpenRouter',
    "No endpoints available that support Anthropic's context management features (context-management-2025-06-27). Context management requires a supported provider (Anthropic).",
    ['beta:context-management-2025-06-27', 'context_management'],
  ],
  ['Anthropic', 'context_management: Extra inputs are not permitted', ['context_management']],
  [
    'Zen',
    'Error from provider (Anthropic): context_management: Extra inputs are not permitted.',
    ['context_management'],
  ],
  ['a field in the body', 'body.metadata: Extra inputs are not permitted', ['metadata']],
  ['adaptive thinking', 'thinking.adaptive.display: Extra inputs are not permitted', ['thinking.display']],
  ['thinking', 'thinking.display: Extra inputs are not permitted', ['thinking.display']],
  ['output_config', 'output_config: Extra inputs are not permitted', ['output_config.effort']],
  ['its effort', 'output_config.effort: Extra inputs are not permitted', ['output_config.effort']],
  ['service_tier', 'service_tier: Extra inputs are not permitted', ['service_tier']],
  ['tools', 'tools.11.custom.defer_loading: Extra inputs are not permitted', ['tools.defer_loading']],
  ['tools', 'tools.3.custom.input_examples: Extra inputs are not permitted', ['tools.input_examples']],
  ['tools', 'tools.0.eager_input_streaming: Extra inputs are not permitted', ['tools.eager_input_streaming']],
  ['scope', 'system.1.cache_control.ephemeral.scope: Extra inputs are not permitted', ['cache_control.scope']],
  ['ttl', 'tools.20.custom.cache_control.ephemeral.ttl: Extra inputs are not permitted', ['cache_control.ttl']],
  ['marks', 'messages.0.content.1.text.cache_control: Extra inputs are not permitted', ['cache_control']],
  ['marks', 'system.0.cache_control: Extra inputs are not permitted', ['cache_control']],
  [
    'Bedrock',
    'Malformed input request: #: extraneous key [context_management] is not permitted, please reformat your input and try again.',
    ['context_management'],
  ],
  ['Go', 'json: unknown field "context_management"', ['context_management']],
  ['words', 'cache_control is not supported', ['cache_control']],
  ['a version', 'anthropic-version: "2026-10-21" is not a valid version', ['anthropic-version']],
  [
    'two at once',
    'context_management: Extra inputs are not permitted, service_tier: Extra inputs are not permitted',
    ['context_management', 'service_tier'],
  ],
];

describe('a part that is refused', () => {
  it.each(WORDS)('%s: %s', (_, message, parts) => {
    expect(said(message)).toMatchObject({
      row: 'unsupported_capability',
      outcome: 'unsupported_capability',
      onward: 'same_without_parts',
      refusedParts: parts,
      feature: null,
      scope: 'none',
      hold: null,
      weight: 0,
      refusal: true,
    });
  });

  it('inside the words of a relay', () => {
    const inner = JSON.stringify({ message: 'context_management: Extra inputs are not permitted' });
    const message = `${inner}. Received Model Group=m\nAvailable Model Group Fallbacks=None`;
    const body = { error: { message, type: 'None', param: 'None', code: '400' } };
    expect(classify(http(400, body, MESSAGES)).refusedParts).toEqual(['context_management']);
  });

  it('by code and parameter', () => {
    const body = {
      detail: [{ type: 'extra_forbidden', loc: ['body', 'context_management'], msg: 'Extra inputs are not permitted' }],
    };
    expect(classify(http(422, body, MESSAGES)).refusedParts).toEqual(['context_management']);
  });

  it.each([
    ['tools', 'tools: Extra inputs are not permitted'],
    ['messages', 'messages.65.content.1.tool_use.text: Extra inputs are not permitted'],
    ['servers', 'mcp_servers: Extra inputs are not permitted'],
    ['a format', 'output_config.format: Extra inputs are not permitted'],
    ['a format in words', 'does not support the output_config.format'],
    ['a member of its own', 'context_management.type: Extra inputs are not permitted'],
    ['a mark on a thought', 'messages.11.content.0.thinking.cache_control: Extra inputs are not permitted'],
    ['a value', 'service_tier: Input should be "auto" or "standard_only"'],
    ['something else', 'prompt is too long: 9 tokens > 8 maximum'],
  ])('is not %s', (_, message) => {
    const failure = said(message);
    expect(failure.refusedParts).toBeUndefined();
    expect(failure.onward).not.toBe('same_without_parts');
  });

  it('is read for this protocol alone, and of refusals alone', () => {
    const message = 'service_tier: Extra inputs are not permitted';
    expect(classify(http(400, invalid(message))).refusedParts).toBeUndefined();
    expect(said(message, 500).refusedParts).toBeUndefined();
  });

  it('is not a way to think that the target does not know: one that does is asked', () => {
    const message =
      "thinking: Input tag 'adaptive' found using 'type' does not match any of the expected tags: 'disabled', 'enabled'";
    expect(said(message)).toMatchObject({ row: 'unsupported_capability', onward: 'next_capable', feature: null });
  });

  it('is one of few', () => {
    const flags = Array.from({ length: 40 }, (_value, n) => `flag-${n}`);
    const message = `Unexpected value(s) ${flags.map((flag) => `\`${flag}\``).join(', ')} for the \`anthropic-beta\` header.`;
    expect(said(message, 400, flags).refusedParts).toHaveLength(16);
  });
});

describe('a flag that is refused', () => {
  const unexpected = (flags: string) => `Unexpected value(s) ${flags} for the \`anthropic-beta\` header. See docs.`;

  it.each<[what: string, message: string, sent: readonly string[], parts: readonly string[]]>([
    ['one word', unexpected('`foo`'), ['foo', 'a-1'], ['beta:foo']],
    ['as long as can be', unexpected(`\`${'x'.repeat(128)}\``), ['x'.repeat(128)], [`beta:${'x'.repeat(128)}`]],
    ['with other signs', unexpected('`a_b.c-1_`'), ['A_b.C-1_'], ['beta:a_b.c-1_']],
    ['at the end of a sentence', 'Unsupported beta header: foo.', ['foo'], ['beta:foo']],
    ['in brackets', 'invalid beta flag (foo)', ['foo', 'a-1'], ['beta:foo']],
    [
      'and not those that are praised',
      'unsupported beta flag foo, supported flags are bar',
      ['foo', 'bar'],
      ['beta:foo'],
    ],
    ['and no other', unexpected('`foo`, `b-1`'), ['foo', 'a-1'], ['beta:foo']],
    ['of those that were sent: another', unexpected('`foo`'), ['a-1'], ['beta:*']],
    ['of those that were sent: another, in words', 'Unsupported beta header: other', ['a-1'], ['beta:*']],
    ['of those that were sent: none was', unexpected('`foo`'), [], []],
    ['without a name: one was sent', 'invalid beta flag', ['Foo'], ['beta:foo']],
    ['without a name: two were', 'invalid beta flag', ['b-1', 'a-1'], ['beta:a-1,b-1']],
    [
      'without a name: too many to keep',
      'invalid beta flag',
      Array.from({ length: 99 }, (_, n) => `flag-number-${n}`),
      ['beta:*'],
    ],
  ])('%s', (_, message, sent, refusedParts) => {
    expect(said(message, 400, sent)).toMatchObject({ row: 'unsupported_capability', refusedParts });
  });

  it('by its field alone, where the flag was not sent', () => {
    const message =
      "No endpoints available that support Anthropic's context management features (context-management-2025-06-27).";
    expect(said(message, 404, ['a-1']).refusedParts).toEqual(['context_management']);
  });
});
