import { expandTargets } from '../config/expand-targets.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import type { ReportedProvider } from '../core/readiness/report.ts';
import { faultWords } from '../core/redact/index.ts';
import type { ProviderRuntime } from '../core/routing/provider.ts';
import type { Clock, Timer } from '../port/clock.ts';
import type { Telemetry } from '../port/telemetry.ts';
import { type Discovered, LIST_LIMIT_MS } from '../prober/index.ts';
import {
  askedProviders,
  changedLists,
  type KnownLists,
  keepWanted,
  listingsOf,
  noteFound,
  placeOf,
  recallLists,
  reportOf,
} from './known-lists.ts';
import type { SavedCatalogue } from './saved-catalogue.ts';

/** A provider that never gave a list is asked again after this, and after twice as long each time that it fails. */
const RETRY_MS = 15_000;
/** Whoever was asked within this is not asked again: a start and the round that it begins want the same lists. */
const FRESH_MS = 10_000;

export type CatalogueParts = {
  readonly clock: Clock;
  readonly telemetry: Pick<Telemetry, 'notice' | 'discoveryFailed'>;
  /** Null: lists are not kept. */
  readonly saved: SavedCatalogue | null;
  /** Asks these providers, until this moment at the latest (epoch ms). */
  readonly ask: (providers: readonly ProviderRuntime[], deadlineAt: number) => Promise<readonly Discovered[]>;
  /** The configuration is another one, since lists are. */
  readonly onChange: (config: RuntimeConfig) => void;
};

/** Keeps what providers list, and a configuration in step with it. */
export type CatalogueKeeper = {
  /** The configuration with what is known of lists worked in. Lists of providers that are others now are forgotten. */
  take(base: RuntimeConfig): RuntimeConfig;
  /**
   * Asks for all lists that the configuration wants, until a moment (epoch ms) at the latest; who asks while somebody does
   * gets the same answer. With probes off only for those that were not asked for since the configuration was taken.
   * Never rejects.
   */
  discover(deadlineAt: number): Promise<readonly ReportedProvider[]>;
  /** What is known of each provider's list now. */
  report(): readonly ReportedProvider[];
  /** Asks at once, and from now on as often as it has to be. */
  start(): void;
  close(): void;
};

export function createCatalogueKeeper(parts: CatalogueParts): CatalogueKeeper {
  const { clock, saved } = parts;
  let base: RuntimeConfig | null = null;
  let known: KnownLists | null = null;
  let underway: Promise<readonly ReportedProvider[]> | null = null;
  /** Who was asked since the configuration was taken, and when (epoch ms). */
  let asked = new Map<string, number>();
  let isStarted = false;
  let isClosed = false;
  const again = createAgain(clock, () => {
    for (const name of missing()) asked.delete(name);
    void discover(clock.now() + LIST_LIMIT_MS);
  });

  const missing = (): readonly string[] =>
    base === null ? [] : askedProviders(base).flatMap(({ name }) => (known?.get(name)?.listing == null ? [name] : []));
  const settle = (found: readonly Discovered[], places: ReadonlyMap<string, string>): void => {
    if (isClosed || base === null) return;
    const before: KnownLists = known ?? new Map();
    const wants = new Map(askedProviders(base).map((provider) => [provider.name, placeOf(provider)]));
    // Somebody else may have a name by now.
    const taken = found.flatMap((each) => {
      const place = wants.get(each.provider);
      return place !== undefined && place === places.get(each.provider) ? [{ ...each, place }] : [];
    });
    for (const { provider } of taken) asked.set(provider, clock.now());
    known = noteFound(before, taken, clock.now());
    if (taken.some(({ ok }) => ok)) saved?.write(listingsOf(known));
    const changed = changedLists(before, known);
    tell(parts.telemetry, taken, changed);
    if (changed.length > 0) parts.onChange(expandTargets(base, known));
  };
  const report = (): readonly ReportedProvider[] =>
    [...(base?.providers.keys() ?? [])].map((name) => reportOf(name, known?.get(name), clock.now()));
  const run = async (deadlineAt: number): Promise<readonly ReportedProvider[]> => {
    const providers = base === null || isClosed ? [] : dueProviders(base, asked, clock.now());
    try {
      const places = new Map(providers.map((provider) => [provider.name, placeOf(provider)]));
      if (providers.length > 0) settle(await parts.ask(providers, deadlineAt), places);
    } catch (error) {
      parts.telemetry.notice('error', 'lists of models could not be taken', { error: faultWords(error) });
    }
    if (isStarted && !isClosed && base !== null) again.set(base, missing().length > 0);
    return report();
  };
  const discover = (deadlineAt: number): Promise<readonly ReportedProvider[]> => {
    if (underway !== null) return underway;
    const running = run(deadlineAt);
    underway = running;
    void running.then(() => {
      underway = null;
    });
    return running;
  };
  const askNow = (): void => void discover(clock.now() + LIST_LIMIT_MS);

  return {
    take(next) {
      base = next;
      known = keepWanted(known ?? recallLists(saved?.read(clock.now()) ?? new Map()), next);
      asked = new Map();
      // What is under way may be asking others.
      if (isStarted && underway !== null) void underway.then(askNow);
      else if (isStarted) askNow();
      return expandTargets(next, known);
    },
    discover,
    report,
    start() {
      isStarted = true;
      askNow();
    },
    close() {
      isClosed = true;
      again.cancel();
    },
  };
}

/** Of those whose lists are wanted, those that are to be asked now. */
function dueProviders(
  config: RuntimeConfig,
  asked: ReadonlyMap<string, number>,
  now: number,
): readonly ProviderRuntime[] {
  const isOff = config.readiness.probe.mode === 'off';
  return askedProviders(config).filter(({ name }) => {
    const at = asked.get(name);
    return at === undefined || (!isOff && now - at >= FRESH_MS);
  });
}

function tell(telemetry: CatalogueParts['telemetry'], found: readonly Discovered[], changed: readonly string[]): void {
  for (const each of found) {
    const { provider } = each;
    if (!each.ok) telemetry.discoveryFailed({ provider, reason: each.reason });
    else if (changed.includes(provider)) {
      const counts = { models: each.models.length, left_out: each.leftOut };
      telemetry.notice('info', 'a provider has listed its models', { provider, ...counts });
    }
  }
}

type Again = {
  /** `isMissing`: somebody never gave a list. */
  set(config: RuntimeConfig, isMissing: boolean): void;
  cancel(): void;
};

/**
 * Once more, later: soon and then less and less often while a list is missing; else when a round would be due, for those
 * that have no rounds. With probes off nobody who has a list is asked for a new one.
 */
function createAgain(clock: Clock, act: () => void): Again {
  let retryMs = RETRY_MS;
  let timer: Timer | null = null;
  const cancel = (): void => {
    timer?.cancel();
    timer = null;
  };
  return {
    set({ catalogue, readiness }, isMissing) {
      cancel();
      const { mode, everyMs } = readiness.probe;
      if (catalogue.providers.length === 0 || (mode === 'off' && !isMissing)) return;
      const delay = isMissing ? Math.min(retryMs, everyMs) : everyMs;
      retryMs = isMissing ? Math.min(retryMs * 2, everyMs) : RETRY_MS;
      timer = clock.setTimer(delay, () => {
        timer = null;
        act();
      });
    },
    cancel,
  };
}
