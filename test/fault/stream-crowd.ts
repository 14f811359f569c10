import { Agent, request } from 'node:http';
import { SPOKEN, type Spoken, WIRE } from '../kit/wire-scripts.ts';
import { TAG_HEADER } from './counting-provider.ts';

export type Crowd = {
  /** Requests that were begun, and answers that came whole. */
  readonly begun: () => number;
  readonly whole: () => number;
  /** Answers whose status was not 200, in words. */
  readonly refused: readonly string[];
  /** Resolves when each of them has seen its connection end. */
  readonly gone: Promise<unknown>;
  /** Nobody begins anything new. */
  stop(): void;
};

/**
 * Clients that stream, each in one protocol, and begin anew as soon as an answer is whole. Each request has a tag of its
 * own, which the gateway records as the client's id and passes on to the provider.
 */
export function openCrowd(port: number, size: number, name: string): Crowd {
  const agent = new Agent({ keepAlive: false });
  const state = { begun: 0, whole: 0, isStopped: false };
  const refused: string[] = [];
  const stay = async (client: number): Promise<void> => {
    const protocol = SPOKEN[client % SPOKEN.length] as Spoken;
    for (let n = 0; !state.isStopped; n++) {
      state.begun += 1;
      const seen = await stream(agent, port, protocol, `${name}-c${client}-n${n}`);
      if (seen === null) return;
      if (seen.status === 200) state.whole += 1;
      else refused.push(`${seen.status}: ${seen.text.slice(0, 200)}`);
    }
  };
  const gone = Promise.all(Array.from({ length: size }, (_, client) => stay(client)));
  return {
    begun: () => state.begun,
    whole: () => state.whole,
    refused,
    gone,
    stop: () => {
      state.isStopped = true;
    },
  };
}

type Seen = { readonly status: number; readonly text: string };

/** Null: the connection broke. */
function stream(agent: Agent, port: number, protocol: Spoken, tag: string): Promise<Seen | null> {
  const { path, body } = WIRE[protocol];
  const headers = { 'content-type': 'application/json', 'x-request-id': tag, [TAG_HEADER]: tag };
  return new Promise((resolve) => {
    const req = request({ agent, host: '127.0.0.1', port, path, method: 'POST', headers }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (part: string) => {
        text = (text + part).slice(-2_000);
      });
      res.on('end', () => resolve({ status: res.statusCode ?? 0, text })).on('error', () => resolve(null));
    });
    req.on('error', () => resolve(null));
    req.end(body(protocol, true));
  });
}
