import type { CanonicalRequest } from '../core/model/request.ts';
import type { Issuer } from '../core/routing/affinity-state.ts';
import { isHolder } from '../core/routing/affinity-state.ts';
import type { Route } from '../core/routing/candidate.ts';
import type { ConversationCodec } from '../protocol/conversation.ts';
import { forgetTranslation, sizeOfTranslation } from '../protocol/translate/index.ts';
import { type Turn, turnsTo } from './turn.ts';

/** What came before a request that names an earlier answer, where all of it is kept here. */
export type History = {
  readonly last: Turn;
  /** The request with all of it in place of the id; null: it has outgrown what one request may hold. */
  whole(): CanonicalRequest | null;
  /**
   * The request as this route is to be asked: whoever holds the answer gets its id, everybody else the whole, without
   * what only other accounts could read. `withoutState`: the holder does not know the id, or not what it was given along.
   */
  requestFor(route: Route, withoutState: boolean): CanonicalRequest;
  /** The latest that was made: what providers may repeat of it. */
  readonly original: Uint8Array | null;
  readonly heldBytes: number;
  /** Nobody asks for it any more. */
  forget(): void;
};

type Parts = {
  readonly request: CanonicalRequest;
  readonly codec: ConversationCodec;
  readonly last: Turn;
  /** Who has the answer under its id; null: nobody. */
  readonly issuer: Issuer | null;
};

export function createHistory({ request, codec, last, issuer }: Parts): History {
  const made = new Map<string, CanonicalRequest | null>();
  const make = (name: string, isForeign: (turn: Turn) => boolean): CanonicalRequest | null => {
    const found = made.get(name);
    if (found !== undefined) return found;
    const strip = (turn: Turn, list: Uint8Array): Uint8Array => (isForeign(turn) ? codec.withoutState(list) : list);
    const lists = turnsTo(last).flatMap((turn) => [strip(turn, turn.input), strip(turn, turn.output)]);
    const expanded = codec.expand(request, lists);
    const whole = expanded.ok ? expanded.request : null;
    made.set(name, whole);
    return whole;
  };
  const whole = (): CanonicalRequest | null => make('', () => false);
  const requests = (): CanonicalRequest[] => [...made.values()].filter((each) => each !== null);
  return {
    last,
    whole,
    requestFor(route, withoutState) {
      if (issuer !== null && isHolder(route, issuer) && !withoutState) return request;
      const isForeign = ({ by }: Turn): boolean => by !== null && !isHolder(route, by);
      // Translation takes out by itself what its protocol's providers can't read.
      const isRelay = route.protocol === request.protocol;
      if (!isRelay || !turnsTo(last).some(isForeign)) return whole() ?? request;
      return make(`${route.provider} ${route.credential} ${route.account ?? ''}`, isForeign) ?? request;
    },
    get original() {
      return requests().at(-1)?.original ?? null;
    },
    get heldBytes() {
      return requests().reduce((sum, each) => sum + each.original.length + sizeOfTranslation(each), 0);
    },
    forget() {
      for (const each of requests()) forgetTranslation(each);
      made.clear();
    },
  };
}
