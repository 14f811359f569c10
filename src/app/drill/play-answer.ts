import { request } from 'node:http';
import type { RawAnswer } from '../../simulate/drill/index.ts';

export type Played = RawAnswer & { readonly requestId: string | null; readonly servedBy: string | null };

type Asked = {
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
};

const NOTHING: Played = { status: null, contentType: '', body: '', isClean: false, requestId: null, servedBy: null };

/**
 * Asks over a connection of its own and takes down everything that comes, until the end or `limitMs`. Never rejects.
 */
export function playAnswer(origin: string, asked: Asked, limitMs: number): Promise<Played> {
  const text = asked.body === undefined ? undefined : JSON.stringify(asked.body);
  const headers = { ...asked.headers, ...(text === undefined ? {} : { 'content-type': 'application/json' }) };
  return new Promise((resolve) => {
    let played = NOTHING;
    const finish = (isClean: boolean): void => {
      clearTimeout(timer);
      resolve({ ...played, isClean });
    };
    const req = request(`${origin}${asked.path}`, { method: asked.method, headers, agent: false }, (res) => {
      const first = (name: string): string | null => [res.headers[name]].flat()[0] ?? null;
      played = {
        ...NOTHING,
        status: res.statusCode ?? null,
        contentType: first('content-type') ?? '',
        requestId: first('x-request-id'),
        servedBy: first('x-understudy-target'),
      };
      res.setEncoding('utf8').on('data', (chunk: string) => {
        played = { ...played, body: played.body + chunk };
      });
      res.on('end', () => finish(res.complete));
      res.on('error', () => finish(false));
    });
    const timer = setTimeout(() => req.destroy(new Error('too slow')), limitMs);
    req.on('error', () => finish(false));
    req.end(text);
  });
}
