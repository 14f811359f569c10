import type { Behaviour, Quirk } from '../scenario/scenario.ts';
import type { AnswerHead, Tokens } from '../wire/frame.ts';
import type { SendView } from './send-view.ts';

export type ToolCall = {
  readonly id: string;
  readonly name: string;
  readonly args: string;
  /** The arguments as they come; the mark stands in one piece. */
  readonly pieces: readonly string[];
};

/** What a provider means to say, before any protocol has its way with it. */
export type Answer = {
  readonly head: AnswerHead;
  readonly words: readonly string[];
  /** Something can be seen of them. */
  readonly isVisible: boolean;
  readonly reasoning: readonly string[];
  readonly tools: readonly ToolCall[];
  readonly isParallel: boolean;
  readonly finish: NonNullable<Behaviour['finish']>;
  readonly usage: Tokens | null;
  readonly quirks: ReadonlySet<Quirk>;
};

const DEFAULT_WORDS = 8;
const INPUT_TOKENS = 12;
const TOKENS_OF_TOOL = 3;

/** Characters that are cut badly, and one that only some take for a line end. */
const WIDE = 'é€😀\u2028\u0085';

/** Prefixes of ids, and the members that name the model. */
const IDS = {
  'openai-chat': 'chatcmpl',
  'openai-responses': 'resp',
  'anthropic-messages': 'msg',
  gemini: 'gem',
} as const;

export type VoicedProtocol = keyof typeof IDS;

const MODEL = /"model"\s*:\s*"((?:[^"\\]|\\.)*)"/;
/** Further in it is not looked for: bodies may be long. */
const MODEL_WITHIN = 4096;
const MODEL_IN_PATH = /\/models\/([^?]+):[a-zA-Z]+/;

const modelOf = ({ path, body }: Pick<SendView, 'path' | 'body'>): string =>
  MODEL_IN_PATH.exec(path)?.[1] ?? MODEL.exec(body.slice(0, MODEL_WITHIN))?.[1] ?? 'm';

/** Gemini's older models give their calls no ids. */
const hasNoIds = (quirks: ReadonlySet<Quirk>, protocol: VoicedProtocol): boolean =>
  protocol === 'gemini' && quirks.has('blank_ids');

/** Words: `<send.word> `; reasoning: `<send.rword> `; tools: `call_send_tool`, with the mark in their arguments. */
export function answerOf(behaviour: Behaviour, send: SendView, protocol: VoicedProtocol): Answer {
  const { n } = send;
  const { words = DEFAULT_WORDS, reasoning = 0, tools = 0, blank = false, hiddenTokens = 0 } = behaviour;
  const quirks = new Set(behaviour.quirks);
  const behind = quirks.has('wide') ? `${WIDE} ` : ' ';
  const prefix = hasNoIds(quirks, protocol) ? '' : protocol === 'anthropic-messages' ? 'toolu' : 'call';
  const output = words + reasoning + tools * TOKENS_OF_TOOL + hiddenTokens;
  return {
    head: { id: `${IDS[protocol]}_${n}`, model: modelOf(send) },
    words: listOf(words, (k) => (blank ? ' ' : `<${n}.${k}>${behind}`)),
    isVisible: !blank,
    reasoning: listOf(reasoning, (k) => `<${n}.r${k}>${behind}`),
    tools: listOf(tools, (k) => toolOf(k, prefix, send)),
    isParallel: behaviour.parallel === true && protocol !== 'anthropic-messages',
    finish: behaviour.finish ?? 'stop',
    usage: behaviour.usage === false ? null : { input: INPUT_TOKENS, output, ...(reasoning > 0 ? { reasoning } : {}) },
    quirks,
  };
}

const listOf = <T>(length: number, make: (k: number) => T): readonly T[] => Array.from({ length }, (_, k) => make(k));

/** A schema of one text, as translation gives it to a tool that takes plain text. */
const ONE_TEXT = '"required":["input"]';

/** What the first call is for, by what it is offered: models hold to schemas. */
const memberOf = (k: number, { body }: SendView): string =>
  k === 0 && body.includes('"tool_0"') && body.includes(ONE_TEXT) ? 'input' : 'mark';

function toolOf(k: number, prefix: string, send: SendView): ToolCall {
  const { n } = send;
  const pieces = [`{"${memberOf(k, send)}":`, `"<${n}.t${k}>"`, '}'];
  return { id: prefix === '' ? '' : `${prefix}_${n}_${k}`, name: `tool_${k}`, args: pieces.join(''), pieces };
}

/** Something that answers, thoughts aside. */
export const hasResult = ({ words, isVisible, tools }: Answer): boolean =>
  (words.length > 0 && isVisible) || tools.length > 0;

/** Is there anything that a reader would see? */
export const hasOutput = (answer: Answer): boolean => hasResult(answer) || answer.reasoning.length > 0;
