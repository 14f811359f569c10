// Words of providers that users need, and keys that nobody may read. No value is one that was ever given out: what looks
// like a key is put together here, so that nobody who searches the repository for keys takes one for real.

/** Texts that must come out as they went in: names, ids, dates, places, numbers, sentences. */
export const HONEST: readonly string[] = [
  // Names of models, in the spelling of every kind of vendor.
  'The model `claude_opus_4_20250514_thinking_v1` does not exist',
  'model Llama4Maverick17B128EInstructFP8 is not available in your region',
  'model Qwen/Qwen3-235B-A22B-Instruct-2507-FP8 is loading',
  'meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8 needs a dedicated endpoint',
  'us.anthropic.claude-sonnet-4-5-20250929-v1:0 is not enabled in us-east-1',
  'arn:aws:bedrock:us-east-1:918273645546:inference-profile/us.anthropic.claude-opus-4-1-20250805-v1:0',
  'accounts/fireworks/models/llama4-maverick-instruct-basic was not found',
  '@cf/meta/llama-3.3-70b-instruct-fp8-fast',
  'projects/my-project/locations/us-central1/publishers/google/models/gemini-2.5-flash-preview-09-2025',
  'Invalid model: gpt-4o-audio-preview-2024-12-17, gpt-5.1-codex-max, o4-mini-deep-research-2025-06-26',
  'deepseek-ai/DeepSeek-R1-Distill-Llama-70B-free, DeepSeekR1DistillQwen32BInstruct',
  'Qwen3VL235BA22BThinkingFP8, Qwen3CoderNextFP8Instruct and qwen3_235b_a22b_instruct_2507_fp8',
  'mistralai/Mixtral-8x22B-Instruct-v0.1, mistral_large_2411_instruct_quantized_v2, magistral-medium-2509',
  'nvidia/llama-3.1-nemotron-ultra-253b-v1 and nemotron3_super_120b_a12b_instruct',
  'moonshotai/kimi-k2-thinking-turbo, MiniMaxM2ThinkingFP8Instruct, zai-org/GLM-4.6-FP8, glm_4_6_vision_flash_20250914',
  'grok-4-fast-non-reasoning-latest and xai-grok-code-fast-1 cannot be combined',
  'command-a-reasoning-08-2025, c4ai-aya-expanse-32b, amazon.nova-premier-v1:0, ai21.jamba-1-5-large-v1:0',
  'gpt_oss_120b_high_reasoning_mxfp4_vllm, openai/gpt-oss-20b:free, ft:gpt-4o-mini-2024-07-18:acme::9XyZ12aB',
  'microsoft/Phi-4-multimodal-instruct, Phi4MultimodalInstruct128KOnnx, google/gemma-3n-e4b-it:free',
  'LiquidAI/LFM2-8B-A1B, ibm-granite/granite-4.0-h-small, baidu/ERNIE-4.5-300B-A47B-PT, tencent/Hunyuan-A13B-Instruct',
  'text-embedding-3-large, text_embedding_ada_002_v2_truncated, voyage-code-3, BAAI/bge-multilingual-gemma2',
  // Ids.
  'tool_use ids were found without tool_result blocks: toolu_01A09q90qw90lq917835lq9',
  'No tool output found for function call call_BXnUJ5mKm1cQ7W2p0LkVzd8T.',
  'Item fc_67ca09c6bedc8190a7abfec07b1a1332096610f474011cc0 of type function_call was provided without its required item',
  'Previous response with id resp_67ccd2bed1ec8190b14f964abc0542670bb6a6b452d3795b not found.',
  'Item rs_67cc19fbd88c8190b9a4e1f1b2c3d4e5f60718293a4b5c6d not found',
  'request req_011CSHoEeqs5C35K2UUqR7Fy was rejected',
  'msg_01XFDUDYJgAACzvnptvVoYEL, chatcmpl-BMq7Nc2bKQ0vH1x9eYtRzWm4LpAd3, gen-1746554321-kZ8qT2vN4mXw9LrP1cBd',
  'srvtoolu_01WYG3ziw53XMcoyKL4XcZmE and file-9VtQ2hX7mKp4Zc1sBn8LdR',
  'batch_67c1d2e3f4a58190b0c1d2e3f4a5b6c7 has expired',
  'Request ID: 550e8400-e29b-41d4-a716-446655440000',
  'apim-request-id 7f9c24e8-3b12-4fad-9c1e-55d04b2a7f3a (ref A)',
  '(request id: 20250914103015987654321Kx7Pq2Wm)',
  '"request_id":"4bf92f3577b34da6a3ce929d0e0e4736"',
  'trace_id=4bf92f3577b34da6a3ce929d0e0e4736',
  'cf-ray: 8f1d2c3b4a5e6f70-FRA',
  'x-request-id: 0af7651916cd43dd8448eb211c80319c',
  'the token was revoked for endpoint_9XkQ2mW7rT4vB8nL1pZ6cD3f',
  'deployment 3e7b91c4-5d2f-4a86-b0e9-71f6c8d2a534 was deleted',
  'endpoint_9XkQ2mW7rT4vB8nL1pZ6cD3f and acct_1MqLiJLkdIwHu7ixraBm0Xyz are paused',
  // Dates, versions, images.
  'resets at 2025-09-14T10:30:15.987654+00:00 or 1757846415987',
  'ghcr.io/acme/vllm-openai@sha256:1f6ae2c49d73b8056e4fa1c8d2907b35fe61a84c3d7290be5f18c6a43b9d07e2 failed to start',
  'commit 9fceb02d0ae598e95dc970b74767f19372d61af8 of vllm',
  'anthropic-version: 2023-06-01, api-version=2024-10-21',
  'python-requests/2.32.3 openai/1.109.1 CPython/3.12.7 Linux/6.8.0-45-generic x86_64',
  // Sentences that name what they do not tell.
  'messages.1.content.0.thinking.signature: Field required',
  'signature: Field required',
  'messages.3.content.0: Invalid `signature` in `thinking` block',
  'Limit on token: 30000',
  'the token was revoked for model Llama4Maverick17B128EInstructFP8',
  'token=null, "secret": "undefined", password: required, api_key=missing',
  'max_completion_token: 4096, token=2000 of secret: none',
  'see "https://docs.example.com/secret": this tells more',
  'Missing Authorization: Bearer header; Basic authentication is not supported',
  'Authorization: header required',
  'Bearer token-based authentication required',
  'Incorrect API key provided. You can find your API key at https://platform.openai.com/account/api-keys.',
  'password: must be a string',
  'session: expired, cookie: missing',
  'token limit exceeded; the token was revoked',
  'Rate limit reached for gpt-4o in organization org-a1B2c3D4e5F6g7H8i9J0k1L2 on tokens per min (TPM): Limit 30000, Used 29000',
  'Unexpected value(s) `token-efficient-tools-2025-02-19`, `fine-grained-tool-streaming-2025-05-14` for the `anthropic-beta` header',
  'Unsupported parameter: key-value-store_v2, secret_manager_name, hf_hub_download_timeout, sk-learn-extra',
  "additionalProperties 'parallel_tool_calls', 'reasoning_effort_override_v2_beta' were unexpected",
  'Invalid schema for function mcp__github__create_pull_request_review_comment_v2',
  'exceed_context_size_error at messages[0].content',
  'prompt is too long: 210000 tokens > 200000 maximum',
  'ASIA-NORTHEAST1 and AKITA_REGION_2 are not supported',
  // Places.
  'see https://docs.example.com/errors#error-codes-and-what-they-mean-2024',
  'https://help.example.com/en/articles/6891753-what-are-the-best-practices-for-managing-my-rate-limits',
  'https://docs.example.com/errors?code=rate-limit&lang=en#section-2-1',
  'https://console.example.com/settings/limits?utm_source=error&model=gpt-4o',
  'https://github.com/vllm-project/vllm/blob/v0.10.1/vllm/entrypoints/openai/serving_chat.py#L120-L140',
  'in /usr/local/lib/python3.12/site-packages/transformers/modeling_utils.py, line 4021',
];

