/** Row 5. 1261 is Zhipu's. */
export const CONTEXT_CODES = [
  'context_length_exceeded',
  'context_window_exceeded',
  'context_window_exceeded_error',
  'model_context_window_exceeded',
  'exceed_context_size_error',
  'context_too_long',
  'context_overflow',
  'prompt_too_long',
  'input_too_long',
  'tokens_too_long',
  'tokens_limit_reached',
  'max_context_length_exceeded',
  '1261',
] as const;

export const CONTEXT_WORDS = [
  // Anthropic, Zhipu
  'prompt is too long',
  'prompt too long',
  'prompt exceeds max length',
  'exceed context limit',
  // Bedrock
  'input is too long',
  'input too long',
  // OpenAI, Azure, vLLM, DeepSeek, OpenRouter
  'maximum context length',
  'max context length',
  'maximum input length of #',
  'exceeds the context window',
  'exceeds the model * context window',
  'exceeds model context window',
  'exceeds * context length',
  'exceeds the maximum context',
  'exceeded the context window',
  'context window exceeds limit',
  'context length exceeded',
  'context window exceeded',
  'context window is full',
  // SGLang
  "longer than the model's context length",
  'longer than the * context length',
  'exceeds the maximum allowed length',
  // Gemini
  'input token count * exceeds the maximum number of tokens',
  'input context is too long',
  // xAI
  'maximum prompt length is #',
  // Groq
  'reduce the length of the messages',
  'reduce the length of the messages or completion',
  // llama.cpp, LM Studio, Ollama
  'exceeds the available context size',
  'exceeds the context size',
  'greater than the context length',
  'exceeds available context',
  // Mistral, Cohere, Together
  'too large for model with # maximum context length',
  'too many tokens * max tokens exceeded',
  'inputs tokens + max_new_tokens must be <= #',
  // Copilot, Moonshot, MiniMax, Alibaba, GitHub
  'prompt token count of # exceeds the limit of #',
  'exceeded model token limit',
  'range of input length should be',
  'request body too large for * model',
  'token limit exceeded',
] as const;

/** Row 6. 1300 and 1301 are Zhipu's; words in capitals are Gemini's finish and block reasons. */
export const POLICY_CODES = [
  'content_filter',
  'content_filtered',
  'content_policy',
  'content_policy_violation',
  'image_content_policy_violation',
  'ResponsibleAIPolicyViolation',
  'cyber_policy',
  'cyber_policy_violation',
  'bio_policy',
  'invalid_prompt',
  'moderation_blocked',
  'content_moderation',
  'flagged_content',
  'safety_violation',
  'data_inspection_failed',
  'sensitive_check_error',
  'sensitive_words_detected',
  'prompt_blocked',
  'guardrail_intervened',
  'PROHIBITED_CONTENT',
  'SAFETY',
  'BLOCKLIST',
  'SPII',
  'RECITATION',
  'IMAGE_SAFETY',
  '1300',
  '1301',
] as const;

export const POLICY_WORDS = [
  'content management policy',
  'content filtering policy',
  'content policy',
  'usage policy',
  'usage policies',
  'acceptable use policy',
  'safety system',
  'safety policy',
  'blocked by * safety',
  'flagged * violating',
  'flagged * moderation',
  'flagged by moderation',
  'flagged for possible cybersecurity risk',
  'requires moderation',
  'potentially unsafe or sensitive content',
  'inappropriate content',
] as const;
