import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip, constants as zlib } from 'node:zlib';

/** A file of the pages, as it is sent. */
export type DashboardFile = {
  readonly type: string;
  readonly etag: string;
  /** Its name changes with its contents. */
  readonly isHashed: boolean;
  /** In the coding; compressed once, when it is first asked for. Null: not in this one. */
  encode(coding: Coding): Promise<Uint8Array | null>;
};

export type Coding = 'br' | 'gzip' | 'identity';

/** The pages for people, as they were built. */
export interface Dashboard {
  /** By the path of its address; null: there is none. */
  file(path: string): Promise<DashboardFile | null>;
  /** The page itself; null: it was not built. */
  page(): Promise<DashboardFile | null>;
}

const PAGE = 'index.html';
/** More than any build of it has; what lies there beside it is not sent. */
const MAX_FILES = 1_000;
const MAX_BYTES = 64 * 1024 * 1024;
const MIN_COMPRESSED = 1024;
const BROTLI_QUALITY = 9;

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
  webmanifest: 'application/manifest+json; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  svg: 'image/svg+xml; charset=utf-8',
  png: 'image/png',
  ico: 'image/x-icon',
  woff2: 'font/woff2',
};

/** Files by their addresses: what is asked for is looked up here and is never a path of the disk. */
type Files = ReadonlyMap<string, DashboardFile>;

/** Reads a built dashboard with the first request, and again when it was built anew. */
export function createDashboard(folder: string): Dashboard {
  let read: { readonly builtAt: number; readonly files: Promise<Files> } | null = null;

  const files = async (): Promise<Files | null> => {
    const builtAt = await stat(join(folder, PAGE)).then(
      ({ mtimeMs }) => mtimeMs,
      () => null,
    );
    if (builtAt === null) return null;
    if (read?.builtAt !== builtAt) read = { builtAt, files: readFiles(folder) };
    const { files } = read;
    return files.catch(() => {
      // Half of a build: the next one that asks looks again.
      if (read?.files === files) read = null;
      return null;
    });
  };
  const find = async (path: string): Promise<DashboardFile | null> => (await files())?.get(path) ?? null;
  return { file: find, page: () => find(`/${PAGE}`) };
}

async function readFiles(folder: string): Promise<Files> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const files = new Map<string, DashboardFile>();
  let bytes = 0;
  for (const path of paths.slice(0, MAX_FILES)) {
    const contents = await readFile(path);
    bytes += contents.length;
    if (bytes > MAX_BYTES) break;
    const address = `/${path.slice(folder.length).split(sep).filter(Boolean).join('/')}`;
    const type = TYPES[/\.([a-z0-9]+)$/.exec(address)?.[1] ?? ''];
    if (type !== undefined) files.set(address, createFile(address, contents, type));
  }
  return files;
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const COMPRESS: { readonly [C in Coding]: (contents: Buffer) => Promise<Uint8Array> } = {
  br: (contents) => compressBrotli(contents, { params: { [zlib.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
  gzip: (contents) => compressGzip(contents),
  identity: async (contents) => contents,
};

function createFile(address: string, contents: Buffer, type: string): DashboardFile {
  const made = new Map<Coding, Promise<Uint8Array | null>>();
  const isText = /^text|json|svg|javascript/.test(type) && contents.length >= MIN_COMPRESSED;
  const make = async (coding: Coding): Promise<Uint8Array | null> => {
    if (coding === 'identity') return contents;
    if (!isText) return null;
    const bytes = await COMPRESS[coding](contents);
    return bytes.length < contents.length ? bytes : null;
  };
  return {
    type,
    etag: `"${createHash('sha256').update(contents).digest('base64url').slice(0, 22)}"`,
    isHashed: address.startsWith('/assets/') && /-[\w-]{8,}\.\w+$/.test(address),
    encode(coding) {
      const known = made.get(coding) ?? make(coding);
      made.set(coding, known);
      return known;
    },
  };
}
