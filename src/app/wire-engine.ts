import { createUndiciClient } from '../adapter/http-undici/index.ts';
import { createThreadPool } from '../adapter/translation-thread/index.ts';
import type { ClassifierRow } from '../core/failure/table.ts';
import { createEngine } from '../engine/create-engine.ts';
import type { Engine } from '../engine/index.ts';
import type { HttpClient } from '../port/http-client.ts';
import type { TranslationPool } from '../port/translation-pool.ts';
import { PRESETS } from '../provider/registry.ts';
import type { Ground } from './ground.ts';
import { isAddressAllowed } from './is-address-allowed.ts';
import type { Stores } from './open-stores.ts';
import type { OpenedTelemetry } from './open-telemetry.ts';
import { startTranslationThread } from './translation-thread.ts';

export type WiredEngine = {
  readonly engine: Engine;
  readonly http: HttpClient;
  readonly translation: TranslationPool;
  /** A provider's own rows of the failure table, by its name. */
  readonly failureRows: (provider: string) => readonly ClassifierRow[];
};

/** The engine, and what it reaches providers with. */
export function wireEngine(
  { config, secrets, clock, random, owner }: Ground,
  { telemetry, traces }: Pick<OpenedTelemetry, 'telemetry' | 'traces'>,
  { ledger, health }: Pick<Stores, 'ledger' | 'health'>,
): WiredEngine {
  const http = createUndiciClient({ isAddressAllowed: (host, address) => isAddressAllowed(config(), host, address) });
  const translation = createThreadPool({ clock, start: startTranslationThread });
  const failureRows = (provider: string): readonly ClassifierRow[] => {
    const preset = config().providers.get(provider)?.preset;
    return PRESETS.find((candidate) => candidate.name === preset)?.failureRows ?? [];
  };
  const engine = createEngine({
    clock,
    random,
    http,
    ledger,
    health,
    telemetry,
    translation,
    owner,
    failureRows,
    clean: (text) => secrets.clean(text),
    ...traces.port,
  });
  return { engine, http, translation, failureRows };
}
