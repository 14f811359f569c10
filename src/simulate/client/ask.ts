import type { Headers, Protocol } from '../../core/model/protocol.ts';
import type { AskRow } from '../scenario/scenario.ts';

/** One request of a simulated client, as bytes. */
export type Ask = {
  readonly row: AskRow;
  readonly model: string;
  readonly protocol: Protocol;
  readonly stream: boolean;
  readonly body: Uint8Array;
  readonly headers: Headers;
  /** Name of the client's key; null: none. */
  readonly key: string | null;
  readonly failover: boolean;
  readonly timeoutMs: number | null;
  /** The same for all tries of one turn. */
  readonly turn: string;
};
