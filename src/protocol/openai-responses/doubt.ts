import type { CanonicalEvent, Frame } from '../../core/model/event.ts';
import { snapshotsOf, type TextSums } from './text-sums.ts';
import type { WireEvent } from './types.ts';

/**
 * - `proved`: nothing is missing in front of this event. - `refuted`: something is, or it can't be known any more.
 * - `open`: what follows may tell.
 */
export type Verdict = 'proved' | 'refuted' | 'open';

const OF_TOOLS: ReadonlySet<string> = new Set(['tool_call', 'tool_fragment', 'tool_end']);

/**
 * A data frame came damaged, behind output and in no tool call. What follows waits until it is known whether that frame
 * held anything: the next number is the one that was due, or the part in which it came is shown whole and is what its
 * deltas add up to. Until then no reader sees a text behind what may be a hole in it.
 */
export class Doubt {
  readonly held: Frame[] = [];
  #heldBytes = 0;
  /** The last number before the damage; null: the events have none. */
  readonly #after: number | null;
  /** The part that was open; null: none. */
  readonly #part: string | null;
  #isCounted = false;

  constructor(after: number | null, part: string | null) {
    this.#after = after;
    this.#part = part;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  hold(frames: readonly Frame[]): void {
    for (const frame of frames) {
      this.held.push(frame);
      this.#heldBytes += frame.bytes.length;
    }
  }

  /** Takes one event, whose own delta is in `sums` already. */
  judge(
    type: string,
    event: WireEvent,
    events: readonly CanonicalEvent[],
    sequence: number | null,
    sums: TextSums,
  ): Verdict {
    if (this.#after !== null && sequence !== null && !this.#isCounted) {
      this.#isCounted = true;
      if (sequence === this.#after + 1) return 'proved';
    }
    if (this.#part === null) return this.#isCounted || isLast(events) ? 'refuted' : 'open';
    if (events.some((each) => OF_TOOLS.has(each.type))) return 'refuted';
    const snapshot = snapshotsOf(type, event).find(({ key }) => key === this.#part);
    if (snapshot !== undefined) return sums.matches(snapshot.key, snapshot.text) ? 'proved' : 'refuted';
    return isLast(events) ? 'refuted' : 'open';
  }
}

const isLast = (events: readonly CanonicalEvent[]): boolean => events.some(({ type }) => type === 'finish');
