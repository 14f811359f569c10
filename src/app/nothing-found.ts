/** Why nothing can be asked that is worth it: what would start on its own is the demo. */
export const NOTHING_FOUND =
  'there is neither a configuration nor a key of a provider: name a file with --config or UNDERSTUDY_CONFIG, or set a key such as OPENAI_API_KEY, ANTHROPIC_API_KEY or OPENROUTER_API_KEY (in CI: is the secret there for this job?)';
