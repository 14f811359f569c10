import { isIP } from 'node:net';

/** Parts of a base URL as the runtime wants them. */
export type BaseUrl = {
  readonly origin: string;
  readonly basePath: string;
  readonly endpoint: string;
  readonly host: string;
};

export type BaseUrlResult =
  | { readonly ok: true; readonly value: BaseUrl }
  | { readonly ok: false; readonly message: string; readonly hint: string | null };

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' };
/** Paths that codecs append themselves. */
const APPENDED = ['/chat/completions', '/completions', '/responses', '/messages', '/embeddings', '/models'];

export function parseBaseUrl(text: string): BaseUrlResult {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.hostname === '') return bad('is no URL', 'write it whole: https://host/path');
  const port = DEFAULT_PORTS[url.protocol];
  if (port === undefined) return bad('must begin with https:// or http://', null);
  if (url.username !== '' || url.password !== '')
    return bad('must hold no user name or password', 'put the key into apiKey');
  if (url.search !== '' || url.hash !== '') return bad('must end with its path', 'remove what follows "?" or "#"');
  const basePath = url.pathname.replace(/\/+$/, '');
  const appended = APPENDED.find((path) => basePath.endsWith(path));
  if (appended)
    return bad(`must end before "${appended}"`, `write ${url.origin}${basePath.slice(0, -appended.length)}`);
  const endpoint = `${url.hostname}:${url.port === '' ? port : url.port}`;
  return { ok: true, value: { origin: `${url.protocol}//${endpoint}`, basePath, endpoint, host: url.hostname } };
}

const bad = (message: string, hint: string | null): BaseUrlResult => ({ ok: false, message, hint });

/** The host is this machine: `localhost`, 127.0.0.0/8, ::1. */
export function isLoopback(host: string): boolean {
  const bare = unbracket(host).toLowerCase();
  return bare === 'localhost' || bare === '::1' || (isIP(bare) === 4 && bare.startsWith('127.'));
}

const PRIVATE_V4 = [
  /^0\./,
  /^10\./,
  /^127\./,
  /^169\.254\./,
  /^172\.(1[6-9]|2[0-9]|3[01])\./,
  /^192\.168\./,
  /^100\.(6[4-9]|[7-9][0-9]|1[01][0-9]|12[0-7])\./,
];

/** The host says by itself that it is private: a private address, `localhost`, a name of one word. */
export function isPlainlyPrivate(host: string): boolean {
  const bare = unbracket(host).toLowerCase();
  if (isIP(bare) === 4) return PRIVATE_V4.some((net) => net.test(bare));
  if (isIP(bare) === 6)
    return bare === '::1' || bare === '::' || /^f[cd]|^fe[89ab]/.test(bare) || bare.startsWith('::ffff:');
  return bare === 'localhost' || bare.endsWith('.localhost') || !bare.includes('.');
}

/** An address without a zone, or a network in CIDR form. */
export function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  if (bits === undefined) return true;
  return /^[0-9]{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128);
}

/** `scheme://host[:port]` and nothing behind it, as browsers write it. */
export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text;
}

const unbracket = (host: string): string => host.replace(/^\[|\]$/g, '');
