import { ALL_BETAS, BETA_FLAG, betaPart, type Capabilities, flagsOfPart } from '../../core/model/capability.ts';
import type { Headers } from '../../core/model/protocol.ts';

const BETA_HEADER = 'anthropic-beta';

const flagsOf = (value: string | undefined): string[] => [
  ...new Set((value ?? '').split(',').map((flag) => flag.trim())),
];

export type ChosenBetas = {
  /** The header as this target gets it; empty: not at all. Absent: nobody asked for any. */
  readonly headers: Headers;
  /** The flags that it gets. */
  readonly sent: readonly string[];
  /** The others, as parts. */
  readonly leftOut: readonly string[];
};

/** The flags that a target takes out of those that were asked for, in their order. */
export function chooseBetas(headers: Headers, { betas, leaveOut = [] }: Capabilities): ChosenBetas {
  const asked = headers[BETA_HEADER];
  if (asked === undefined) return { headers: {}, sent: [], leftOut: [] };
  const taken = betas?.map(betaPart);
  const flags = flagsOf(asked).filter((flag) => BETA_FLAG.test(flag));
  const left = new Set(flags.map(betaPart).filter((part) => taken === undefined || taken.includes(part)));
  for (const set of refusedSets(leaveOut)) {
    // A request without one of them may be the one that is taken.
    if (set.every((part) => left.has(part))) for (const part of set) left.delete(part);
  }
  const isKept = (flag: string): boolean => !leaveOut.includes(ALL_BETAS) && left.has(betaPart(flag));
  const sent = flags.filter(isKept);
  return {
    headers: { [BETA_HEADER]: sent.join(',') },
    sent,
    leftOut: flags.filter((flag) => !sent.includes(flag)).map(betaPart),
  };
}

/**
 * Flags that were refused together, the smaller sets first: one that is known by its name explains what others were
 * refused for.
 */
const refusedSets = (leaveOut: readonly string[]): readonly (readonly string[])[] =>
  leaveOut
    .flatMap((part) => {
      const flags = flagsOfPart(part);
      return flags === null ? [] : [flags.map(betaPart)];
    })
    .sort((a, b) => a.length - b.length);

/** The header with one more flag. */
export function withBeta(headers: Headers, flag: string): Headers {
  const flags = flagsOf(headers[BETA_HEADER]).filter((one) => one !== '' && one !== flag);
  return { [BETA_HEADER]: [...flags, flag].join(',') };
}
