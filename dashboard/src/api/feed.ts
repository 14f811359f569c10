import type { QueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import { gather } from './gather.ts';
import { ALL_TOUCHED, FEED_EVENTS, type FeedEvent, touchedBy } from './touched.ts';

/** `live`: the gateway tells what happens. `polling`: it does not, and is asked now and then. */
export type FeedState = 'live' | 'polling';

const EVERY_MS = 1000;
const RETRY_MS = 10_000;

let state: FeedState = 'polling';
const listeners = new Set<() => void>();

export const feedState = (): FeedState => state;

function setState(next: FeedState): void {
  if (next === state) return;
  state = next;
  for (const tell of listeners) tell();
}

export const useFeedState = (): FeedState =>
  useSyncExternalStore((onChange) => {
    listeners.add(onChange);
    return () => listeners.delete(onChange);
  }, feedState);

/**
 * Listens to `GET /events` while the page can be seen, and has the queries asked again whose answers an event has made
 * old: at most once a second, however much happens.
 */
export function useFeed(client: QueryClient): void {
  useEffect(() => {
    const gathered = gather<string>({ everyMs: EVERY_MS, flush: (keys) => refetch(client, keys) });
    let source: EventSource | null = null;
    let retry: number | undefined;

    const close = (): void => {
      window.clearTimeout(retry);
      source?.close();
      source = null;
      setState('polling');
    };
    const open = (): void => {
      close();
      if (document.hidden) return;
      const made = new EventSource('/api/v1/events');
      source = made;
      made.addEventListener('open', () => {
        setState('live');
        gathered.add(ALL_TOUCHED);
      });
      made.addEventListener('error', () => {
        setState('polling');
        // It asks again by itself, but not where it was refused.
        if (made.readyState === EventSource.CLOSED) retry = window.setTimeout(open, RETRY_MS);
      });
      for (const name of FEED_EVENTS)
        made.addEventListener(name, ({ data }: MessageEvent<string>) => gathered.add(touchedBy(read(data, name))));
      for (const name of ['reset', 'lagged']) made.addEventListener(name, () => gathered.add(ALL_TOUCHED));
    };

    open();
    document.addEventListener('visibilitychange', open);
    return () => {
      document.removeEventListener('visibilitychange', open);
      close();
      gathered.stop();
    };
  }, [client]);
}

/** A list that somebody has paused stays as it is. */
function refetch(client: QueryClient, keys: ReadonlySet<string>): void {
  void client.invalidateQueries(
    { predicate: ({ queryKey, meta }) => keys.has(String(queryKey[0])) && meta?.['isPaused'] !== true },
    { cancelRefetch: false },
  );
}

function read(data: string, event: string): FeedEvent {
  try {
    return { ...(JSON.parse(data) as FeedEvent), event };
  } catch {
    return { event };
  }
}
