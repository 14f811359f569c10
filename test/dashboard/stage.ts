import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cleanUp, type RunningGateway, startGateway } from '../e2e/gateway-process.ts';

/**
 * What the pages are tried with, and what their pictures show: a real gateway with the demo's faults, and a vendor of which
 * one key has used up its quota and one model takes tokens for no word.
 */
export type Stage = {
  readonly url: string;
  readonly gateway: RunningGateway;
  /** Asks a model and reads the answer to its end, or leaves after `leaveMs`. */
  ask(model: string, options?: AskOptions): Promise<void>;
  /** A little of everything: answered, rescued, broken off, failed. */
  play(rounds: number): Promise<void>;
  close(): void;
};

export type AskOptions = { readonly stream?: boolean; readonly leaveMs?: number };

export const ADMIN_TOKEN = 'the-admin-token-of-this-test-0123456789';

type StageOptions = { readonly needsToken?: boolean };

export async function raiseStage({ needsToken = false }: StageOptions = {}): Promise<Stage> {
  const acme = await startAcme();
  const { port } = acme.address() as AddressInfo;
  const gateway = await startGateway(configOf(port, needsToken));
  const ask: Stage['ask'] = async (model, { stream = false, leaveMs = 20_000 } = {}) => {
    await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: 'Who are you?' }] }),
      signal: AbortSignal.timeout(leaveMs),
    })
      .then((response) => response.text())
      .catch(() => undefined);
  };
  return {
    url: gateway.url,
    gateway,
    ask,
    async play(rounds) {
      for (let round = 0; round < rounds; round += 1) {
        await Promise.all([ask('chat'), ask('chat'), ask('agent'), ask('summary'), ask('summary')]);
        await Promise.all([ask('careful'), ask('retired'), ask('demo/error-503'), ask('brittle', { stream: true })]);
      }
    },
    close() {
      cleanUp();
      acme.close();
    },
  };
}

const configOf = (acmePort: number, needsToken: boolean): string => `\
# What the pages are tried with.
${needsToken ? `auth: { adminToken: ${ADMIN_TOKEN} }\n` : ''}readiness: { probe: { mode: off } }
providers:
  acme:
    preset: openai-compatible
    baseUrl: http://127.0.0.1:${acmePort}/v1
    credentials:
      - { name: team, apiKey: acme-key-of-the-team }
      - { name: spare, apiKey: acme-key-to-spare }
  demo: { preset: demo, pinned: any }
models:
  chat: { aliases: [main], default: true, targets: [demo/error-503, acme/large] }
  # The one that limits us comes first on purpose.
  agent: { targets: [demo/rate-limited, acme/large, demo/ok] }
  summary:
    strategy: weighted
    targets:
      - { provider: acme, model: large, weight: 3 }
      - demo/ok
      - { provider: demo, model: slow-first-token, tier: 1 }
  careful: { targets: [acme/mute, acme/large] }
  brittle: { targets: [demo/cut-after-20-words, demo/error-503] }
  retired: { targets: [demo/retired-410, demo/ok] }
  slow: { targets: [demo/slow-first-token] }
`;

const QUOTA_HOLD_S = 5400;

/** A vendor of our own. It speaks Chat Completions as far as it has to. */
function startAcme(): Promise<Server> {
  const server = createServer((req, res) => void answer(req, res));
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of req) parts.push(part as Buffer);
  if (req.headers.authorization === 'Bearer acme-key-of-the-team') {
    res.writeHead(429, { 'content-type': 'application/json', 'retry-after': String(QUOTA_HOLD_S) });
    res.end(
      JSON.stringify({
        error: { code: 'insufficient_quota', type: 'insufficient_quota', message: 'You exceeded your current quota.' },
      }),
    );
    return;
  }
  const body = JSON.parse(Buffer.concat(parts).toString() || '{}') as {
    readonly model?: string;
    readonly stream?: boolean;
  };
  const isMute = body.model === 'mute';
  const content = isMute ? '' : 'An understudy knows every part, and hopes that nobody needs it tonight.';
  const usage = isMute
    ? { prompt_tokens: 900, completion_tokens: 0, total_tokens: 900 }
    : { prompt_tokens: 412, completion_tokens: 96, total_tokens: 508 };
  const base = { id: 'chatcmpl-acme', created: 0, model: body.model ?? 'large' };
  if (body.stream !== true) {
    res.writeHead(200, { 'content-type': 'application/json' });
    const choices = [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }];
    res.end(JSON.stringify({ ...base, object: 'chat.completion', choices, usage }));
    return;
  }
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (more: object): void =>
    void res.write(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', ...more })}\n\n`);
  for (const word of content.split(/(?<= )/)) {
    send({ choices: [{ index: 0, delta: { content: word }, finish_reason: null }] });
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  send({ choices: [], usage });
  res.end('data: [DONE]\n\n');
}
