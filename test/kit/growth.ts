/** How many times longer ten times as much takes, at the best of several runs. */
export function growth(length: number, make: (length: number) => () => unknown): number {
  const time = (run: () => unknown): number => {
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 5; i++) {
      // CPU time, which other processes do not change.
      const from = process.cpuUsage();
      run();
      const { user, system } = process.cpuUsage(from);
      best = Math.min(best, (user + system) / 1000);
    }
    return best;
  };
  const [less, more] = [make(length), make(length * 10)];
  time(less);
  return time(more) / Math.max(time(less), 0.5);
}
