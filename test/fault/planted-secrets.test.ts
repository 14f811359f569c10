import { describe, expect, it } from 'vitest';
import { createPinoTelemetry } from '../../src/adapter/log-pino/index.ts';
import { describeFault } from '../../src/core/redact/index.ts';
import { createEngineBench } from '../kit/engine-bench.ts';
import { createSearch } from './find-planted.ts';
import { NEEDLES, PLANTS } from './planted-secrets.ts';

describe('a bug of our own, with a secret in what it throws', () => {
  const search = createSearch(NEEDLES);

  it.each(PLANTS)('$name', async ({ text }) => {
    const fault = Object.assign(new TypeError(`x ${text}\n    at ${text} (file:///a.js:1:1)`), {
      code: text,
      cause: text,
    });
    const lines: string[] = [];
    const log = createPinoTelemetry({ level: 'debug', format: 'json', write: (line) => void lines.push(line) });
    const bench = createEngineBench({
      ports: (base) => ({
        ...base,
        health: {
          ...base.health,
          snapshot: () => {
            throw fault;
          },
        },
        telemetry: log,
      }),
    });
    const asked = await bench.run();
    log.notice('error', 'a fault of the gateway that belongs to no request', { ...describeFault(fault) });
    expect(lines.join('')).toMatch(/request failed inside the gateway: TypeError[\s\S]*belongs to no request/);
    expect(asked.error?.code).toBe('internal_error');
    expect(search([...lines, asked.client.text, JSON.stringify(asked.facts)].join('\n'))).toEqual([]);
  });
});
