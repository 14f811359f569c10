import { ALL_BETAS, betaPart, type Capabilities } from '../../core/model/capability.ts';
import type { Headers } from '../../core/model/protocol.ts';

export const BETA_HEADER = 'anthropic-beta';

/** What a flag can be. Anything else would come back in a provider's words, where it could look like something else. */
const FLAG = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

const flagsOf = (value: string | undefined): string[] => [
  ...new Set((value ?? '').split(',').map((flag) => flag.trim())),
];

export type ChosenBetas = {
  /** The header as this target gets it; empty: not at all. Absent: nobody asked for any. */
  readonly headers: Headers;
  readonly leftOut: readonly string[];
};

/** The flags that a target takes out of those that were asked for, in their order. */
export function chooseBetas(headers: Headers, { betas, leaveOut = [] }: Capabilities): ChosenBetas {
  const asked = headers[BETA_HEADER];
  if (asked === undefined) return { headers: {}, leftOut: [] };
  const taken = betas?.map(betaPart);
  const isKept = (flag: string): boolean => {
    const part = betaPart(flag);
    return !leaveOut.includes(ALL_BETAS) && !leaveOut.includes(part) && (taken === undefined || taken.includes(part));
  };
  const flags = flagsOf(asked).filter((flag) => FLAG.test(flag));
  const kept = flags.filter(isKept);
  return {
    headers: { [BETA_HEADER]: kept.join(',') },
    leftOut: flags.filter((flag) => !kept.includes(flag)).map(betaPart),
  };
}

/** The header with one more flag. */
export function withBeta(headers: Headers, flag: string): Headers {
  const flags = flagsOf(headers[BETA_HEADER]).filter((one) => one !== '' && one !== flag);
  return { [BETA_HEADER]: [...flags, flag].join(',') };
}
