import { useSyncExternalStore } from 'react';
import { gatewayNow } from '../api/gateway-clock.ts';

const EVERY_MS = 1000;
const listeners = new Set<() => void>();
let now = gatewayNow();
let timer: number | null = null;

/** The gateway's time, once a second, the same for all who show one; nothing ticks while nobody does. */
export const useNow = (): number => useSyncExternalStore(listen, () => now);

function listen(onTick: () => void): () => void {
  listeners.add(onTick);
  if (listeners.size === 1) now = gatewayNow();
  timer ??= window.setInterval(() => {
    now = gatewayNow();
    for (const tell of listeners) tell();
  }, EVERY_MS);
  return () => {
    listeners.delete(onTick);
    if (listeners.size > 0 || timer === null) return;
    window.clearInterval(timer);
    timer = null;
  };
}
