import { existsSync, readFileSync } from 'node:fs';

type Manifest = { readonly version: string; readonly engines: { readonly node: string } };

/** From here upward: in a build this file lies elsewhere. */
function readManifest(): Manifest {
  for (let folder = new URL('.', import.meta.url); ; folder = new URL('..', folder)) {
    const file = new URL('package.json', folder);
    if (existsSync(file) || folder.pathname === '/') return JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  }
}

/** The version of this package. */
export const readVersion = (): string => readManifest().version;

/** The oldest version of Node that this package runs on. */
export const readNodeFloor = (): string => readManifest().engines.node.replace(/^\D+/, '');
