import type { Message } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { Dropped } from '../shared/extensions.ts';
import { listOf } from '../shared/json-object.ts';
import { withExtensions } from './members.ts';
import { writePart } from './part-write.ts';

type Turn = {
  readonly role: 'user' | 'assistant' | 'system';
  readonly blocks: readonly JsonObject[];
  readonly members: JsonObject;
};

/** Blocks for `system`, and `messages` as the API takes them. */
export type Conversation = { readonly system: readonly JsonObject[]; readonly messages: readonly JsonObject[] };

const TURN_ROLES = {
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  tool: 'user',
} as const;

const isInstruction = ({ role }: Message): boolean => TURN_ROLES[role] === 'system';

/**
 * Messages as turns. User and assistant alternate, and the user begins. The results of a turn's calls stand first in the
 * turn right behind it, all of them. Instructions at the start go to `system`; a later one is a turn of its own where
 * the model takes that and the place is right (behind the user, before the assistant or at the end), else a part of the
 * user's turn, in tags.
 */
export function writeConversation(
  messages: readonly Message[],
  takesSystemTurns: boolean,
  dropped: Dropped,
): Conversation {
  const start = messages.findIndex((message) => !isInstruction(message));
  const leading = messages.slice(0, start === -1 ? messages.length : start).map((each) => writeTurn(each, dropped));
  const later = messages.slice(leading.length).map((each) => writeTurn(each, dropped));
  const turns: readonly Turn[] = [
    { role: 'user', blocks: leading.flatMap(({ blocks }) => blocks.filter((block) => !isText(block))), members: {} },
    ...later.flatMap((turn) => (turn.role === 'system' ? splitInstruction(turn) : [turn])),
  ];
  const placed = placeResults(join(settleInstructions(join(turns), takesSystemTurns)));
  return {
    system: leading.flatMap(({ blocks }) => blocks.filter(isText)),
    messages: trimPrefill(startWithUser(join(placed))).map(({ role, blocks, members }) => ({
      role,
      content: blocks,
      ...members,
    })),
  };
}

function writeTurn(message: Message, dropped: Dropped): Turn {
  if (message.name !== undefined) dropped.add('name');
  const blocks = message.parts.map((part) => writePart(part, message.role, dropped)).filter((block) => block !== null);
  return { role: TURN_ROLES[message.role], blocks, members: withExtensions({}, message, dropped) };
}

const wordsOf = ({ text }: JsonObject): string => (typeof text === 'string' ? text : '');
const isText = ({ type, text }: JsonObject): boolean => type === 'text' && typeof text === 'string';
const isResult = ({ type }: JsonObject): boolean => type === 'tool_result';

/** Instructions are text; a picture among them is shown by the user. */
function splitInstruction({ blocks, members }: Turn): readonly Turn[] {
  const others = blocks.filter((block) => !isText(block));
  const instruction: Turn = { role: 'system', blocks: blocks.filter(isText), members };
  return others.length === 0 ? [instruction] : [instruction, { role: 'user', blocks: others, members: {} }];
}

/** Neighbours of one role are one turn, its results first; empty ones are none. */
function join(turns: readonly Turn[]): readonly Turn[] {
  const runs: { role: Turn['role']; blocks: JsonObject[]; members: JsonObject }[] = [];
  for (const turn of turns) {
    if (turn.blocks.length === 0) continue;
    const last = runs.at(-1);
    if (last?.role !== turn.role) runs.push({ ...turn, blocks: [...turn.blocks] });
    else {
      for (const block of turn.blocks) last.blocks.push(block);
      last.members = { ...last.members, ...turn.members };
    }
  }
  return runs.map((run) => ({ ...run, blocks: resultsFirst(run.blocks) }));
}

const resultsFirst = (blocks: readonly JsonObject[]): readonly JsonObject[] => [
  ...blocks.filter(isResult),
  ...blocks.filter((block) => !isResult(block)),
];

