import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Protocol } from '../core/model/protocol.ts';
import { DEMO_MODELS, type DemoRequest, demoScript } from '../simulate/demo-script.ts';

export type DemoServer = { readonly origin: string; close(): Promise<void> };

export type DemoOptions = {
  /** How many times as fast as written it plays. */
  readonly pace?: number;
};

const MAX_BODY = 64 << 20;

/** Starts the demo provider on a free port of loopback. It plays scripts and holds no state. */
export async function startDemoServer({ pace = 1 }: DemoOptions = {}): Promise<DemoServer> {
  const server = createServer((req, res) => {
    res.on('error', () => {});
    serve(req, res, pace).catch(() => res.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  server.unref();
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(req: IncomingMessage, res: ServerResponse, pace: number): Promise<void> {
  if (req.method === 'GET') return sendModels(res);
  const request = await readRequest(req);
  for (const step of demoScript(request)) {
    if (res.destroyed) return;
    if (step.kind === 'wait') await sleep(step.ms / pace, undefined, { ref: false });
    else if (step.kind === 'head') {
      res.writeHead(step.status, step.headers);
      res.flushHeaders();
    } else if (step.kind === 'text') res.write(step.text);
    else if (step.kind === 'end') res.end();
    else if (step.kind === 'cut') res.destroy();
  }
}

function sendModels(res: ServerResponse): void {
  res.writeHead(200, { 'content-type': 'application/json' });
  res.end(
    JSON.stringify({ object: 'list', data: DEMO_MODELS.map((id) => ({ id, object: 'model', owned_by: 'demo' })) }),
  );
}

/** Which protocol is spoken at the end of a path; Chat Completions everywhere else. */
const PATHS: readonly (readonly [RegExp, Protocol])[] = [
  [/\/responses$/, 'openai-responses'],
  [/\/messages$/, 'anthropic-messages'],
  [/:(?:stream)?[gG]enerateContent$/, 'gemini'],
];

/** Gemini says model and form in its path. */
const IN_PATH = /\/models\/([^/:?#]+):(generateContent|streamGenerateContent)(?:[?#]|$)/;

function protocolAt(url: string): Protocol {
  const path = url.replace(/[?#].*$/s, '');
  return PATHS.find(([pattern]) => pattern.test(path))?.[1] ?? 'openai-chat';
}

async function readRequest(req: IncomingMessage): Promise<DemoRequest> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of req as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY) throw new Error('too large');
    chunks.push(chunk);
  }
  const body = JSON.parse(Buffer.concat(chunks).toString()) as {
    readonly model?: unknown;
    readonly stream?: unknown;
    readonly stream_options?: { readonly include_usage?: unknown };
  };
  const url = req.url ?? '/';
  const [, named, method] = IN_PATH.exec(url) ?? [];
  const model = named ?? body.model;
  return {
    model: typeof model === 'string' ? model : '',
    stream: method === undefined ? body.stream === true : method === 'streamGenerateContent',
    wantsUsage: body.stream_options?.include_usage === true,
    protocol: protocolAt(url),
  };
}
