import type { AskRow } from '../scenario/scenario.ts';

/** What a client says, before it has the form of any protocol. */
export type Story = {
  /** The same for all requests of one conversation, as is the first user turn. */
  readonly system: string;
  readonly turns: readonly { readonly user: string; readonly assistant: string }[];
  /** The user's words now. */
  readonly last: string;
  /** The model called a tool then, and this is what came of it. */
  readonly toolResult: string | null;
  /** The earlier answers hold reasoning that only its issuer can read. */
  readonly isSealed: boolean;
};

const FILLER = 'the harbour was calm and the boats went out before dawn, ';

/** Plain words of so many bytes, none of which an error would use. */
const wordsOf = (bytes: number): string => FILLER.repeat(Math.ceil(bytes / FILLER.length)).slice(0, Math.max(1, bytes));

/** The first words of every prompt: no error, record or log may hold them. */
export const PROMPT_MARK = 'You are to help with ';

const FEW_BYTES = 40;

/** `conversation` names what the request belongs to, `turn` the request itself. */
export function tellStory({ shape }: AskRow, conversation: string, turn: string): Story {
  const isSealed = shape.foreignState === true;
  const turns = Math.max(shape.turns ?? 0, isSealed ? 1 : 0);
  return {
    system: `${PROMPT_MARK}${conversation}. Answer in words with marks.`,
    turns: Array.from({ length: turns }, (_, n) => ({
      user: `question ${n} of ${conversation}`,
      assistant: `answer ${n} to ${conversation}`,
    })),
    last: `${turn}: ${wordsOf(shape.bytes ?? FEW_BYTES)}`,
    toolResult: shape.endsWithToolResult === true ? `result for ${turn}` : null,
    isSealed,
  };
}

/** Reasoning of an issuer that nobody here knows. */
export const SEALED = 'c2ltdWxhdGVkLWZvcmVpZ24tc3RhdGU=';

export const TOOL_NAME = 'look_up';
/** The first that a simulated provider calls: see `answerOf`. */
export const TEXT_TOOL_NAME = 'tool_0';

export const PAST_CALL_ID = 'past_call_1';

/** Parameters of the tools that are offered. */
export const TOOL_SCHEMA = {
  type: 'object',
  properties: { mark: { type: 'string' } },
  required: ['mark'],
} as const;

/** Something that the provider runs, with effects that nobody here can know. */
export const MCP_SERVER = { name: 'ledger', url: 'https://mcp.example.test/sse' } as const;
