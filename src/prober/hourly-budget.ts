const HOUR_MS = 3_600_000;

/** So much an hour, for each name. */
export type HourlyBudget = {
  /** The moment from which one more fits. */
  openAt(name: string, now: number): number;
  spend(name: string, now: number): void;
  /** The last one was not used. */
  giveBack(name: string): void;
};

export function createHourlyBudget(limit: number): HourlyBudget {
  const spent = new Map<string, number[]>();
  const recent = (name: string, now: number): number[] => {
    const kept = (spent.get(name) ?? []).filter((at) => at > now - HOUR_MS);
    spent.set(name, kept);
    return kept;
  };
  return {
    openAt(name, now) {
      const kept = recent(name, now);
      return kept.length < limit ? now : (kept[kept.length - limit] ?? now) + HOUR_MS;
    },
    spend: (name, now) => void recent(name, now).push(now),
    giveBack: (name) => void spent.get(name)?.pop(),
  };
}
