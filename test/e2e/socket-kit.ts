import { once } from 'node:events';
import { type ClientOptions, WebSocket } from 'ws';
import { CI, gateway } from './follow-up-kit.ts';
import { until } from './server-kit.ts';

export type Message = Record<string, unknown> & { readonly type: string };

/** A client on a WebSocket of the gateway of `follow-up-kit`. */
export type SocketClient = {
  readonly ws: WebSocket;
  readonly messages: Message[];
  readonly texts: string[];
  /** Null while it is open. */
  readonly closed: { readonly code: number } | null;
  send(frame: object | string): void;
  /** Sends a request, and waits for what ends its answer. */
  ask(frame?: object): Promise<Message>;
  /** Waits for the n-th message that ends an answer, from 0. */
  end(n: number): Promise<Message>;
};

const ENDS: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete', 'response.failed', 'error']);

export const isEnd = ({ type }: Message): boolean => ENDS.has(type);

const clients: WebSocket[] = [];

export function closeClients(): void {
  for (const client of clients.splice(0)) client.terminate();
}

export async function openSocket(options: ClientOptions = {}, key: string | null = CI): Promise<SocketClient> {
  const headers = { ...(key === null ? {} : { authorization: `Bearer ${key}` }), ...options.headers };
  const ws = new WebSocket(`${gateway.url.replace('http', 'ws')}/v1/responses`, { ...options, headers });
  clients.push(ws);
  const texts: string[] = [];
  const messages: Message[] = [];
  const state: { closed: { code: number } | null } = { closed: null };
  ws.on('message', (data: Buffer) => {
    const text = data.toString('utf8');
    texts.push(text);
    messages.push(JSON.parse(text) as Message);
  });
  ws.on('close', (code) => {
    state.closed = { code };
  });
  await once(ws, 'open');
  ws.on('error', () => {});
  const ends = (): Message[] => messages.filter(isEnd);
  const end = async (n: number): Promise<Message> => {
    await until(() => ends().length > n || state.closed !== null, 5000, `no end ${n}: ${texts.join('\n')}`);
    const found = ends()[n];
    if (found === undefined) throw new Error(`closed with ${state.closed?.code}`);
    return found;
  };
  const send = (frame: object | string): void => ws.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  return {
    ws,
    texts,
    messages,
    get closed() {
      return state.closed;
    },
    send,
    end,
    async ask(frame = {}) {
      const before = ends().length;
      send({ type: 'response.create', model: 'main', input: 'hi', ...frame });
      return await end(before);
    },
  };
}

/** The status that an upgrade is refused with. */
export async function refusedWith(headers: Record<string, string>): Promise<number> {
  const ws = new WebSocket(`${gateway.url.replace('http', 'ws')}/v1/responses`, { headers });
  clients.push(ws);
  ws.on('error', () => {});
  const [, answer] = (await once(ws, 'unexpected-response')) as [unknown, { statusCode: number; resume(): void }];
  answer.resume();
  return answer.statusCode;
}
