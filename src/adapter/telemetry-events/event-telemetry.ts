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
  type IsOurs,
  type TelemetryEvent,
} from '../../core/event/index.ts';
import type { HealthState } from '../../core/health/state.ts';
import type { Telemetry } from '../../port/telemetry.ts';

export type EventTelemetryOptions = {
  /** Takes each event, in the order in which they happen. What it throws is the caller's. */
  readonly sink: (event: TelemetryEvent) => void;
  /** Epoch ms. */
  readonly now: () => number;
  /** Names of the configuration in force; others of the right form are dropped. Absent: the form decides. */
  readonly isOurs?: IsOurs;
  /** To tell when a provider is out as a whole. Absent: a key at a time is known. */
  readonly health?: () => HealthState;
};

export type EventTelemetry = Telemetry & {
  /** Members that no event took, since the start. */
  droppedMembers(): number;
};

/** Makes the events of `docs/events.md` of what telemetry tells. Notices are for people: they make none. */
export function createEventTelemetry({ sink, now, isOurs, health }: EventTelemetryOptions): EventTelemetry {
  const make = createEventMaker(isOurs);
  let droppedMembers = 0;
  const tell = (draft: EventDraft | null): void => {
    if (draft === null) return;
    const { event, dropped } = make(draft);
    droppedMembers += dropped;
    sink(event);
  };
  return {
    attemptStarted: (started, attempt) => tell(draftAttemptStart(started, attempt)),
    attemptEnded: (started, attempt) => tell(draftAttemptEnd(started, attempt)),
    requestEnded: (request) => tell(draftRequestEnd(request)),
    healthChanged: (change) => draftChange(change, now(), health?.() ?? null).forEach(tell),
    probeEnded: (probe) => tell(draftProbe(probe, now())),
    discoveryFailed: (failure) => tell(draftDiscoveryFailure(failure, now())),
    configChanged: (change) => tell(draftConfigChange(change, now())),
    notice: () => {},
    droppedMembers: () => droppedMembers,
  };
}
