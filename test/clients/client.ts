import type { Protocol } from '../../src/core/model/protocol.ts';
import type { PackageName } from './install.ts';

/** Where and against what a client is started. All folders are empty and its own. */
export type Scene = {
  /** The gateway, without a path. */
  readonly url: string;
  readonly model: string;
  readonly home: string;
  /** Where it works, and where the trace of its tool is looked for. */
  readonly work: string;
  /** Where its package is installed. */
  readonly installed: string;
};

export type Launch = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
};

/** A real program that speaks to a gateway, and how it is pointed at one. */
export type Client = {
  readonly title: string;
  readonly package: PackageName;
  /** The dependency whose version is told. */
  readonly dependency: string;
  readonly protocol: Protocol;
  /** What its targets speak in cells that have to be translated. */
  readonly foreign: Protocol;
  /** Small programs on SDKs, which need no more than Node and a second. */
  readonly isSdk?: true;
  /** What it must not print: that it had to do without what is tested here. */
  readonly forbidden?: RegExp;
  launch(scene: Scene): Launch;
};

export const KEY = 'sk-fake-client-1234567890';
export const PROMPT = 'Write the file.';
