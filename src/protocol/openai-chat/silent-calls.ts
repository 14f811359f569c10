import { isHalf, mergeInto, type Told } from './silent-call.ts';

/** A call that was opened and has said nothing yet: whatever the provider gave it besides. */
export type SilentCall = { index: number | null; id: string | null; args: string; readonly rest: Told['rest'] };

/** UTF-16 units of what the silent calls of one choice tell besides. What goes beyond is not kept. */
const MAX_REST = 1 << 18;

/** The silent calls of one choice, by whatever name the provider has for them. No question walks over them. */
export class SilentCalls {
  readonly #all = new Set<SilentCall>();
  /** Those that came without an index. */
  readonly #unplaced = new Set<SilentCall>();
  /** Both in the order of opening, with some that are none any more. */
  readonly #stack: SilentCall[] = [];
  readonly #unplacedStack: SilentCall[] = [];
  readonly #byIndex = new Map<number, SilentCall>();
  readonly #byId = new Map<string, SilentCall>();
  #halves = 0;
  #kept = 0;
  #isLast = false;

  get size(): number {
    return this.#all.size;
  }

  get hasUnplaced(): boolean {
    return this.#unplaced.size > 0;
  }

  /** One of them spoke last, and no call was opened since. */
  get isLast(): boolean {
    return this.#isLast && this.size > 0;
  }

  /** A call was opened. */
  settle(): void {
    this.#isLast = false;
  }

  /** The arguments of some have begun: they may have been cut off before they said something. */
  get hasHalves(): boolean {
    return this.#halves > 0;
  }

  /** The one that a piece belongs to: by its id or its index, or the last where one of both has no index. */
  find(index: number | null, id: string | null): SilentCall | null {
    const named = id === null ? undefined : this.#byId.get(id);
    if (named !== undefined) return named;
    const placed = index === null ? undefined : this.#byIndex.get(index);
    if (placed !== undefined && mayBe(placed, id)) return placed;
    const last = index === null ? lastOf(this.#stack, this.#all) : lastOf(this.#unplacedStack, this.#unplaced);
    return last !== undefined && mayBe(last, id) ? last : null;
  }

  /** One more silent piece. What came first is kept. */
  note(index: number | null, id: string | null, { args, rest }: Told): void {
    const present = this.find(index, id);
    const call = present ?? { index: null, id: null, args: '', rest: {} };
    if (present !== null) this.take(present);
    call.index ??= index;
    call.id ??= id;
    call.args = args;
    this.#kept += Object.keys(rest).length === 0 ? 0 : JSON.stringify(rest).length;
    if (this.#kept <= MAX_REST) mergeInto(call.rest, rest);
    this.#all.add(call);
    this.#isLast = true;
    if (call.index === null) this.#unplaced.add(call);
    else this.#byIndex.set(call.index, call);
    if (call.id !== null) this.#byId.set(call.id, call);
    if (isHalf(args)) this.#halves++;
    if (present !== null) return;
    this.#stack.push(call);
    if (index === null) this.#unplacedStack.push(call);
  }

  /** It is none any more. */
  take(call: SilentCall): void {
    if (!this.#all.delete(call)) return;
    this.#unplaced.delete(call);
    if (call.index !== null && this.#byIndex.get(call.index) === call) this.#byIndex.delete(call.index);
    if (call.id !== null) this.#byId.delete(call.id);
    if (isHalf(call.args)) this.#halves--;
  }
}

function lastOf(stack: SilentCall[], present: ReadonlySet<SilentCall>): SilentCall | undefined {
  let last = stack.at(-1);
  while (last !== undefined && !present.has(last)) {
    stack.pop();
    last = stack.at(-1);
  }
  return last;
}

const mayBe = (call: SilentCall, id: string | null): boolean => call.id === null || id === null || call.id === id;
