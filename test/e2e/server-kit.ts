import { createSystemClock } from '../../src/adapter/clock-system/index.ts';
import { createSystemRandom } from '../../src/adapter/random-system/index.ts';
import { createMemoryHealthStore } from '../../src/adapter/store-memory/health-store.ts';
import { createMemoryLedgerStore } from '../../src/adapter/store-memory/ledger-store.ts';
import { createReadyGate } from '../../src/app/ready-gate.ts';
import { listRoutes } from '../../src/config/list-routes.ts';
import { cleanName, cleanText } from '../../src/core/redact/index.ts';
import type { Call, Engine, Rejection } from '../../src/engine/index.ts';
import { createManagement } from '../../src/management/index.ts';
import type { Downstream } from '../../src/port/downstream.ts';
import type { Prober } from '../../src/prober/index.ts';
import { createGatewayServer, type GatewayServer, type ServerPorts } from '../../src/server/index.ts';
import { configOf } from '../kit/config-text.ts';
import { connectRaw, type RawAnswer, requestText } from '../kit/raw-client.ts';

export type Behaviour = (call: Call, downstream: Downstream) => Promise<void> | void;

/** A server with an engine that does what a test says. */
export type ServerUnderTest = {
  readonly server: GatewayServer;
  readonly port: number;
  readonly calls: Call[];
  readonly rejections: Rejection[];
  readonly notices: string[];
  behave(behaviour: Behaviour): void;
  /** Bytes that the engine says it holds. */
  holds(bytes: number): void;
  /** From now on the configuration can't be had; null: it can. */
  breakConfig(fault: Error | null): void;
  ask(
    method: string,
    path: string,
    options?: { readonly headers?: Readonly<Record<string, string | null>>; readonly body?: string },
  ): Promise<RawAnswer>;
};

export const KEYS = `
auth:
  required: true
  adminToken: admin-token-1234567890
  keys:
    - { name: ci, key: client-key-1234567890 }
    - { name: narrow, key: narrow-key-1234567890, models: [other] }
`;

export const NO_KEYS = 'auth: { required: false }\n';

export const MODELS = `
providers:
  a: { protocol: openai-chat, baseUrl: "http://127.0.0.1:9/v1", apiKey: sk-fake-a-1234567890 }
models:
  main: { aliases: [gpt-main, "any-*"], targets: [a/m-a] }
  other: { targets: [a/m-b] }
`;

export const CHAT = JSON.stringify({ model: 'main', messages: [{ role: 'user', content: 'hi' }] });
export const AUTHORISED = { authorization: 'Bearer client-key-1234567890' };

const opened: GatewayServer[] = [];

export function closeServers(): void {
  for (const server of opened.splice(0)) {
    server.close();
    server.destroy();
  }
}

/** `prober`: who probes; `waitFor`: so many ready routes `/readyz` waits for. */
type Probing = { readonly prober: Prober; readonly waitFor?: number };

export async function startServer(
  settings: string,
  auth = KEYS,
  probing: Probing | null = null,
  more: Partial<ServerPorts> = {},
): Promise<ServerUnderTest> {
  const config = configOf(`${settings}\n${auth}\n${MODELS}`);
  const clock = createSystemClock();
  const health = createMemoryHealthStore({ settings: () => config.health });
  health.retain(listRoutes(config));
  const state: { behaviour: Behaviour; held: number; fault: Error | null } = {
    behaviour: answerJson,
    held: 0,
    fault: null,
  };
  const calls: Call[] = [];
  const rejections: Rejection[] = [];
  const notices: string[] = [];
  const engine: Engine = {
    async serve(call, downstream) {
      calls.push(call);
      await state.behaviour(call, downstream);
    },
    reject: (rejection) => void rejections.push(rejection),
    probe: () => Promise.resolve({ record: null, hasOutput: false }),
    plan: () => ({ at: 0, order: [], candidates: [], missing: [] }),
    findIssuer: () => null,
    findOwn: () => null,
    forgetResponse: () => {},
    keepPrompt: () => true,
    forgetSession: () => {},
    inFlight: () => 0,
    buffered: () => state.held,
    abandonAll: () => {},
  };
  const server = createGatewayServer({
    engine,
    health,
    clock,
    random: createSystemRandom(),
    telemetry: {
      requestEnded: () => {},
      attemptStarted: () => {},
      attemptEnded: () => {},
      probeEnded: () => {},
      discoveryFailed: () => {},
      configChanged: () => {},
      healthChanged: () => {},
      notice: (_level, message, fields) => void notices.push(`${message} ${JSON.stringify(fields ?? {})}`),
    },
    metrics: { render: async () => ({ contentType: 'text/plain; version=0.0.4', body: '# the page of metrics\n' }) },
    management: createManagement({
      ledger: createMemoryLedgerStore(),
      health,
      clock,
      planning: { readRequest: () => null, plan: () => ({ at: 0, order: [], candidates: [], missing: [] }) },
      ...(probing === null ? {} : { prober: probing.prober }),
    }),
    ...(probing === null
      ? {}
      : {
          readiness: createReadyGate({
            prober: probing.prober,
            clock,
            telemetry: { notice: () => {} },
            waitFor: probing.waitFor ?? null,
          }),
        }),
    config: () => {
      if (state.fault !== null) throw state.fault;
      return config;
    },
    clean: { text: cleanText, name: cleanName },
    version: '0.0.0-test',
    ...more,
  });
  opened.push(server);
  const { port } = await server.listen('127.0.0.1', 0);
  return {
    server,
    port,
    calls,
    rejections,
    notices,
    behave: (behaviour) => {
      state.behaviour = behaviour;
    },
    holds: (bytes) => {
      state.held = bytes;
    },
    breakConfig: (fault) => {
      state.fault = fault;
    },
    async ask(method, path, options = {}) {
      const connection = await connectRaw(port);
      connection.write(requestText(method, path, { ...options, headers: { connection: 'close', ...options.headers } }));
      const answer = await connection.answer({ bodiless: method === 'HEAD' });
      connection.destroy();
      return answer;
    },
  };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** What an engine does for a JSON request. */
export const answerJson: Behaviour = (_call, downstream) => {
  downstream.head(200, { 'content-type': 'application/json' });
  downstream.end(bytes('{"object":"chat.completion"}'));
};

/** A stream of frames, each after a pause. */
export const answerStream =
  (frames: readonly string[], pauseMs = 10): Behaviour =>
  async (_call, downstream) => {
    downstream.head(200, { 'content-type': 'text/event-stream' });
    for (const frame of frames) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      downstream.write(bytes(frame));
    }
    downstream.end();
  };

/** The error object of an answer. */
export const errorOf = (body: string): Record<string, unknown> =>
  (JSON.parse(body) as { error: Record<string, unknown> }).error;

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A chat request with a key. */
export const postChat = (
  server: ServerUnderTest,
  body: string,
  headers: Readonly<Record<string, string | null>> = {},
): Promise<RawAnswer> => server.ask('POST', '/v1/chat/completions', { body, headers: { ...AUTHORISED, ...headers } });

/** Waits for something that other sockets or processes bring about; fails the test when it does not come. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  ms = 5000,
  otherwise = 'it did not come',
): Promise<void> {
  const end = performance.now() + ms;
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(otherwise);
    await sleep(5);
  }
}
