import { createInterface } from 'node:readline';
import { startChild } from './children.ts';

/** Times, µs. */
export type Times = {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly max: number;
};

/** What the clients saw. `delay` is the age of tokens as they arrived, `first` the time to the first of a stream. */
export type Loaded = {
  readonly requests: number;
  readonly errors: number;
  readonly firstError: string;
  readonly seconds: number;
  readonly open: number;
  readonly tokens: number;
  readonly latency: Times | null;
  readonly first: Times | null;
  readonly delay: Times | null;
};

/** Arguments of `native/load.c` by their names. */
export type LoadArguments = Readonly<Record<string, string | number>>;

type Line = { readonly event: 'begin' | 'end' } | ({ readonly event: 'result' } & Loaded);

/** Runs the clients; `onEvent` is called as the measured time begins and ends. */
export async function runLoad(
  program: string,
  args: LoadArguments,
  place: { readonly core: number; readonly folder: string },
  onEvent: (event: 'begin' | 'end') => void,
): Promise<Loaded> {
  const words = Object.entries(args).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const child = await startChild([program, ...words], place);
  let loaded: Loaded | null = null;
  if (child.process.stdout !== null) {
    for await (const text of createInterface({ input: child.process.stdout })) {
      const line = JSON.parse(text) as Line;
      if (line.event === 'result') loaded = line;
      else onEvent(line.event);
    }
  }
  await child.ended;
  if (loaded === null) throw new Error(`The clients have failed: ${child.complaints()}`);
  return loaded;
}
