import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../config/error-code.ts';
import { recallHealth } from '../core/health/read-health.ts';
import type { HealthState } from '../core/health/state.ts';
import type { Clock, Timer } from '../port/clock.ts';
import type { Telemetry } from '../port/telemetry.ts';

const FILE = 'health.json';
const CONTRACT = 'understudy-health-v1';
/** What a process that is killed forgets at most. */
const EVERY_MS = 15_000;
/** More than thousands of routes take. */
const MAX_BYTES = 32 * 1024 * 1024;

export type SavedHealth = {
  /** What was known when the last process of this state directory ended; null: nothing that can be read. */
  readonly first: HealthState | null;
  /** When that was written, epoch ms; null as above. */
  readonly savedAt: number | null;
  /** Writes it down whenever it has changed, from now on. */
  keep(snapshot: () => HealthState): void;
  /** Writes it down for the last time. */
  close(): void;
};

/**
 * Health in the state directory, so that a restart does not ask again what was known: which keys are refused, which models
 * are gone, who is in a hold. A file that can't be read or written costs that memory and nothing else.
 */
export function createSavedHealth(
  stateDir: string,
  { clock, telemetry }: { readonly clock: Clock; readonly telemetry: Pick<Telemetry, 'notice'> },
): SavedHealth {
  const path = join(stateDir, FILE);
  const found = readSaved(path, clock.now(), telemetry);
  let snapshot: (() => HealthState) | null = null;
  let written: HealthState | null = null;
  let timer: Timer | null = null;
  let isTroubled = false;
  const write = (): void => {
    const state = snapshot?.() ?? null;
    if (state === null || state === written) return;
    const draft = `${path}.new`;
    try {
      const { scopes } = state;
      writeFileSync(draft, JSON.stringify({ contract: CONTRACT, saved_at: clock.now(), scopes }), { mode: 0o600 });
      renameSync(draft, path);
      written = state;
      isTroubled = false;
    } catch (error) {
      removeDraft(draft);
      if (!isTroubled) telemetry.notice('warn', 'health could not be written down', { code: codeOf(error) });
      isTroubled = true;
    }
  };
  const arm = (): void => {
    timer = clock.setTimer(EVERY_MS, () => {
      write();
      arm();
    });
  };
  return {
    ...found,
    keep(given) {
      snapshot = given;
      arm();
    },
    close() {
      timer?.cancel();
      timer = null;
      write();
    },
  };
}

function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // Then something else has its name, which is not ours to remove.
  }
}

function readSaved(
  path: string,
  now: number,
  telemetry: Pick<Telemetry, 'notice'>,
): Pick<SavedHealth, 'first' | 'savedAt'> {
  const nothing = { first: null, savedAt: null };
  try {
    const text = readFileSync(path, 'utf8');
    const value: unknown = text.length > MAX_BYTES ? null : JSON.parse(text);
    const { contract, saved_at: savedAt } = (value ?? {}) as {
      readonly contract?: unknown;
      readonly saved_at?: unknown;
    };
    const first = contract === CONTRACT && typeof savedAt === 'number' ? recallHealth(value, now) : null;
    // A moment that lies ahead is a clock's mistake.
    if (first !== null) return { first, savedAt: Math.min(savedAt as number, now) };
    telemetry.notice('warn', 'saved health can not be read: routes start as unknown', { file: path });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return nothing;
    telemetry.notice('warn', 'saved health can not be read: routes start as unknown', {
      file: path,
      code: codeOf(error),
    });
  }
  return nothing;
}
