import type { Protocol } from '../../core/model/protocol.ts';

/** One physical send as a provider sees it. */
export type SendView = {
  /** From 0, over all of the run; every mark of its answer names it. */
  readonly n: number;
  readonly protocol: Protocol;
  /** Where it goes, with its query: some protocols say model and form there. */
  readonly path: string;
  /** What the request asks for. */
  readonly stream: boolean;
  /** The JSON that the gateway sent. */
  readonly body: string;
  /** The key that it was sent with. */
  readonly secret: string;
  /** That of the gateway's client; null: it has none. */
  readonly clientKey: string | null;
};
