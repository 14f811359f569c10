import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { SPOKEN, type Spoken } from '../kit/wire-scripts.ts';
import { drawPlan, isLargeTag, type Send } from './draw-plan.ts';
import type { Form } from './faults.ts';
import { playScript } from './play-script.ts';
import { type FromProvider, type ToProvider, tagOf } from './provider-messages.ts';
import { scriptOf } from './script-of.ts';
import { VOICES } from './voice.ts';
import { TARGETS } from './world.ts';

/*
 * All targets, each on a port of its own, in a process of their own: `node provider-process.ts SEED SHARE`. What a send
 * gets follows from the seed and its name; every send that arrives is told to the run before its answer begins.
 */

const seed = Number(process.argv[2]);
const state = { share: Number(process.argv[3]), open: 0 };
/** By tag and target, how many sends have come. */
const counts = new Map<string, Map<string, number>>();
let waiting: Send[] = [];
const lag = monitorEventLoopDelay();
lag.enable();

const tell = (message: FromProvider): void => void process.send?.(message);

function tellSends(): void {
  if (waiting.length > 0) tell({ kind: 'sends', sends: waiting });
  waiting = [];
}

function protocolOf(url: string): Spoken {
  const found = SPOKEN.find((protocol) => VOICES[protocol].path === url);
  if (found === undefined) throw new Error(`nobody asks for ${url}`);
  return found;
}

async function serve(target: string, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  const tag = tagOf(text);
  const ofTag = counts.get(tag) ?? new Map<string, number>();
  counts.set(tag, ofTag);
  const n = (ofTag.get(target) ?? 0) + 1;
  ofTag.set(target, n);
  const body = JSON.parse(text) as Body;
  const form: Form = body.stream === true ? 'stream' : 'json';
  const name = { tag, target, n };
  const send: Send = { ...name, plan: drawPlan(seed, state.share, name, form, isLargeTag(tag)) };
  waiting.push(send);
  const isUsageAsked = body.stream_options?.include_usage === true;
  const script = scriptOf(send, { protocol: protocolOf(req.url ?? ''), form, isUsageAsked });
  const { paceMs, isTorn, at } = send.plan;
  await playScript(res, script, { paceMs, tearAt: isTorn ? at : null });
}

type Body = { readonly stream?: unknown; readonly stream_options?: { readonly include_usage?: unknown } };

async function open(target: string): Promise<number> {
  // A connection that the provider closes by itself may swallow a request: then an attempt would have no send.
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (req, res) => {
    state.open += 1;
    res.once('close', () => {
      state.open -= 1;
    });
    // The gateway may leave while its request is still being read.
    serve(target, req, res).catch((error: unknown) => {
      if (!req.destroyed && !res.destroyed) throw error;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1024, resolve));
  return (server.address() as AddressInfo).port;
}

process.on('message', (message: ToProvider) => {
  if (message.kind === 'calm') {
    state.share = 0;
    return;
  }
  tellSends();
  for (const tag of message.done) counts.delete(tag);
  tell({ kind: 'synced', id: message.id, open: state.open, lagMs: Math.round(lag.max / 1e6) });
  lag.reset();
});
process.on('disconnect', () => process.exit(0));

const ports: Record<string, number> = {};
for (const target of TARGETS) ports[target] = await open(target);
tell({ kind: 'ready', ports });
