import type { TelemetryEvent } from '../../core/event/index.ts';
import { viewRequest } from '../../management/request-view.ts';
import type { Telemetry } from '../../port/telemetry.ts';
import type { Evidence } from './evidence.ts';
import { countRequest, createRunTally, type RunTally } from './run-tally.ts';

/** Writes down what telemetry tells of a run, as it happens. */
export type Recorder = {
  readonly telemetry: Telemetry;
  readonly tally: RunTally;
  readonly notices: readonly string[];
  onEvent(event: TelemetryEvent): void;
};

const MOST_NOTICES = 50;

export function createRecorder(evidence: Evidence): Recorder {
  const tally = createRunTally();
  const notices: string[] = [];
  const ignore = (): void => {};
  return {
    tally,
    notices,
    onEvent: (event) => evidence.append('events.jsonl', event),
    telemetry: {
      requestEnded(request) {
        countRequest(tally, request);
        const { attempts, ...view } = viewRequest(request);
        evidence.append('requests.jsonl', view);
        for (const attempt of attempts) evidence.append('attempts.jsonl', { request: request.id, ...attempt });
      },
      notice(level, message) {
        if (level !== 'info' && notices.length < MOST_NOTICES) notices.push(`${level}: ${message}`);
      },
      attemptStarted: ignore,
      attemptEnded: ignore,
      healthChanged: ignore,
      probeEnded: ignore,
      discoveryFailed: ignore,
      configChanged: ignore,
    },
  };
}
