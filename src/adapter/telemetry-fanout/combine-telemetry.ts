import type { Telemetry } from '../../port/telemetry.ts';

/** Tells each in turn. One that throws keeps neither the others nor the request from going on. */
export function combineTelemetry(...listeners: readonly Telemetry[]): Telemetry {
  const tell = (call: (listener: Telemetry) => void) => {
    for (const listener of listeners) {
      try {
        call(listener);
      } catch {
        // Who reports is never a reason to fail what is reported; there is nobody left to tell.
      }
    }
  };
  return {
    requestEnded: (request) => tell((listener) => listener.requestEnded(request)),
    attemptStarted: (started, attempt) => tell((listener) => listener.attemptStarted(started, attempt)),
    attemptEnded: (started, attempt) => tell((listener) => listener.attemptEnded(started, attempt)),
    healthChanged: (change) => tell((listener) => listener.healthChanged(change)),
    probeEnded: (probe) => tell((listener) => listener.probeEnded(probe)),
    discoveryFailed: (failure) => tell((listener) => listener.discoveryFailed(failure)),
    configChanged: (change) => tell((listener) => listener.configChanged(change)),
    notice: (level, message, fields) => tell((listener) => listener.notice(level, message, fields)),
  };
}
