import type { ClientView } from './view.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export type ToolDraft = Mutable<ClientView['tools'][number]>;

/** A view that is being read. */
export type Draft = {
  text: string;
  reasoning: string;
  tools: ToolDraft[];
  usage: ClientView['usage'];
  finish: ClientView['finish'];
  isWhole: boolean;
  error: ClientView['error'];
  saysMoreBehindEnd: boolean;
  /** Of an error, wherever it stood: what the gateway knows beside it. */
  understudy: Json | null;
  /** Error or end mark have come: nothing may follow. */
  isOver: boolean;
  readonly faults: string[];
};

export type Json = { readonly [member: string]: unknown };

export const createDraft = (): Draft => ({
  text: '',
  reasoning: '',
  tools: [],
  usage: null,
  finish: null,
  isWhole: false,
  error: null,
  saysMoreBehindEnd: false,
  understudy: null,
  isOver: false,
  faults: [],
});

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
export const wordOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
export const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** Notes what is wrong with the form, each kind once. */
export function blame(draft: Draft, fault: string): void {
  if (!draft.faults.includes(fault)) draft.faults.push(fault);
}

/** Data as every client library reads it; null, and a fault: it is no JSON object. */
export function parseObject(draft: Draft, data: string): Json | null {
  try {
    const value: unknown = JSON.parse(data);
    if (isObject(value)) return value;
  } catch {
    // Told below.
  }
  blame(draft, 'data that is no JSON object');
  return null;
}

/** A call whose end has come: clients run it now, so that its arguments must parse. */
export function completeTool(draft: Draft, tool: ToolDraft): void {
  tool.isComplete = true;
  if (tool.args === '' || tool.isText === true) return;
  try {
    JSON.parse(tool.args);
  } catch {
    blame(draft, 'arguments of a complete tool call that do not parse');
  }
}

/** The error object of a body or an event; `code` stands in another place in each protocol. */
export function noteError(draft: Draft, error: Json, code: unknown = error['code']): void {
  const message = wordOf(error['message']);
  if (message === null || message === '') blame(draft, 'an error without a message');
  draft.error = { code: wordOf(code), type: wordOf(error['type']), message: message ?? '' };
  if (isObject(error['understudy'])) draft.understudy = error['understudy'];
  else blame(draft, 'an error that does not say whose it is');
  draft.isWhole = false;
  draft.isOver = true;
}
