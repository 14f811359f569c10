import type { RequestKind } from '../../core/attempt/ledger.ts';
import type { Protocol } from '../../core/model/protocol.ts';

// Names that others read. Those of GenAI: https://github.com/open-telemetry/semantic-conventions-genai, docs/gen-ai,
// 2026-07, all of them in development; `former` is what stood there up to version 1.36 of
// https://github.com/open-telemetry/semantic-conventions, and for tokens up to 1.26. The others are stable in version
// 1.41 of the latter. `understudy.*` is our own.

/** An attribute, and how it was called before: null, it was called the same, or there was none. */
export type AttributeName = { readonly current: string; readonly former: string | null };

const name = (current: string, former: string | null = null): AttributeName => ({ current, former });

export const ATTRIBUTES = {
  operation: name('gen_ai.operation.name'),
  provider: name('gen_ai.provider.name', 'gen_ai.system'),
  requestModel: name('gen_ai.request.model'),
  requestStream: name('gen_ai.request.stream'),
  responseModel: name('gen_ai.response.model'),
  finishReasons: name('gen_ai.response.finish_reasons'),
  firstChunk: name('gen_ai.response.time_to_first_chunk'),
  inputTokens: name('gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens'),
  outputTokens: name('gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens'),
  cachedTokens: name('gen_ai.usage.cache_read.input_tokens'),
  cacheWriteTokens: name('gen_ai.usage.cache_creation.input_tokens'),
  reasoningTokens: name('gen_ai.usage.reasoning.output_tokens'),
  errorType: name('error.type'),
  httpMethod: name('http.request.method'),
  httpStatus: name('http.response.status_code'),
  serverAddress: name('server.address'),
  serverPort: name('server.port'),
  request: name('understudy.request'),
  kind: name('understudy.kind'),
  protocol: name('understudy.protocol'),
  model: name('understudy.model'),
  key: name('understudy.key'),
  outcome: name('understudy.outcome'),
  component: name('understudy.component'),
  reason: name('understudy.reason'),
  servedBy: name('understudy.served_by'),
  attempts: name('understudy.attempts'),
  rescued: name('understudy.rescued'),
  edits: name('understudy.edits'),
  skipped: name('understudy.skipped'),
  retryOf: name('understudy.retry_of'),
  n: name('understudy.attempt'),
  target: name('understudy.target'),
  credential: name('understudy.credential'),
  endpoint: name('understudy.endpoint'),
  why: name('understudy.why'),
  charged: name('understudy.charged'),
  trial: name('understudy.trial'),
  committed: name('understudy.committed'),
  phase: name('understudy.phase'),
} as const satisfies Readonly<Record<string, AttributeName>>;

export type Attribute = keyof typeof ATTRIBUTES;

/** What is asked for, where that is no answer. `chat` and `generate_content` are words of the conventions. */
const OPERATIONS: { readonly [K in RequestKind]?: string } = { count: 'count_tokens', compact: 'compact' };

export const operationOf = (protocol: Protocol, kind: RequestKind = 'answer'): string =>
  OPERATIONS[kind] ?? (protocol === 'gemini' ? 'generate_content' : 'chat');

/** Presets whose provider has another name there. */
const PROVIDER_NAMES: Readonly<Record<string, string>> = {
  'openai-responses': 'openai',
  gemini: 'gcp.gemini',
  vertex: 'gcp.vertex_ai',
  bedrock: 'aws.bedrock',
  azure: 'azure.ai.openai',
  mistral: 'mistral_ai',
  xai: 'x_ai',
};

/** Presets that stand for a protocol, and not for a vendor. */
const NO_VENDOR: ReadonlySet<string> = new Set(['openai-compatible', 'anthropic-compatible', 'custom']);

/** Who is behind a provider: by its preset; without one, by the name that the configuration gives it. */
export const providerName = (provider: string, preset: string | null): string =>
  preset === null || NO_VENDOR.has(preset) ? provider : (PROVIDER_NAMES[preset] ?? preset);
