/** A wire format, as named in the configuration file. */
export type Protocol = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini' | 'bedrock-converse';

/** Header names are lower case; a repeated header is joined with ", ". */
export type Headers = Readonly<Record<string, string>>;

/** How a key is sent, where a provider wants it otherwise than its protocol does. */
export const AUTH_SCHEMES = ['bearer', 'x-api-key'] as const;

export type AuthScheme = (typeof AUTH_SCHEMES)[number];
