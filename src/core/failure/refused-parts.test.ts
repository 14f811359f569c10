import { describe, expect, it } from 'vitest';
import { http, invalid } from '../../../test/kit/failure-signals.ts';
import { classify } from './classify.ts';

const MESSAGES = { protocol: 'anthropic-messages' } as const;

const said = (message: string, status = 400) =>
  classify(http(status, { type: 'error', error: { type: 'invalid_request_error', message } }, MESSAGES));

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
  ['one that names none', 'Unexpected value(s) for the `anthropic-beta` header', ['beta:*']],
  ['Bedrock', 'invalid beta flag', ['beta:*']],
  ['Bedrock, Converse', 'The model returned the following errors: invalid beta flag', ['beta:*']],
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
    const flags = Array.from({ length: 40 }, (_value, n) => `\`flag-${n}\``).join(', ');
    expect(said(`Unexpected value(s) ${flags} for the \`anthropic-beta\` header.`).refusedParts).toHaveLength(16);
  });
});
