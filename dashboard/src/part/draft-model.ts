import type { ModelEntry } from '../../../src/management/contract.ts';

/** A target as the file has it: its name alone, or a map with more. */
export type WrittenTarget =
  | string
  | (Readonly<Record<string, unknown>> & { readonly provider?: string; readonly model?: string });

export type DraftTarget = {
  /** What tells it apart while it is moved about. */
  readonly id: string;
  readonly weight: number;
  readonly tier: number;
  /** All else that the file says of it, which stays. */
  readonly written: WrittenTarget;
};

/** What of a model is edited in the page; all other keys of the file stay as they are. */
export type DraftModel = { readonly strategy: string; readonly targets: readonly DraftTarget[] };

export const STRATEGIES = ['failover', 'round-robin', 'weighted'] as const;

export function draftOf(entry: ModelEntry): DraftModel {
  const written = (entry.config?.['targets'] ?? entry.targets) as readonly WrittenTarget[];
  return { strategy: entry.strategy, targets: written.map(draftTarget) };
}

function draftTarget(written: WrittenTarget, index: number): DraftTarget {
  if (typeof written === 'string') return { id: written, weight: 1, tier: 0, written };
  const { provider, model, weight, tier } = written;
  const id = provider === undefined ? `catalogue ${index + 1}` : `${provider}/${model ?? ''}`;
  return { id, weight: Number(weight ?? 1), tier: Number(tier ?? 0), written };
}

/** The entry as it is to be written: what the draft does not know stays, and the short form where it says all. */
export function entryOf(entry: ModelEntry, draft: DraftModel): Readonly<Record<string, unknown>> {
  const isPlainStrategy = draft.strategy === 'failover' && entry.config?.['strategy'] === undefined;
  return {
    ...entry.config,
    ...(isPlainStrategy ? {} : { strategy: draft.strategy }),
    targets: draft.targets.map(writtenOf),
  };
}

function writtenOf({ id, weight, tier, written }: DraftTarget): WrittenTarget {
  if (typeof written === 'string' && weight === 1 && tier === 0) return written;
  const slash = id.indexOf('/');
  const base = typeof written === 'string' ? { provider: id.slice(0, slash), model: id.slice(slash + 1) } : written;
  const { weight: oldWeight, tier: oldTier, ...rest } = base as Readonly<Record<string, unknown>>;
  return {
    ...rest,
    ...(weight === 1 && oldWeight === undefined ? {} : { weight }),
    ...(tier === 0 && oldTier === undefined ? {} : { tier }),
  };
}

/** The list with one of its parts at another place. */
export function moved<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const part = list[from];
  if (part === undefined || to < 0 || to >= list.length) return list;
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(to, 0, part);
}
