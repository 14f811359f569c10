import { type FSWatcher, readFileSync, realpathSync, watch } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock, Timer } from '../port/clock.ts';
import { codeOf } from './error-code.ts';

export type WatchInput = {
  readonly file: string;
  /** What the running configuration was read from. */
  readonly text: string;
  readonly clock: Clock;
  /**
   * Called with a text that differs from the last one. It decides whether that is valid; the file is watched on either
   * way.
   */
  readonly onChange: (text: string) => void;
  /** The file can't be read (any more); told once per spell. */
  readonly onUnreadable: (reason: string) => void;
  /** It can be read again, and is as it was. */
  readonly onReturn?: () => void;
  /** Editors write in several steps: silence after the last one. */
  readonly debounceMs?: number;
  /** File systems that tell of nothing (network and container mounts) are looked at this often. */
  readonly pollMs?: number;
};

export interface ConfigWatcher {
  /** Reads the file now and hands it on even if it is the same. */
  reload(): void;
  close(): void;
}

const DEBOUNCE_MS = 150;
const POLL_MS = 5000;

/**
 * Watches a configuration file by its folder: editors replace files, and Kubernetes swaps a link beside them, so a
 * watch on the file itself would look at something that is gone.
 */
export function watchConfig(input: WatchInput): ConfigWatcher {
  const { clock, file, debounceMs = DEBOUNCE_MS, pollMs = POLL_MS } = input;
  let last = input.text;
  let isUnreadable = false;
  let isClosed = false;
  let pending: Timer | null = null;
  let folders = new Map<string, FSWatcher>();

  const look = (force: boolean): void => {
    pending = null;
    if (isClosed) return;
    folders = follow(file, folders, soon);
    try {
      const text = readFileSync(file, 'utf8');
      if (isUnreadable && text === last && !force) input.onReturn?.();
      isUnreadable = false;
      if (text === last && !force) return;
      last = text;
      input.onChange(text);
    } catch (error) {
      if (isUnreadable && !force) return;
      isUnreadable = true;
      input.onUnreadable(codeOf(error));
    }
  };
  const soon = (): void => {
    pending?.cancel();
    pending = clock.setTimer(debounceMs, () => look(false));
  };
  const poll = (): void => {
    if (isClosed) return;
    if (pending === null) look(false);
    beat = clock.setTimer(pollMs, poll);
  };
  folders = follow(file, folders, soon);
  let beat = clock.setTimer(pollMs, poll);

  return {
    reload: () => look(true),
    close: () => {
      isClosed = true;
      pending?.cancel();
      beat.cancel();
      for (const watcher of folders.values()) watcher.close();
    },
  };
}

/** Keeps one watch on the folder of the file and one on the folder that links lead to. */
function follow(file: string, folders: Map<string, FSWatcher>, onEvent: () => void): Map<string, FSWatcher> {
  const wanted = new Set([dirname(file), realFolder(file)]);
  const next = new Map<string, FSWatcher>();
  for (const [folder, watcher] of folders) {
    if (wanted.has(folder)) next.set(folder, watcher);
    else watcher.close();
  }
  for (const folder of wanted) {
    if (!next.has(folder)) watchFolder(folder, onEvent, next);
  }
  return next;
}

/** A folder that can't be watched, or goes away with its watch, is left to the poll. */
function watchFolder(folder: string, onEvent: () => void, folders: Map<string, FSWatcher>): void {
  try {
    const watcher = watch(folder, { persistent: false }, onEvent);
    folders.set(folder, watcher);
    watcher.on('error', () => {
      watcher.close();
      if (folders.get(folder) === watcher) folders.delete(folder);
    });
  } catch {
    folders.delete(folder);
  }
}

function realFolder(file: string): string {
  try {
    return dirname(realpathSync(file));
  } catch {
    return dirname(file);
  }
}
