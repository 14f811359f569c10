import type { ModelSettings } from '../core/model/settings.ts';
import type { Target, VirtualModel } from '../core/routing/candidate.ts';
import type { Downstream } from '../port/downstream.ts';
import { probeRequest } from '../protocol/probe-request.ts';
import type { Probe } from './index.ts';
import type { Call } from './types.ts';

/** Behind its first output a probe has so long for the rest. */
const REST_MS = 30_000;

/**
 * A probe as the request that it is: in the target's own protocol, to one route, once. Null: nobody here can write one.
 */
export function probeCall(probe: Probe, receivedAt: number): Call | null {
  const { id, target, route, tokens, settings, model } = probe;
  const asked = probeRequest(target.protocol, target.model, tokens);
  if (asked === null || !asked.decoded.ok) return null;
  return {
    id,
    receivedAt,
    settings,
    codec: asked.codec,
    request: asked.decoded.request,
    model: modelOf({ ...target, routes: [route], settings: settingsOf(target, probe) }, model),
    asked: model,
    key: null,
    forward: {},
    options: { failover: false, timeoutMs: null },
    clientRequestId: null,
    turn: null,
    isClientRetry: false,
    manner: null,
    kind: 'probe',
  };
}

const modelOf = (target: Target, name: string): VirtualModel => ({
  name,
  aliases: [],
  strategy: 'failover',
  sticky: 1,
  affinity: false,
  pinned: true,
  targets: [target],
  settings: target.settings,
});

/** As the target is served, but with an end: a probe that hangs is one that failed. */
function settingsOf({ settings }: Target, { tokens, limitMs }: Probe): ModelSettings {
  const { timeouts } = settings;
  const firstOutputMs = Math.min(timeouts.firstOutputMs, limitMs);
  return {
    ...settings,
    onEmpty: 'next',
    keepalive: null,
    retry: { ...settings.retry, sameTarget: 0, waitForCooldownMs: 0 },
    defaults: { ...settings.defaults, maxOutputTokens: tokens },
    timeouts: {
      ...timeouts,
      firstOutputMs,
      headersMs: Math.min(timeouts.headersMs, firstOutputMs),
      wholeMs: Math.min(timeouts.wholeMs, firstOutputMs + REST_MS),
      progressMs: Math.min(timeouts.progressMs, REST_MS),
      commitMs: firstOutputMs + REST_MS,
      totalMs: firstOutputMs + 2 * REST_MS,
    },
  };
}

/** Nobody listens: what a probe is told is in its record. */
export function createNobody(): Downstream & { leave(): void } {
  let close: () => void = () => {};
  return {
    head: () => {},
    write: () => true,
    end: () => {},
    destroy: () => {},
    listen: ({ onClose }) => {
      close = onClose;
    },
    leave: () => close(),
  };
}
