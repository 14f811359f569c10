import { createRound } from '../core/readiness/create-round.ts';
import { nextProbes, type RoundTurn } from '../core/readiness/next-probes.ts';
import { noteResult } from '../core/readiness/note-result.ts';
import type { ReportedProvider } from '../core/readiness/report.ts';
import { endRound, type ProbeOrder, type Round, type RoundView } from '../core/readiness/round.ts';
import { type Standing, standingOf } from '../core/readiness/standing.ts';
import { faultWords } from '../core/redact/index.ts';
import { createWake } from '../engine/wake.ts';
import { type ListedRoute, observeDry, UNSENT } from './ask-route.ts';
import type { ProberHost } from './host.ts';

export type RunningRound = {
  /** Resolves when it has ended; probes that were under way then go on by themselves. */
  readonly done: Promise<void>;
  /** Something that it waits for may have come. */
  look(): void;
  stop(): void;
};

/** Runs a round over these models: first what lists their targets, then the probes, within one limit of time. */
export function runRound(host: ProberHost, names: readonly string[]): RunningRound {
  const { clock, config, discover } = host.ports;
  const startedAt = clock.now();
  const endsAt = startedAt + config().readiness.probe.maxTimeMs;
  const wake = createWake(clock, () => look());
  let round: Round | null = null;
  let isStopped = false;
  let finish = (): void => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });

  const keep = (next: Round): void => {
    // Behind its end there may be another: what comes late of this one is not the last any more.
    for (const name of names) if (round === null || host.rounds.get(name) === round) host.rounds.set(name, next);
    round = next;
  };
  const begin = (discovery?: { readonly startedAt: number; readonly end: 'complete' | 'max_time' }): void => {
    const begun = beginRound(host, names, { endsAt, ...(discovery === undefined ? {} : { discovery }) });
    keep(begun);
    host.tell({ type: 'round_started', models: names, candidates: begun.candidates.length });
    look();
  };
  const look = (): void => {
    if (round === null || round.end !== null) return;
    const now = clock.now();
    const turn: RoundTurn = isStopped
      ? { ...endRound(round, 'stopped', now), start: [], wakeAt: null }
      : nextProbes(round, now, viewOf(host));
    keep(turn.round);
    for (const route of turn.dry) observe(route);
    for (const order of turn.start) void ask(order);
    if (turn.wakeAt !== null) wake.by(turn.wakeAt);
    else {
      wake.stop();
      host.tell({ type: 'round_ended' });
      finish();
    }
  };
  const observe = (route: string): void => {
    const listed = host.listed().get(route);
    if (listed !== undefined) observeDry(host.ports, listed.route);
  };
  const ask = async ({ route, tokens, escalated }: ProbeOrder): Promise<void> => {
    const listed = host.listed().get(route);
    if (listed === undefined) {
      // Its repeat was owed when it went: nobody waits for that.
      if (round !== null) keep(noteResult(round, route, UNSENT, clock.now()).round);
      host.changed();
      return;
    }
    const { answer, tell } = await host.asker.ask({ listed, tokens, escalated, group: null });
    if (round !== null) {
      const noted = noteResult(round, route, answer, clock.now());
      keep(noted.round);
      if (noted.isDry) observeDry(host.ports, listed.route);
    }
    tell();
    look();
    host.changed();
  };

  if (discover === undefined) begin();
  else void awaitDiscovery(host, discover(endsAt), endsAt).then((end) => begin({ startedAt, end }));
  return {
    done,
    look,
    stop() {
      isStopped = true;
      look();
    },
  };
}

type Begin = Omit<Parameters<typeof createRound>[0], 'models' | 'settings' | 'standing' | 'now'>;

function beginRound(host: ProberHost, names: readonly string[], given: Begin): Round {
  const { clock, config } = host.ports;
  const { models, readiness } = config();
  const chosen = names.flatMap((name) => models.get(name) ?? []);
  return createRound({
    ...given,
    models: chosen,
    settings: readiness.probe,
    now: clock.now(),
    standing: (listed) => standingFor(host, listed),
  });
}

function standingFor({ asker, ports }: ProberHost, listed: Pick<ListedRoute, 'target' | 'route'>): Standing {
  if (asker.isUnaskable(listed.route)) return { word: 'held' };
  return standingOf(ports.health.snapshot(), listed, ports.config().readiness.probe, ports.clock.now());
}

/** Of the slots of a provider that are limited here a round takes this share, and one at least. */
const SHARE = 0.1;

function viewOf(host: ProberHost): RoundView {
  const { settings } = host.ports;
  return {
    standing(route) {
      const listed = host.listed().get(route);
      return listed === undefined ? { word: 'held' } : standingFor(host, listed);
    },
    isBusy: (account) => host.asker.isAccountBusy(account),
    room(provider) {
      const limit = settings().providers.get(provider)?.limits.concurrency ?? null;
      return limit === null ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(limit * SHARE));
    },
  };
}

/** Waits for the lists, but not longer than there is time; a fault of it costs a round its new targets, and no more. */
function awaitDiscovery(
  host: ProberHost,
  found: Promise<readonly ReportedProvider[]>,
  endsAt: number,
): Promise<'complete' | 'max_time'> {
  const { clock, telemetry } = host.ports;
  return new Promise((resolve) => {
    const timer = clock.setTimer(Math.max(0, endsAt - clock.now()), () => resolve('max_time'));
    const settle = (): void => {
      timer.cancel();
      resolve('complete');
    };
    found.then(
      (providers) => {
        host.providers = providers;
        for (const { provider, discovered, error = null } of providers)
          host.tell({ type: 'discovered', provider, models: discovered, error });
        settle();
      },
      (error: unknown) => {
        telemetry.notice('error', 'the providers could not be asked for their models', { error: faultWords(error) });
        settle();
      },
    );
  });
}
