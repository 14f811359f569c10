import type { AnswerEvent, BlockStart } from '../../core/model/answer.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import { nonEmpty } from '../shared/value.ts';

/**
 * What events have said of one piece of an item: a part of a message, the summary or the thoughts of a reasoning item,
 * the input of a call. Snapshots repeat it; only what they say more is new.
 */
export type Piece = {
  /** Null: not opened yet. */
  block: number | null;
  isClosed: boolean;
  /** What was said, by the place in the summary or the thoughts; 0 elsewhere. */
  readonly said: string[];
  annotations: number;
  logprobs: number;
};

/** An item of the output, from its first event to its last. */
export type OpenItem = {
  readonly type: string;
  /** The item as it was shown last. */
  shown: JsonObject;
  readonly pieces: Map<string, Piece>;
  /** Those that were opened since all were closed. */
  readonly open: Set<Piece>;
  isDone: boolean;
};

export const createItem = (type: string, shown: JsonObject): OpenItem => ({
  type,
  shown,
  pieces: new Map(),
  open: new Set(),
  isDone: false,
});

/** Items of which a piece may be shown here and a piece there; all others are what they are in the end. */
const BUILT: readonly string[] = ['message', 'reasoning', 'function_call', 'custom_tool_call'];

/** An item as it is shown now. What it said when it was opened stands where its end leaves it out, but for its status. */
export function grown({ type, shown }: OpenItem, now: JsonObject, isDone: boolean): JsonObject {
  if (!BUILT.includes(type)) return now;
  const { status, ...before } = shown;
  const filled = Object.entries(now).filter(([, value]) => value !== null && value !== '');
  const kept = isDone || status === undefined ? {} : { status };
  return { ...before, ...kept, ...Object.fromEntries(filled) };
}

/** Another item in the same place: providers that don't count have all in one. */
export function isOther(known: OpenItem, shown: JsonObject): boolean {
  if (known.type !== shown['type']) return true;
  const [before, now] = [nonEmpty(known.shown['id']), nonEmpty(shown['id'])];
  const [call, other] = [nonEmpty(known.shown['call_id']), nonEmpty(shown['call_id'])];
  if (call !== null && other !== null) return call !== other;
  return known.isDone && before !== now;
}

/** Where the events of pieces go: opens blocks, says what is new, closes them. */
export class PieceTeller {
  readonly out: AnswerEvent[] = [];
  #blocks = 0;

  take(): readonly AnswerEvent[] {
    return this.out.splice(0);
  }

  /** A block that is whole at its start. */
  tellWhole(content: BlockStart): void {
    const block = this.#blocks++;
    this.out.push({ type: 'block_start', block, choice: 0, content }, { type: 'block_end', block });
  }

  piece(item: OpenItem, key: string): Piece {
    const known = item.pieces.get(key);
    if (known !== undefined) return known;
    const piece: Piece = { block: null, isClosed: false, said: [], annotations: 0, logprobs: 0 };
    item.pieces.set(key, piece);
    return piece;
  }

  /** Opens the piece's block; null: it is closed already. */
  open(item: OpenItem, key: string, content: BlockStart): Piece | null {
    const piece = this.piece(item, key);
    if (piece.isClosed) return null;
    if (piece.block === null) {
      // Parts of a message follow each other, whether the end of the one before was told or not.
      if (item.type === 'message') this.closeAll(item);
      item.open.add(piece);
      piece.block = this.#blocks++;
      this.out.push({ type: 'block_start', block: piece.block, choice: 0, content });
    }
    return piece;
  }

  say(piece: Piece, text: string, place: number, section: boolean): void {
    if (text === '' || piece.block === null || piece.isClosed) return;
    piece.said[place] = (piece.said[place] ?? '') + text;
    this.out.push({ type: 'delta', block: piece.block, text, ...(section ? { section: place } : {}) });
  }

  /** What a snapshot says beyond the deltas. One that says something else comes too late to be heard. */
  saySnapshot(piece: Piece, text: string, place: number, section: boolean): void {
    const said = piece.said[place] ?? '';
    if (text.startsWith(said)) this.say(piece, text.slice(said.length), place, section);
  }

  close(piece: Piece): void {
    if (piece.block !== null && !piece.isClosed) this.out.push({ type: 'block_end', block: piece.block });
    piece.isClosed = true;
  }

  closeAll(item: OpenItem): void {
    for (const piece of item.open) this.close(piece);
    item.open.clear();
  }
}
