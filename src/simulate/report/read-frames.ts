import { concatBytes, decodeUtf8 } from '../../protocol/json/index.ts';
import type { Written } from '../world/simulated-client.ts';
import type { ShownEvent } from './report.ts';

type Frame = { readonly at: number; readonly name: string; readonly text: string; readonly isText: boolean };

/** What one thing may say in a line for people. */
const MAX_TEXT = 160;

/** What was written to a client, frame by frame, with frames of one kind in a row as one. Times from `startedAt`. */
export function readFrames(writes: readonly Written[], isStream: boolean, startedAt: number): readonly ShownEvent[] {
  const frames = isStream ? splitFrames(writes) : [wholeBody(writes)].filter((frame) => frame !== null);
  const events: ShownEvent[] = [];
  let before: Frame | null = null;
  for (const frame of frames) {
    const ms = frame.at - startedAt;
    const last = events.at(-1);
    if (last !== undefined && before?.name === frame.name && before.isText === frame.isText) {
      const text = frame.isText ? last.text + frame.text : last.text;
      events[events.length - 1] = { ...last, text: cut(text), frames: last.frames + 1, last_ms: ms };
    } else {
      events.push({ ms, side: 'client', what: frame.name, text: cut(frame.text), frames: 1, last_ms: ms });
    }
    before = frame;
  }
  return events;
}

const cut = (text: string): string => (text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1)}…`);

function wholeBody(writes: readonly Written[]): Frame | null {
  const last = writes.at(-1);
  if (last === undefined) return null;
  const text = decodeUtf8(concatBytes(writes.map(({ bytes }) => bytes)));
  return { at: last.at, name: 'body', text, isText: false };
}

/** Frames end with an empty line; a frame has come when its end has. */
function splitFrames(writes: readonly Written[]): readonly Frame[] {
  const frames: Frame[] = [];
  const decoder = new TextDecoder();
  let rest = '';
  for (const { at, bytes } of writes) {
    rest += decoder.decode(bytes, { stream: true });
    const parts = rest.split(/\r?\n\r?\n/);
    rest = parts.pop() ?? '';
    frames.push(...parts.filter((part) => part !== '').map((part) => frameOf(part, at)));
  }
  const last = writes.at(-1);
  return rest === '' || last === undefined
    ? frames
    : [...frames, { at: last.at, name: 'half a frame', text: rest, isText: false }];
}

function frameOf(block: string, at: number): Frame {
  const lines = block.split(/\r?\n/);
  const fieldOf = (name: string): string | null => {
    const found = lines
      .filter((line) => line.startsWith(`${name}:`))
      .map((line) => line.slice(name.length + 1).trimStart());
    return found.length === 0 ? null : found.join('\n');
  };
  const data = fieldOf('data');
  if (data === null) return { at, name: fieldOf('event') ?? 'comment', text: fieldOf('') ?? '', isText: false };
  const text = textOf(data);
  if (text !== null) return { at, name: fieldOf('event') ?? 'text', text, isText: true };
  return { at, name: fieldOf('event') ?? nameOf(data), text: data, isText: false };
}

function nameOf(data: string): string {
  if (data === '[DONE]') return 'done';
  const value = parse(data);
  if (typeof value === 'object' && value !== null && 'error' in value && value.error !== null) return 'error';
  return 'data';
}

/** Where each protocol has the words that a frame adds to the answer: Chat, Messages, Responses, Gemini. */
const WORDS: readonly (readonly string[])[] = [
  ['choices', '0', 'delta', 'content'],
  ['delta', 'text'],
  ['delta'],
  ['candidates', '0', 'content', 'parts', '0', 'text'],
];

/** The words that a frame adds to the answer; null: none. */
function textOf(data: string): string | null {
  const value = parse(data);
  const isText = at(value, ['type']) === 'response.output_text.delta';
  const paths = WORDS.filter((path) => path.length > 1 || isText);
  const found = paths.map((path) => at(value, path)).find((text) => typeof text === 'string' && text !== '');
  return typeof found === 'string' ? found : null;
}

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, name) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[name] : undefined,
    value,
  );

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}
