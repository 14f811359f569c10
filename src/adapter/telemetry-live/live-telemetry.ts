import {
  draftAttemptEnd,
  draftAttemptStart,
  draftChange,
  draftConfigChange,
  draftDiscoveryFailure,
  draftProbe,
  draftRequestEnd,
  type EventDraft,
  type IsOurs,
} from '../../core/event/index.ts';
import type { HealthState } from '../../core/health/state.ts';
import type { EventFeed } from '../../port/event-feed.ts';
import type { Telemetry } from '../../port/telemetry.ts';
import type { Traffic } from '../../port/traffic.ts';
import { createEventRing } from './event-ring.ts';
import { createTrafficCounter } from './traffic-counter.ts';

export type LiveTelemetryOptions = {
  /** Epoch ms. */
  readonly now: () => number;
  /** Tells the ids of this process's events from those of others. */
  readonly mark: string;
  readonly isOurs?: IsOurs;
  readonly health?: () => HealthState;
};

export type LiveTelemetry = {
  readonly telemetry: Telemetry;
  readonly feed: EventFeed;
  readonly traffic: Traffic;
};

/** What happens, for those who watch now: its events one by one, and how much of it there was in the last hour. */
export function createLiveTelemetry({ now, mark, isOurs, health }: LiveTelemetryOptions): LiveTelemetry {
  const ring = createEventRing({ mark, ...(isOurs === undefined ? {} : { isOurs }) });
  const traffic = createTrafficCounter(now);
  const tell = (draft: EventDraft | null): void => void (draft !== null && ring.add(draft));
  return {
    feed: ring,
    traffic,
    telemetry: {
      attemptStarted(started, attempt) {
        traffic.attemptStarted(started, attempt);
        if (attempt.n === 1) ring.add(draftRequestStart(started));
        tell(draftAttemptStart(started, attempt));
      },
      attemptEnded(started, attempt) {
        traffic.attemptEnded(started, attempt);
        tell(draftAttemptEnd(started, attempt));
      },
      requestEnded(request) {
        traffic.requestEnded(request);
        tell(draftRequestEnd(request));
      },
      healthChanged: (change) => draftChange(change, now(), health?.() ?? null).forEach(tell),
      probeEnded: (probe) => tell(draftProbe(probe, now())),
      discoveryFailed: (failure) => tell(draftDiscoveryFailure(failure, now())),
      configChanged: (change) => tell(draftConfigChange(change, now())),
      notice: () => {},
    },
  };
}

/** Nothing is told of a request before it is sent somewhere; its first attempt follows at once. */
const draftRequestStart = ({
  at,
  request,
  model,
  protocol,
  kind,
  stream,
  key,
}: Parameters<Telemetry['attemptStarted']>[0]) => ({
  name: 'request_ended' as const,
  as: 'request_started',
  fields: { at, request, model, protocol, kind, stream, client: key },
});