const settleInstructions = (turns: readonly Turn[], takesSystemTurns: boolean): readonly Turn[] =>
  turns.map((turn, position) => {
    if (turn.role !== 'system') return turn;
    const isPlaced = turns[position - 1]?.role === 'user' && turns[position + 1]?.role !== 'user';
    if (takesSystemTurns && isPlaced) return turn;
    return { role: 'user', blocks: turn.blocks.map(remind), members: {} };
  });

/** The tags that models of this protocol know such notes by. */
const remind = (block: JsonObject): JsonObject => ({
  ...block,
  text: `<system-reminder>\n${wordsOf(block)}\n</system-reminder>`,
});

/** A call that waits for its result, and the place of its turn. */
type Asked = { readonly at: number; isAnswered: boolean };

/** Moves the results of a turn's calls that came later to where they have to be. */
function placeResults(turns: readonly Turn[]): readonly Turn[] {
  const asked = new Map<JsonValue | undefined, Asked>();
  const late = new Map<number, JsonObject[]>();
  const settled = turns.map((turn, at) => {
    if (turn.role === 'assistant') {
      for (const { type, id } of turn.blocks) if (type === 'tool_use') asked.set(id, { at, isAnswered: false });
      return turn;
    }
    const blocks = turn.blocks.filter((block) => !isResult(block) || staysIn(at, block, asked, late));
    return blocks.length === turn.blocks.length ? turn : { ...turn, blocks };
  });
  return settled.flatMap((turn, at) => {
    const behind = late.get(at);
    const ahead = turn.role === 'user' ? late.get(at - 1) : undefined;
    const whole = ahead === undefined ? turn : { ...turn, blocks: resultsFirst([...ahead, ...turn.blocks]) };
    const isAlone = behind !== undefined && turns[at + 1]?.role !== 'user';
    return isAlone ? [whole, { role: 'user' as const, blocks: behind, members: {} }] : [whole];
  });
}

/** False for a result that belongs behind an earlier turn: it is put among those that go there. */
function staysIn(
  at: number,
  block: JsonObject,
  asked: ReadonlyMap<JsonValue | undefined, Asked>,
  late: Map<number, JsonObject[]>,
): boolean {
  const call = asked.get(block['tool_use_id']);
  if (call === undefined || call.isAnswered) return true;
  call.isAnswered = true;
  if (call.at === at - 1) return true;
  const others = late.get(call.at);
  if (others === undefined) late.set(call.at, [block]);
  else others.push(block);
  return false;
}

/** A turn that says nothing, where one has to be. */
const NOTHING: Turn = { role: 'user', blocks: [{ type: 'text', text: '…' }], members: {} };

const startWithUser = (turns: readonly Turn[]): readonly Turn[] =>
  turns[0]?.role === 'user' ? turns : [NOTHING, ...turns];

/** White space at the end of the beginning of an answer is refused. */
function trimPrefill(turns: readonly Turn[]): readonly Turn[] {
  const last = turns.at(-1);
  const block = last?.blocks.at(-1);
  if (last?.role !== 'assistant' || block === undefined || !isText(block)) return turns;
  const text = wordsOf(block).trimEnd();
  return [...turns.slice(0, -1), { ...last, blocks: [...last.blocks.slice(0, -1), { ...block, text }] }];
}

const THOUGHTS: ReadonlySet<unknown> = new Set(['thinking', 'redacted_thinking']);

/**
 * Every turn of the assistant since the user last spoke begins with signed thoughts, as a request that asks for a budget
 * of thinking has to show.
 */
export function isLoopSigned(messages: readonly JsonObject[]): boolean {
  const turns = messages.filter(({ role }) => role !== 'system');
  for (const { role, content } of turns.toReversed()) {
    const blocks = listOf(content) as readonly JsonObject[];
    if (role === 'user' && !blocks.some(isResult)) return true;
    if (role === 'assistant' && !THOUGHTS.has(blocks[0]?.['type'])) return false;
  }
  return true;
}
