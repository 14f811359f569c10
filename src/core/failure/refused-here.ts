import type { AttemptRecord } from '../attempt/ledger.ts';
import type { Protocol } from '../model/protocol.ts';
import { PROTOCOL_NAMES } from '../model/protocol-names.ts';
import type { Candidate } from '../routing/plan.ts';
import type { Failure } from './failure.ts';
import type { Asked } from './foreign-words.ts';

/** Words of a provider that go on to a client. */
export type KeptWords = Pick<Failure, 'code' | 'param' | 'type'>;

const NO_WORDS: KeptWords = { code: null, param: null, type: null };

/** Protocols of one maker, whose codes and types are the same words. */
const KIN: ReadonlySet<Protocol> = new Set<Protocol>(['openai-chat', 'openai-responses']);

/** The protocol in which the gateway wrote the request for this attempt; null: it went as the client wrote it. */
export function writtenIn({ target }: AttemptRecord, candidates: readonly Candidate[], asked: Asked): Protocol | null {
  const spoken = candidates.find((each) => each.target.id === target)?.target.protocol;
  return spoken === undefined || spoken === asked.protocol ? null : spoken;
}

/**
 * Which of the words that refused a request its client can read. Of one that the gateway wrote: codes of its own
 * protocol's maker, and names that it used itself; places in a body that it never saw are nothing to it.
 */
export function keptWords(failure: Failure | null, spoken: Protocol | null, asked: Asked): KeptWords {
  if (failure === null) return NO_WORDS;
  const { code, param, type } = failure;
  if (spoken === null) return { code, param, type };
  const told = param !== null && asked.hasMember?.(param) === true ? param : null;
  return KIN.has(spoken) && KIN.has(asked.protocol) ? { code, param: told, type } : { ...NO_WORDS, param: told };
}

/** Who refused what: the words are about a body that the client did not write. */
export const refusedHere = ({ target }: AttemptRecord, spoken: Protocol, said: string): string =>
  `${target} refused the request as the gateway wrote it in ${PROTOCOL_NAMES[spoken].short}: ${said}`;
