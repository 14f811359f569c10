import { get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, type Place, startChild } from './children.ts';

/** A gateway that answers. */
export type Server = { readonly child: Child; readonly port: number; readonly startMs: number };

const LONGEST_MS = 30_000;
const POLL_MS = 2;

/** Starts a server and waits for a 200 at a path; how long that took is what a start costs. */
export async function startServer(
  name: string,
  command: readonly string[],
  port: number,
  path: string,
  place: Place,
): Promise<Server> {
  const startedAt = performance.now();
  const child = await startChild(command, place);
  let hasEnded = false;
  void child.ended.then(() => {
    hasEnded = true;
  });
  while (!(await isThere(port, path))) {
    if (hasEnded || performance.now() - startedAt > LONGEST_MS) {
      await child.stop();
      throw new Error(`${name} does not start: ${child.complaints()}`);
    }
    await sleep(POLL_MS);
  }
  return { child, port, startMs: performance.now() - startedAt };
}

const isThere = (port: number, path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const asked = get({ host: '127.0.0.1', port, path, agent: false, timeout: 1_000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    asked.on('error', () => resolve(false)).on('timeout', () => asked.destroy());
  });
