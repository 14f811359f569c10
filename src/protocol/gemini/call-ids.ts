import { nonEmpty } from '../shared/value.ts';

type Call = { readonly id: string; readonly name: string; isAnswered: boolean };

/** Calls in their order, of which those that are answered are passed over once. */
class Waiting {
  readonly #calls: Call[] = [];
  #from = 0;

  add(call: Call): void {
    this.#calls.push(call);
  }

  first(): Call | undefined {
    while (this.#calls[this.#from]?.isAnswered === true) this.#from++;
    return this.#calls[this.#from];
  }
}

/**
 * Ids are optional here: calls and results then belong together by their order and names. Others need them, so that calls
 * without one get one made of name and place: the same each time the same conversation is read. No question walks over
 * all calls: a conversation may have thousands.
 */
export class CallIds {
  readonly #byId = new Map<string, Call>();
  readonly #byName = new Map<string, Waiting>();
  readonly #all = new Waiting();
  #count = 0;

  /** The id of the next call. */
  open(given: unknown, name: string): string {
    const id = nonEmpty(given) ?? `call_${this.#count}_${name}`;
    const call: Call = { id, name, isAnswered: false };
    const named = this.#byName.get(name) ?? new Waiting();
    this.#byName.set(name, named);
    named.add(call);
    this.#all.add(call);
    this.#byId.set(id, call);
    this.#count++;
    return id;
  }

  /** The call that a result belongs to; one that nobody made is made up. */
  answer(given: unknown, name: string): { readonly id: string; readonly name: string } {
    const id = nonEmpty(given);
    const call =
      (id === null ? undefined : this.#byId.get(id)) ??
      this.#byName.get(name)?.first() ??
      (id === null ? this.#all.first() : undefined);
    if (call === undefined) return { id: id ?? `call_${this.#count}_${name}`, name };
    call.isAnswered = true;
    return { id: call.id, name: name === '' ? call.name : name };
  }
}
