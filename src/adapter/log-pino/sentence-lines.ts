import type { Logger } from 'pino';
import type { EventLines } from './event-lines.ts';
import { type Cleaner, fieldsOfAttempt, fieldsOfChange, fieldsOfProbe, fieldsOfRequest, isFailed } from './fields.ts';
import { sayAttempt, sayChange, sayProbe, sayRequest } from './sentences.ts';

/** The log for people: a sentence for each request, failed attempt, change of health and probe. */
export function createSentenceLines(logger: Logger, clean: Cleaner): EventLines {
  const write = (level: 'debug' | 'info' | 'warn', say: () => string): void => {
    if (logger.isLevelEnabled(level)) logger[level](say());
  };
  const ignore = (): void => {};
  return {
    // A probe has a sentence of its own.
    requestEnded: (request) =>
      write(request.started.kind === 'probe' ? 'debug' : 'info', () => sayRequest(fieldsOfRequest(request, clean))),
    attemptStarted: ignore,
    attemptEnded: (started, attempt) =>
      write(isFailed(attempt) && started.kind !== 'probe' ? 'warn' : 'debug', () =>
        sayAttempt(fieldsOfAttempt(started, attempt, clean)),
      ),
    healthChanged: (change) => write('info', () => sayChange(fieldsOfChange(change, clean))),
    probeEnded: (probe) => write('info', () => sayProbe(fieldsOfProbe(probe, clean))),
    discoveryFailed: ({ provider, reason }) =>
      write('warn', () => `provider ${clean.name(provider)} gave no list of its models: ${reason}`),
    // A notice says what people are to know of it.
    configChanged: ignore,
    droppedMembers: () => 0,
  };
}
