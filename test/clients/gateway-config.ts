import type { Protocol } from '../../src/core/model/protocol.ts';
import { KEY } from './client.ts';

/** Base URLs end where the protocol's vendor ends them. */
const ENDING: Readonly<Partial<Record<Protocol, string>>> = {
  'openai-chat': '/v1',
  'openai-responses': '/v1',
  'anthropic-messages': '',
  gemini: '/v1beta',
};

/**
 * One gateway for all cells. Each has a model with two targets, at providers of its own, so that no cell leaves anything
 * behind for another.
 */
export function gatewayConfig(
  cells: readonly { readonly id: string; readonly protocol: Protocol }[],
  port: number,
): string {
  const targets = cells.flatMap(({ id, protocol }) =>
    ['first', 'second'].map((at) => [
      `${id}-${at}`,
      { protocol, baseUrl: `http://127.0.0.1:${port}/${id}/${at}${ENDING[protocol]}`, apiKey: KEY },
    ]),
  );
  const models = cells.map(({ id }) => [id, { targets: [`${id}-first/scripted`, `${id}-second/scripted`] }]);
  return JSON.stringify({
    server: { drain: '1s' },
    store: { kind: 'memory' },
    telemetry: { log: { level: 'info', format: 'json' } },
    providers: Object.fromEntries(targets),
    models: Object.fromEntries(models),
  });
}
