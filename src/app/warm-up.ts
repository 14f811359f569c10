import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMemoryHealthStore } from '../adapter/store-memory/health-store.ts';
import { createMemoryLedgerStore } from '../adapter/store-memory/ledger-store.ts';
import { loadConfig } from '../config/load.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import { answerExhausted } from '../core/failure/answer.ts';
import { classify } from '../core/failure/classify.ts';
import { FEATURES } from '../core/model/capability.ts';
import { cleanText } from '../core/redact/index.ts';
import { Secret } from '../core/redact/secret.ts';
import { createEngine } from '../engine/create-engine.ts';
import type { Call, EnginePorts } from '../engine/index.ts';
import { createTranslationsHere } from '../engine/translate-here.ts';
import { CODECS } from '../protocol/index.ts';
import type { ProtocolCodec } from '../protocol/types.ts';
import { engineSettings } from '../server/index.ts';

type WarmPorts = Pick<EnginePorts, 'clock' | 'random' | 'http'>;

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const REQUEST = encode(
  '{"model":"m","max_tokens":1,"stream":true,"input":"x","messages":[{"role":"user","content":"x"}]}',
);
const STREAM = encode(
  'event: ping\ndata: {"type":"ping"}\n\n: x\n\ndata: {"error":{"message":"warm","type":"server_error"}}\n\n',
);
const ERROR = encode('{"error":{"message":"The model is overloaded, try again in 1s","type":"x","code":"y"}}');
const ROUNDS = 3;

/**
 * The first request of a process pays for code that was never run: a tenth of a second on a small machine, which looks
 * like a slow provider. So everything that a request and its failure go through runs here, before anyone is served.
 * Whatever comes of it, the process serves.
 */
export async function warmUp(ports: WarmPorts): Promise<void> {
  try {
    for (let round = 0; round < ROUNDS; round++) for (const codec of CODECS.values()) exercise(codec);
    await warmUpEngine(ports);
  } catch {
    // Its first request is slow, then.
  }
}

function exercise(codec: ProtocolCodec): void {
  const decoded = codec.decodeRequest(REQUEST, {});
  if (decoded.ok) {
    codec.encodeRequest(decoded.request, {
      model: 'other',
      capabilities: Object.fromEntries(FEATURES.map((feature) => [feature, true])),
      askUsage: true,
      withoutState: true,
      defaults: {},
    });
  }
  codec.authHeaders(new Secret('warm'));
  const options = {
    usageAsked: false,
    choices: 1,
    renameModel: null,
    onMalformed: 'fail',
    maxFrameBytes: 1 << 20,
  } as const;
  const decoder = codec.createStreamDecoder(options);
  decoder.push(STREAM);
  decoder.end(true);
  codec.decodeResponse(ERROR, options);
  const failure = classify({
    cause: { kind: 'status' },
    provider: 'warm',
    protocol: codec.protocol,
    translated: false,
    status: 418,
    headers: {},
    error: codec.decodeError(418, {}, ERROR),
    body: 'json',
    anyByte: true,
    anyEvent: false,
    anyItem: false,
    committed: false,
    at: 0,
  });
  const answer = answerExhausted({
    attempts: [],
    candidates: [],
    missing: [failure.outcome],
    asked: { model: 'm', protocol: codec.protocol },
    why: 'exhausted',
    limit: null,
    maxRetryAfterMs: 1000,
    now: 0,
    jitter: 0,
  });
  codec.encodeError(answer, { requestId: 'warm' });
  codec.encodeStreamError(answer, { requestId: 'warm' });
}

/**
 * One request through an engine of its own to a provider of its own, which fails. Nothing of it is recorded, and
 * whatever comes of it is fine.
 */
async function warmUpEngine(ports: WarmPorts): Promise<void> {
  const provider = createServer((req, res) => {
    req.resume();
    res.writeHead(500, { 'content-type': 'application/json' }).end(ERROR);
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  const { port } = provider.address() as AddressInfo;
  const text = `providers: { w: { protocol: openai-chat, baseUrl: "http://127.0.0.1:${port}/v1", apiKey: w } }\nmodels: { m: { targets: [w/m], retry: { sameTarget: 0 } } }`;
  const loaded = loadConfig({
    text,
    file: null,
    format: 'yaml',
    presets: [],
    secrets: { variable: () => undefined, file: () => new Secret(''), fingerprint: (parts) => parts.join() },
    totalMemoryBytes: 1 << 30,
    stateDirDefault: '/nowhere',
  });
  const codec = CODECS.get('openai-chat');
  const decoded = codec?.decodeRequest(REQUEST, {});
  const model = loaded.ok ? loaded.config.models.get('m') : undefined;
  if (loaded.ok && codec !== undefined && decoded?.ok === true && model !== undefined) {
    await serveOnce(ports, loaded.config, { codec, request: decoded.request, model });
  }
  provider.closeAllConnections();
  await new Promise((resolve) => provider.close(resolve));
}

type Warm = Pick<Call, 'codec' | 'request' | 'model'>;

function serveOnce(ports: WarmPorts, config: RuntimeConfig, warm: Warm): Promise<void> {
  const ignore = (): void => {};
  const engine = createEngine({
    ...ports,
    ledger: createMemoryLedgerStore({ onViolation: ignore }),
    health: createMemoryHealthStore({ settings: () => config.health }),
    telemetry: { requestEnded: ignore, attemptStarted: ignore, attemptEnded: ignore, notice: ignore },
    translation: createTranslationsHere(),
    owner: { boot: 'warm', worker: 0 },
    failureRows: () => [],
    clean: cleanText,
  });
  const call: Call = {
    ...warm,
    id: 'warm',
    receivedAt: ports.clock.now(),
    settings: engineSettings(config),
    asked: warm.model.name,
    key: null,
    forward: {},
    options: { failover: true, timeoutMs: 1000 },
    clientRequestId: null,
    turn: null,
    isClientRetry: false,
    manner: null,
  };
  return engine.serve(call, { head: ignore, write: () => true, end: ignore, destroy: ignore, listen: ignore });
}