const hex = '9b2f4c6d8e0a1c3e5f7091b3d5f7a9c1e3f5071928394a5b6c7d8e9fa0b1c2d3';
const base62 = 'q7Xr2Lk9ZpW4mVt8nBsYcQ1uH6gJ3dF5aRoE0iTzKxNvMwPbSy2L8hU4fD7kC9rG6jA3eV1';
const base36 = 'k7x2m9q4z8w1v5n3b6t0r8p2l4j7h9g1f3d5s6a8';
const json = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const JWT = `${json({ alg: 'RS256', kid: 'a1' })}.${json({ sub: 'user-77', exp: 1757846415 })}.${base62.slice(0, 43)}`;
const AWS_SECRET = 'kT9/vQ2mXw7LrP0cBdZ8+qN4sYhG6jF1aVe3uRoE';
const AZURE_84 = `${base62.slice(3, 55)}JQQJ99BIACYeBjFXJ3w3AAABACOG${base62.slice(0, 4)}`;
const AZURE_STORAGE = `${base62}${base62.slice(7, 21)}==`;
const PEM = ['-----BEGIN', 'PRIVATE KEY-----'].join(' ');
const PEM_END = ['-----END', 'PRIVATE KEY-----'].join(' ');

const key = (prefix: string, body: string): string => prefix + body;

/** A sentence, and what of it must be gone. */
export type SecretText = { readonly text: string; readonly secret: string };

const say = (before: string, secret: string, behind = ''): SecretText => ({ text: before + secret + behind, secret });

