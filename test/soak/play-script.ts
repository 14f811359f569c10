import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Script } from './script-of.ts';

export type Manner = {
  readonly paceMs: number;
  /** Where each part is torn, 0 to 1; null: it goes out in one. */
  readonly tearAt: number | null;
};

/** Plays a script. Resolves when there is nothing more to do, however the connection went. */
export async function playScript(res: ServerResponse, script: Script, { paceMs, tearAt }: Manner): Promise<void> {
  const { status, headers, parts, ending } = script;
  if (status !== null) {
    res.writeHead(status, headers);
    for (const [i, part] of parts.entries()) {
      if (i > 0 && paceMs > 0) await sleep(paceMs);
      for (const piece of tear(Buffer.from(part), tearAt)) {
        if (res.destroyed) return;
        await write(res, piece);
      }
    }
  }
  if (ending === 'over') res.end();
  // A reset drops what the other side has not read yet: output would be lost that was meant to be seen.
  else if (ending === 'reset') {
    if (parts.length > 0) await sleep(10);
    res.socket?.resetAndDestroy();
  } else if (ending === 'closed') res.destroy();
}

function tear(bytes: Buffer, at: number | null): readonly Buffer[] {
  const middle = at === null ? 0 : Math.floor(at * bytes.length);
  return middle === 0 ? [bytes] : [bytes.subarray(0, middle), bytes.subarray(middle)];
}

/** Waits until the piece has left, also for a slow reader; a client that is gone ends the wait. */
function write(res: ServerResponse, piece: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      res.off('close', settle);
      resolve();
    };
    res.once('close', settle);
    res.write(piece, settle);
  });
}
