import type { Frame } from '../../core/model/event.ts';
import { EMPTY } from '../json/index.ts';
import { chunkFrame, frameOf } from './emit.ts';
import { type AnswerState, type ChoiceState, finishEvents, hasCalls, wordForCalls } from './inspect.ts';

/**
 * What has to stand in front of the end mark when choices have not said how they ended: the mark makes it certain that
 * they did. Nothing for an answer that never began. Tool calls must have come whole, else the answer is cut.
 */
export function closeBeforeDone(state: AnswerState, renameModel: string | null): Frame[] {
  if (state.isFinished || state.choices.size === 0) return [];
  const open = [...state.choices].filter(([, choice]) => choice.finish === null).toSorted(([a], [b]) => a - b);
  const words = open.map(([index, choice]) => [index, choice, wordForCalls(choice, false) ?? 'stop'] as const);
  if (words.some(([, , word]) => word === 'broken')) {
    return [
      frameOf(EMPTY, [{ type: 'cut', reason: 'the end mark came before the arguments of a tool call were whole' }]),
    ];
  }
  for (const [, choice, word] of words) {
    choice.finish = { reason: word === 'stop' ? 'stop' : 'tool_calls', raw: null };
  }
  const choices = words.map(([index, , word]) => ({ index, delta: {}, finish_reason: word }));
  const events = finishEvents(state);
  if (choices.length === 0) return [frameOf(EMPTY, events, [], 0)];
  return [frameOf(chunkFrame(state.head, renameModel, choices), events, ['finish_reason_added'], 0)];
}

/**
 * Fewer choices came than were asked for, and all of those have ended: the end of the body makes that the answer's end.
 */
export const haveAllEnded = (state: AnswerState): boolean =>
  state.choices.size > 0 && [...state.choices.values()].every((choice) => choice.finish !== null);

const isOpenCall = (choice: ChoiceState): boolean =>
  choice.finish === null && (hasCalls(choice) || choice.calls.silent.size > 0);

export const isInToolCall = (state: AnswerState): boolean => [...state.choices.values()].some(isOpenCall);

export const hasToolCalls = (state: AnswerState): boolean => [...state.choices.values()].some(hasCalls);
