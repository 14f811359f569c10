import { Agent, type IncomingMessage, request } from 'node:http';
import { StringDecoder } from 'node:string_decoder';
import type { Random } from '../../src/port/random.ts';
import { between } from './draw.ts';
import { questionOf } from './provider-messages.ts';
import { readJson } from './read-json.ts';
import { readStream } from './read-stream.ts';
import { type Asked, emptyAnswer, type Seen } from './seen.ts';
import { VOICES } from './voice.ts';
import { CLIENT_KEYS } from './world.ts';

export type Door = { readonly port: number; readonly agent: Agent };

/** Kept connections, as real clients have them. */
export const openDoor = (port: number, most: number): Door => ({
  port,
  agent: new Agent({ keepAlive: true, maxSockets: most, maxFreeSockets: most }),
});

/** When a leaving client leaves: after a time, or at one of the first chunks. */
const LATEST_MS = 300;
const LATEST_CHUNK = 8;
/** A slow reader stops at each of the first chunks, in sum for some seconds. */
const READER_PAUSE_MS = 40;
const READER_PAUSES = 60;

/** Keep-alives and the comment that names the target stand within so many characters. */
const HEAD_ROOM = 64 * 1024;

type Progress = { head: IncomingMessage | null; body: string };

/** Sends one request and stays, or does not. Never rejects. */
export function ask(door: Door, asked: Asked, random: Random): Promise<Seen> {
  const progress: Progress = { head: null, body: '' };
  const decoder = new StringDecoder('utf8');
  const leavesAtChunk = asked.manner === 'leaves' && random.next() < 0.5 ? between(random, 1, LATEST_CHUNK) : null;
  return new Promise((resolve) => {
    const { port, agent } = door;
    const path = VOICES[asked.protocol].path;
    const req = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers: headersOf(asked, random) });
    let timer: NodeJS.Timeout | undefined;
    const settle = (end: Seen['end']): void => {
      clearTimeout(timer);
      resolve(see(asked, progress, end));
    };
    const leave = (): void => {
      settle('left');
      req.destroy();
    };
    if (asked.manner === 'leaves' && leavesAtChunk === null) timer = setTimeout(leave, random.next() * LATEST_MS);
    req.on('error', () => settle('broken'));
    req.on('response', (res) => {
      progress.head = res;
      let chunks = 0;
      res.on('data', (chunk: Buffer) => {
        progress.body += decoder.write(chunk);
        chunks += 1;
        if (chunks === leavesAtChunk) leave();
        else if (asked.manner === 'reads_slowly' && chunks <= READER_PAUSES) {
          res.pause();
          setTimeout(() => res.resume(), READER_PAUSE_MS);
        }
      });
      res.on('end', () => settle('over')).on('error', () => settle('broken'));
    });
    req.end(bodyOf(asked));
  });
}

function headersOf({ tag, protocol }: Asked, random: Random): Record<string, string> {
  const key = CLIENT_KEYS[between(random, 0, CLIENT_KEYS.length - 1)] ?? '';
  const isBearer = protocol !== 'anthropic-messages' || random.next() < 0.5;
  return {
    'content-type': 'application/json',
    'x-request-id': tag,
    'idempotency-key': tag,
    ...(isBearer ? { authorization: `Bearer ${key}` } : { 'x-api-key': key }),
    ...(protocol === 'anthropic-messages' ? { 'anthropic-version': '2023-06-01' } : {}),
    ...(random.next() < 0.2 ? { 'x-session-id': `session-${between(random, 0, 199)}` } : {}),
  };
}

function bodyOf({ tag, protocol, form, model, wantsUsage }: Asked): string {
  const words = questionOf(tag);
  const isStream = form === 'stream';
  const user = [{ role: 'user', content: words }];
  const rest: Readonly<Record<typeof protocol, object>> = {
    'openai-chat': { messages: user, ...(isStream && wantsUsage ? { stream_options: { include_usage: true } } : {}) },
    'openai-responses': { input: words },
    'anthropic-messages': { messages: user, max_tokens: 4_000 },
  };
  return JSON.stringify({ model, stream: isStream, ...rest[protocol] });
}

function see(asked: Asked, { head, body }: Progress, end: Seen['end']): Seen {
  const header = (name: string): string | null => {
    const value = head?.headers[name];
    return typeof value === 'string' ? value : null;
  };
  const status = head?.statusCode ?? null;
  const isStream = header('content-type')?.startsWith('text/event-stream') === true;
  const answer = isStream
    ? readStream(body, asked.protocol, end === 'over')
    : status === null || end === 'left'
      ? emptyAnswer()
      : readJson(body, asked.protocol, status);
  // A head that had to go out before anybody had answered leaves this to a comment.
  const told = /^: understudy target=(\S+) attempts=(\d+)$/m.exec(isStream ? body.slice(0, HEAD_ROOM) : '');
  const attempts = header('x-understudy-attempts') ?? told?.[2] ?? null;
  return {
    status,
    requestId: header('x-request-id'),
    target: header('x-understudy-target') ?? told?.[1] ?? null,
    attempts: attempts === null ? null : Number(attempts),
    answer,
    end,
  };
}
