import type { Engine } from '../engine/index.ts';
import type { Telemetry } from '../port/telemetry.ts';
import { createProber, type WatchingProber } from '../prober/index.ts';
import { engineSettings } from '../server/index.ts';
import type { CatalogueKeeper } from './catalogue.ts';
import type { Ground } from './ground.ts';
import type { Stores } from './open-stores.ts';

type Probing = Pick<Stores, 'health' | 'saved'> & {
  readonly engine: Engine;
  readonly telemetry: Telemetry;
  readonly catalogue: CatalogueKeeper;
};

/** A prober over the routes of the configuration in force. */
export function wireProber(
  { config, clock, ids }: Ground,
  { engine, health, saved, telemetry, catalogue }: Probing,
): WatchingProber {
  return createProber({
    engine,
    health,
    clock,
    telemetry,
    config,
    settings: () => engineSettings(config()),
    ids,
    savedAt: saved?.savedAt ?? null,
    discover: (deadlineAt) => catalogue.discover(deadlineAt),
    providers: () => catalogue.report(),
  });
}
