/** A wire format, as named in the configuration file. */
export type Protocol = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini' | 'bedrock-converse';

/** Header names are lower case; a repeated header is joined with ", ". */
export type Headers = Readonly<Record<string, string>>;
