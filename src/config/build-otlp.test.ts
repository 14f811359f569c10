import { describe, expect, it } from 'vitest';
import { configOf, problemsOf } from '../../test/kit/config-text.ts';

const REST = `
providers: { a: { preset: ollama } }
models: { main: { targets: [a/x] } }
`;
const otlpOf = (line: string) => configOf(`telemetry: ${line}${REST}`).telemetry.otlp;
const problemOf = (address: string) => problemsOf(`telemetry: { otlp: "${address}" }${REST}`)[0];

describe('telemetry.otlp', () => {
  it.each([
    ['http://127.0.0.1:4318', 'http://127.0.0.1:4318/v1/traces'],
    ['http://127.0.0.1:4318/', 'http://127.0.0.1:4318/v1/traces'],
    ['https://otlp.test/path', 'https://otlp.test/path/v1/traces'],
    ['https://otlp.test/path/v1/traces', 'https://otlp.test/path/v1/traces'],
    ['https://otlp.test/v1/traces/#part', 'https://otlp.test/v1/traces'],
    ['https://otlp.test/?tenant=a', 'https://otlp.test/v1/traces?tenant=a'],
    ['http://[::1]:4318', 'http://[::1]:4318/v1/traces'],
  ])('%s sends to %s', (address, url) => {
    expect(otlpOf(`{ otlp: "${address}" }`)).toEqual({ url, ratio: 1, names: 'current' });
  });

  it.each(['{}', '{ otlp: "" }', '{ otlp: "${OTEL_EXPORTER_OTLP_ENDPOINT:-}" }', '{ traces: { ratio: 0.5 } }'])(
    'is off: %s',
    (line) => {
      expect(otlpOf(line)).toBeNull();
    },
  );

  it('takes what is to be sent', () => {
    const line = '{ otlp: "http://127.0.0.1:4318", traces: { ratio: 0.1, names: both } }';
    expect(otlpOf(line)).toMatchObject({ ratio: 0.1, names: 'both' });
  });

  it.each(['127.0.0.1:4318', 'grpc://127.0.0.1:4317', 'http://', 'collector'])('refuses %s', (address) => {
    expect(problemOf(address)).toMatchObject({ path: 'telemetry.otlp', message: 'is no address of a receiver' });
    expect(problemOf(address)?.hint).toContain('http://127.0.0.1:4318');
  });

  it('refuses a password, and does not repeat it', () => {
    const problem = problemOf('http://me:hunter2-of-mine@otlp.test');
    expect(problem).toMatchObject({ path: 'telemetry.otlp', message: 'holds a user or a password' });
    expect(problem?.hint).toContain('OTEL_EXPORTER_OTLP_HEADERS');
    expect(JSON.stringify(problem)).not.toContain('hunter2');
  });

  it('refuses a share beyond the whole', () => {
    expect(problemsOf(`telemetry: { traces: { ratio: 2 } }${REST}`)[0]).toMatchObject({
      path: 'telemetry.traces.ratio',
    });
  });
});
