import { readFileSync } from 'node:fs';

type Manifest = { readonly version: string; readonly engines: { readonly node: string } };

const readManifest = (): Manifest =>
  JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Manifest;

/** The version of this package. */
export const readVersion = (): string => readManifest().version;

/** The oldest version of Node that this package runs on. */
export const readNodeFloor = (): string => readManifest().engines.node.replace(/^\D+/, '');
