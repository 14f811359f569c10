import type { ListedModel } from '../core/catalogue/listed-model.ts';
import type { Headers } from '../core/model/protocol.ts';

/** One page of a provider's list of models. */
export type ListedPage = {
  /** In the order of the list, each once. */
  readonly models: readonly ListedModel[];
  /** Entries that no request could name, or that no chat is held with. */
  readonly leftOut: number;
  /** What `path` needs for the page behind; null: this is the last. */
  readonly next: string | null;
};

/** How the models of a provider are listed, without I/O. */
export type ModelListFormat = {
  /** Behind the base URL. `cursor`: of the page before; null: the first page. */
  readonly path: (cursor: string | null) => string;
  /** Those that it needs beside `accept` and the key. */
  readonly headers: Headers;
  /** Null: that is no list. */
  readonly decode: (body: Uint8Array) => ListedPage | null;
};
