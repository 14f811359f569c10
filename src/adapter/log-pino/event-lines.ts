import type { Logger } from 'pino';
import {
  createEventMaker,
  draftAttemptEnd,
  draftAttemptStart,
  draftChange,
  draftConfigChange,
  draftDiscoveryFailure,
  draftProbe,
  draftRequestEnd,
  type EventDraft,
  type EventName,
  type IsOurs,
  writeEvent,
} from '../../core/event/index.ts';
import type { HealthState } from '../../core/health/state.ts';
import type { Telemetry } from '../../port/telemetry.ts';
import { type Cleaner, type Fields, isFailed } from './fields.ts';

export type EventLineOptions = {
  /** Says what is written at all. */
  readonly logger: Logger;
  readonly write: (line: string) => void;
  readonly clean: Cleaner;
  /** Names of the configuration in force. */
  readonly isOurs: IsOurs;
  /** The state behind a change; null: nobody can tell. */
  readonly health: () => HealthState | null;
  /** Epoch ms. */
  readonly now: () => number;
};

type Level = 'debug' | 'info' | 'warn';

/** What says once more in other words what another event has said is for debugging. */
const LEVELS: { readonly [N in EventName]: Level } = {
  request_ended: 'info',
  route_state_changed: 'info',
  probe_result: 'info',
  config_changed: 'info',
  provider_exhausted: 'warn',
  provider_rejected_permanent: 'warn',
  discovery_failed: 'warn',
  attempt_started: 'debug',
  attempt_ended: 'debug',
  hold_started: 'debug',
  circuit_changed: 'debug',
};

export type EventLines = Omit<Telemetry, 'notice'> & {
  /** Members that no event of the log took, since the start. */
  droppedMembers(): number;
};

/**
 * The log for programs: events as the schema has them, each a line that `understudy sanitize` passes. Words, which no
 * event has, stand in a line of their own behind it, and only where there are some.
 */
export function createEventLines(options: EventLineOptions): EventLines {
  const { logger, write, clean, health, now } = options;
  // A secret of the configuration may look like a name.
  const make = createEventMaker((kind, name) => options.isOurs(kind, name) && clean.name(name) === name);
  let droppedMembers = 0;
  const tell = (draft: EventDraft | null, level: Level | null = null): void => {
    if (draft === null || !logger.isLevelEnabled(level ?? LEVELS[draft.name])) return;
    const { event, dropped } = make(draft);
    droppedMembers += dropped;
    write(`${writeEvent(event)}\n`);
  };
  const explain = (level: Level, reason: string | null | undefined, text: string, fields: () => Fields): void => {
    if (reason === null || reason === undefined || !logger.isLevelEnabled(level)) return;
    logger[level]({ ...fields(), reason: clean.text(reason) }, text);
  };
  return {
    droppedMembers: () => droppedMembers,
    requestEnded(request) {
      const { id, started, ended } = request;
      tell(draftRequestEnd(request));
      if (ended === null || ended.outcome === 'ok') return;
      explain('info', ended.reason, 'request', () => ({ request: clean.id(id), model: clean.name(started.model) }));
    },
    attemptStarted: (started, attempt) => tell(draftAttemptStart(started, attempt)),
    attemptEnded(started, attempt) {
      const level = isFailed(attempt) ? 'warn' : 'debug';
      tell(draftAttemptEnd(started, attempt), level);
      const text = level === 'warn' ? 'attempt failed' : 'attempt';
      explain(level, attempt.reason, text, () => ({ request: clean.id(started.request), n: attempt.n }));
    },
    healthChanged(change) {
      if (!logger.isLevelEnabled('warn')) return;
      for (const draft of draftChange(change, now(), health())) tell(draft);
      const { scope, id, reason } = change;
      explain('info', reason, 'health', () => ({ scope: clean.name(scope), id: clean.name(id) }));
    },
    probeEnded: (probe) => tell(draftProbe(probe, now())),
    discoveryFailed: (failure) => tell(draftDiscoveryFailure(failure, now())),
    configChanged: (change) => tell(draftConfigChange(change, now())),
  };
}
