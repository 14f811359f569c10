import type { RuntimeConfig } from '../config/runtime.ts';

const AT_START = [
  'host',
  'port',
  'tls',
  'headersTimeoutMs',
  'keepAliveTimeoutMs',
  'maxHeaderSize',
  'maxConnections',
] as const;

/** A key that was renewed for the same certificate is another one, though it prints as the same. */
const textOf = (server: RuntimeConfig['server'], key: (typeof AT_START)[number]): string =>
  JSON.stringify(key === 'tls' ? [server.tls?.cert, server.tls?.key.reveal()] : server[key]);

/**
 * Settings of a configuration that only a restart would bring in: a socket or a directory got them at the start and
 * keeps them. `started` is the one of the start, whatever was read since.
 */
export function needsRestart(started: RuntimeConfig, now: RuntimeConfig): readonly string[] {
  const changed = AT_START.filter((key) => textOf(started.server, key) !== textOf(now.server, key));
  const told = (['log', 'otlp'] as const).filter(
    (key) => JSON.stringify(started.telemetry[key]) !== JSON.stringify(now.telemetry[key]),
  );
  const state = started.stateDir === now.stateDir ? [] : ['stateDir'];
  const store = JSON.stringify(started.store) === JSON.stringify(now.store) ? [] : ['store'];
  return [
    ...changed.map((key) => `server.${key.replace(/Ms$/, '')}`),
    ...state,
    ...store,
    ...told.map((key) => `telemetry.${key}`),
  ];
}