/** Keys by themselves, of every vendor: they must go wherever they stand. */
export const KEYS: readonly string[] = [
  key('sk-', base62.slice(0, 48)),
  key('sk-proj-', `${base62.slice(0, 40)}_${base62.slice(9, 49)}-T3BlbkFJ${base62.slice(20, 60)}`),
  key('sk-svcacct-', base62.slice(0, 60)),
  key('sk-ant-', `api03-${base62.slice(0, 40)}-${base62.slice(11, 50)}_AA`),
  key('sk-ant-', `oat01-${base62.slice(5, 65)}-AA`),
  key('sk-or-v1-', hex),
  key('sk-', hex.slice(0, 32)),
  key('sk-', 'abcdwxyzqjkvbnmfghrt'),
  key('AIza', `Sy${base62.slice(0, 33)}`),
  key('ya29.', `a0Af${base62.slice(0, 50)}`),
  key('GOCSPX-', base62.slice(0, 28)),
  key('AKIA', 'Q3RT7ZX5WVTLM2PK'),
  key('ASIA', 'Z7KQ2MXW5LRP3CBD'),
  AWS_SECRET,
  hex.slice(0, 32),
  hex.slice(0, 40),
  hex,
  AZURE_84,
  AZURE_STORAGE,
  key('gsk_', base62.slice(0, 52)),
  key('xai-', base62.slice(0, 70)),
  key('nvapi-', `${base62.slice(0, 30)}-${base62.slice(10, 43)}`),
  key('hf_', base62.slice(0, 34)),
  key('r8_', base62.slice(0, 37)),
  key('pplx-', base62.slice(0, 48)),
  key('fw_', base62.slice(0, 24)),
  key('tgp_', `v1_${base62.slice(0, 43)}`),
  key('csk-', base36),
  key('jina_', base62.slice(0, 60)),
  key('dapi', `${hex.slice(0, 32)}-3`),
  key('esecret_', base36.slice(0, 32)),
  key('tvly-', `dev-${base62.slice(0, 32)}`),
  key('ghp_', base62.slice(0, 36)),
  key('gho_', base62.slice(0, 36)),
  key('ghs_', base62.slice(0, 36)),
  key('github_pat_', `11${base62.slice(0, 20)}_${base62.slice(0, 59)}`),
  key('glpat-', base62.slice(0, 20)),
  key('npm_', base62.slice(0, 36)),
  key('pypi-', `AgEIcHlwaS5vcmc${base62.slice(0, 60)}`),
  key('xoxb-', `1234567890123-1234567890123-${base62.slice(0, 24)}`),
  key('xoxp-', `1234567890123-${base62.slice(0, 32)}`),
  key('xapp-', `1-A01-1234567890123-${hex}`),
  key('whsec_', base62.slice(0, 32)),
  key('rk_', `live_${base62.slice(0, 24)}`),
  key('sk_', `test_${base62.slice(0, 24)}`),
  base62.slice(0, 40),
  base62.slice(0, 32),
  JWT,
  `${PEM} MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ ${PEM_END}`,
];

/** Secrets that only what stands around them gives away. */
export const SECRETS: readonly SecretText[] = [
  ...KEYS.map((secret) => say('Incorrect API key provided: ', secret, '. Check it.')),
  say('Authorization: Bearer ', '7f3a9c1e-55d0-4b2a', ' was refused'),
  say('sent "authorization": "Basic ', 'dXNlcjpodW50ZXIyeA==', '"'),
  say('bearer ', 'abc.def-123', ' is expired'),
  say('dial redis://', 'user:hunter2', '@cache.example:6379 failed'),
  say('dial https://', 'me:p4ss-w0rd!', '@up.example/v1 failed'),
  say('GET https://up.example/v1/models?key=', 'hunter2hunter2', ' failed'),
  say('GET /v1beta/models?alt=sse&api_key=', 'verysecret', '&x=1'),
  say('https://up.example/cb#access_token=', 'x1y2', '&state=1'),
  say('https://blob.example/a?se=2025-01-01&sig=', 'aB3%2FcD4%3D', ' expired'),
  say('https://up.example/?t=', 'zq81kx07', ' failed'),
  say('Cookie: session=', 'abcd', '; theme=dark'),
  say('set-cookie: __Secure-id=', 'hunter2', '; Path=/; HttpOnly'),
  say('password=', 'hunter2', ' user=me'),
  say('"password": "', 'correct', '"'),
  say('{\\"token\\":\\"', 'verysecret', '\\"}'),
  say('x-api-key: ', 'f00dBabe42', ' is not valid'),
  say('aws_secret_access_key = ', AWS_SECRET),
  say('AccountKey=', AZURE_STORAGE, ';EndpointSuffix=core.windows.net'),
  say('Signature=', hex, ', SignedHeaders=host;x-amz-date'),
  say("Invalid key 'a1b2", 'c3d4e5f6', "'"),
  say('Incorrect API key provided: ', 'sk-ab***********wxyz', '.'),
  say('\\u0073k-', base62.slice(0, 30)),
  say('&#115;k-', base62.slice(0, 30)),
  say('%73%6b%2d', base62.slice(0, 30)),
];
