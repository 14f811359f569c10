import type { Send } from './draw-plan.ts';

/** How the run is, told to the process of the providers as arguments. */
export type ProviderOptions = { readonly seed: number; readonly share: number };

/** What the run tells the providers. */
export type ToProvider =
  /** Answer by `synced`, behind all sends that have arrived; `done`: tags that nobody sends any more. */
  | { readonly kind: 'sync'; readonly id: number; readonly done: readonly string[] }
  /** From now on nobody fails. */
  | { readonly kind: 'calm' };

/** What the providers tell the run, in the order in which it happened. */
export type FromProvider =
  | { readonly kind: 'ready'; readonly ports: Readonly<Record<string, number>> }
  | { readonly kind: 'sends'; readonly sends: readonly Send[] }
  | { readonly kind: 'synced'; readonly id: number; readonly open: number; readonly lagMs: number };

/** What a client says. A provider knows its request again by it: no header goes along to every target. */
export const questionOf = (tag: string): string => `What is known of ${tag}? ${'Tell me more. '.repeat(20)}`;

/** The tag in a body. Throws for one that no client of the run has written. */
export function tagOf(body: string): string {
  const tag = /What is known of (q\d+L?)\?/.exec(body)?.[1];
  if (tag === undefined) throw new Error(`nobody's request: ${body.slice(0, 200)}`);
  return tag;
}
