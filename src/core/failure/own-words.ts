import { normaliseMessage, withNames, withoutQuotes } from './phrase.ts';
import type { FailureSignal } from './signal.ts';

/**
 * What a provider says of itself: its message, normalised, without what may be the client's. Nothing else of a message is
 * ever matched, so what a client writes decides nothing by being quoted. Of words that are repeated without marks
 * nothing here can tell: who knows the request doubts them (`doubt-echo`).
 */
export type OwnWords = {
  /** Each quotation is a `~`. */
  readonly plain: string;
  /** The same, but names of things stay, without their marks. */
  readonly named: string;
};

/** A page of HTML is an envelope, whatever its words are: it says nothing. */
export function ownWords({ body, error }: Pick<FailureSignal, 'body' | 'error'>): OwnWords {
  const message = normaliseMessage(body === 'html' ? '' : (error?.message ?? ''));
  return { plain: withoutQuotes(message), named: withNames(message) };
}
