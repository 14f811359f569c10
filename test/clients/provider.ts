import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Protocol } from '../../src/core/model/protocol.ts';
import type { FaultPlan, Strike } from './faults.ts';
import { isMain, replyTo, struckReply } from './script.ts';
import { voiceOf } from './voices/index.ts';
import type { Json, Spoken, Turn, Voice } from './voices/types.ts';
import { isObject } from './voices/types.ts';

/** What came to the two targets of one cell. */
export type Seen = {
  /** Requests of the turn itself, at the target that fails and at the other. */
  readonly first: number;
  readonly second: number;
  /** Requests beside it. */
  readonly aside: number;
  /** Faults that were played. */
  readonly strikes: number;
  /** What a vendor would have refused, and paths that no target has. */
  readonly refused: readonly string[];
  /** Bodies as they came, for whoever looks into a failure. */
  readonly bodies: readonly { readonly target: string; readonly path: string; readonly body: string }[];
};

type Stage = { -readonly [K in keyof Seen]: Seen[K] } & { readonly plan: FaultPlan; readonly voice: Voice };

export interface Providers {
  readonly port: number;
  /** Two targets for a cell, at `/CELL/first` and `/CELL/second`. */
  open(cell: string, protocol: Protocol, plan: FaultPlan): void;
  seen(cell: string): Seen;
  close(): Promise<void>;
}

/** All providers of a run in one server: each cell has two targets of its own, told apart by their paths. */
export async function createProviders(): Promise<Providers> {
  const stages = new Map<string, Stage>();
  const server = createServer((req, res) => {
    serve(stages, req, res).catch((error: unknown) => res.destroy(error as Error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    open(cell, protocol, plan) {
      const voice = voiceOf(protocol);
      stages.set(cell, { plan, voice, first: 0, second: 0, aside: 0, strikes: 0, refused: [], bodies: [] });
    },
    seen(cell) {
      const stage = stages.get(cell);
      if (stage === undefined) throw new Error(`no cell ${cell}`);
      return stage;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function serve(stages: ReadonlyMap<string, Stage>, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const text = await readText(req);
  const [, cell = '', target = '', rest = ''] = /^\/([^/]+)\/(first|second)(\/[^?]*)/.exec(req.url ?? '') ?? [];
  const stage = stages.get(cell);
  if (stage === undefined) return answer(res, 404, {});
  const refuse = (why: readonly string[]): void => {
    stage.refused = [...stage.refused, ...why];
    answer(res, 400, { error: { message: why.join('; '), type: 'invalid_request_error', code: 400 } });
  };
  stage.bodies = [...stage.bodies, { target, path: rest, body: text }];
  if (rest.endsWith('/count_tokens')) return answer(res, 200, { input_tokens: 11 });
  if (rest.endsWith(':countTokens')) return answer(res, 200, { totalTokens: 11 });
  if (!stage.voice.path.test(rest)) return refuse([`${req.method} ${rest} is no path of ${stage.voice.protocol}`]);
  const body = parse(text);
  if (body === null) return refuse(['the body is no JSON object']);
  const turn = stage.voice.read(body, rest);
  if (turn.faults.length > 0) return refuse(turn.faults);
  await play(stage, target, turn, res);
}

/** The answer, or the fault that is due. */
async function play(stage: Stage, target: string, turn: Turn, res: ServerResponse): Promise<void> {
  const { plan, voice } = stage;
  const main = isMain(turn);
  if (!main) stage.aside += 1;
  else if (target === 'first') stage.first += 1;
  else stage.second += 1;
  const isStruck = main && target === 'first' && plan.strike !== null && !(plan.once && stage.strikes > 0);
  const spoken = voice.speak(isStruck ? struckReply(plan, turn) : replyTo(turn), 'scripted-model');
  if (!isStruck) return speak(res, turn, spoken);
  stage.strikes += 1;
  await strike(res, turn, spoken, plan.strike, voice);
}

async function strike(res: ServerResponse, turn: Turn, spoken: Spoken, kind: Strike, voice: Voice): Promise<void> {
  if (kind === 'status') return answer(res, 503, voice.error(503));
  if (!turn.isStream) {
    if (kind === 'error-before') return answer(res, 500, voice.error(500));
    const text = JSON.stringify(spoken.json);
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
    return cut(res, text.slice(0, text.length / 2));
  }
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  const head = spoken.head.join('');
  if (kind === 'error-before') return void res.end(head + voice.errorFrame);
  if (kind === 'cut-before') return cut(res, head);
  return cut(res, head + spoken.body.slice(0, Math.ceil(spoken.body.length / 2)).join(''));
}

/** What was written gets there, and nothing after it. */
async function cut(res: ServerResponse, text: string): Promise<void> {
  res.flushHeaders();
  if (text !== '') res.write(text);
  await sleep(30);
  res.socket?.resetAndDestroy();
}

async function speak(res: ServerResponse, turn: Turn, spoken: Spoken): Promise<void> {
  if (!turn.isStream) return answer(res, 200, spoken.json);
  res.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const frame of [...spoken.head, ...spoken.body, ...spoken.end]) {
    if (res.destroyed) return;
    res.write(frame);
    await sleep(1);
  }
  res.end();
}

function answer(res: ServerResponse, status: number, body: Json): void {
  res.writeHead(status, { 'content-type': 'application/json' });
  res.end(JSON.stringify(body));
}

async function readText(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parse(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
