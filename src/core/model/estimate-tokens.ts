import type { FilePart, ImagePart, MediaSource, Message, Part } from './content.ts';
import type { CanonicalPrompt } from './prompt.ts';
import { textTokens } from './text-tokens.ts';
import type { ToolDefinition } from './tool.ts';

/** Tokens beside the text, as vendors document them, or a little above. */
export const TOKEN_TABLE = {
  /** The frame of a message. */
  message: 4,
  /** What a prompt says of itself. */
  prompt: 3,
  /** What is told to a model that has tools, once. */
  anyTools: 300,
  /** The frame of one definition. */
  tool: 12,
  /** A tool that the provider runs: it writes the definition itself. */
  serverTool: 500,
  /** The frame of a call, and of its result. */
  call: 8,
  result: 6,
  /** A picture: providers scale it down to about this. */
  image: 1600,
  /** With `detail: low`. */
  lowImage: 85,
  /** Sounds and films of which nothing is known but that they are there, and pages likewise. */
  unseenMedia: 3000,
} as const;

/** Tokens in each KiB of a sound (128 kbit/s, 32 tokens a second), a film, and a document (a page has some 75 KiB). */
const MEDIA_PER_KIB = { audio: 2, video: 2, document: 40 } as const;

/** Tokenizers differ, and a context that is fuller than was said is worse than one that is not. */
const MARGIN = 1.15;

/**
 * About how many input tokens a request is, where nobody can be asked. It errs on the high side, and is never 0.
 */
export function estimateTokens({ messages, tools, settings }: CanonicalPrompt): number {
  const format = settings.responseFormat;
  // What was thought before the latest question is not shown to the model any more.
  const open = messages.findLastIndex(({ role }) => role === 'user');
  const said = messages.map((message, at) => messageTokens(message, at > open));
  const defined = tools.map(toolTokens);
  const tokens =
    TOKEN_TABLE.prompt +
    sum([...said, ...defined]) +
    (tools.length > 0 ? TOKEN_TABLE.anyTools : 0) +
    (format?.type === 'json_schema' ? jsonTokens(format.schema) : 0);
  return Math.ceil(tokens * MARGIN);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, each) => all + each, 0);

function messageTokens({ parts, name }: Message, isOpen: boolean): number {
  const shown = isOpen ? parts : parts.filter(({ type }) => type !== 'reasoning');
  return TOKEN_TABLE.message + textTokens(name ?? '') + sum(shown.map(partTokens));
}

const partTokens = (part: Part): number => PART_TOKENS[part.type](part as never);

const PART_TOKENS: { readonly [T in Part['type']]: (part: Extract<Part, { type: T }>) => number } = {
  text: ({ text }) => textTokens(text),
  refusal: ({ text }) => textTokens(text),
  reasoning: ({ text, summary = [] }) => textTokens(text) + sum(summary.map(textTokens)),
  image: imageTokens,
  audio: ({ source }) => mediaTokens(source),
  file: fileTokens,
  tool_call: ({ name, input }) => TOKEN_TABLE.call + textTokens(name) + textTokens(input),
  tool_result: ({ content }) => TOKEN_TABLE.result + sum(content.map(partTokens)),
  native: ({ value }) => jsonTokens(value),
};

function imageTokens({ detail }: ImagePart): number {
  return detail === 'low' ? TOKEN_TABLE.lowImage : TOKEN_TABLE.image;
}

function fileTokens({ source }: FilePart): number {
  return source.kind === 'text' ? textTokens(source.text) : mediaTokens(source);
}

/** Four letters of base64 are three bytes. */
const KIB_OF_BASE64 = (1024 * 4) / 3;

function mediaTokens(source: MediaSource): number {
  if (source.kind !== 'base64') return TOKEN_TABLE.unseenMedia;
  const [kind = ''] = source.mediaType.split('/');
  if (kind === 'image') return TOKEN_TABLE.image;
  const perKib = kind === 'audio' || kind === 'video' ? MEDIA_PER_KIB[kind] : MEDIA_PER_KIB.document;
  return Math.ceil((source.data.length / KIB_OF_BASE64) * perKib);
}

function toolTokens(tool: ToolDefinition): number {
  if (tool.type === 'server') return TOKEN_TABLE.serverTool;
  const shape = tool.type === 'function' ? jsonTokens(tool.parameters) : textTokens(tool.grammar?.definition ?? '');
  return TOKEN_TABLE.tool + textTokens(tool.name) + textTokens(tool.description ?? '') + shape;
}

/** Members that hold seals and bytes: nobody reads them as text. A sealed text is about so long in its tokens. */
const SEALED: { readonly [name: string]: number } = { encrypted_content: 5, signature: Infinity, data: Infinity };

function jsonTokens(value: unknown): number {
  let sealed = 0;
  const open = JSON.stringify(value, (name, each: unknown) => {
    const units = Object.hasOwn(SEALED, name) ? SEALED[name] : undefined;
    if (units === undefined || typeof each !== 'string') return each;
    sealed += Math.ceil(each.length / units);
    return '';
  });
  return sealed + textTokens(open ?? '');
}
