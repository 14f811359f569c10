import type { Headers } from '../../core/model/protocol.ts';
import type { ServerContext } from '../context.ts';
import type { Exchange } from '../exchange.ts';
import type { Entered, Outcome } from '../handlers.ts';
import { ownHeaders } from '../own-headers.ts';
import { refuse } from '../refusal.ts';
import type { Coding, DashboardFile } from './dashboard.ts';

/** Nothing comes from elsewhere, nothing is written into the page, and nobody puts it into a frame. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const GUARDS: Headers = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

const FOR_EVER = 'public, max-age=31536000, immutable';
const encoder = new TextEncoder();

const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Understudy</title>
<h1>Understudy is running</h1>
<p>Its pages are not built. In the checkout run <code>npm run prepare</code>, then load this page again.</p>
<p>The command line shows the same: <code>understudy targets</code>, <code>understudy requests</code>.</p>
</html>
`;

/** Whether a browser asks for a page to show, rather than a program for data. */
export const wantsPage = ({ method, headers }: Exchange): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(headers['accept'] ?? '');

/** A file of the pages, by its address. */
export async function answerDashboard(exchange: Exchange, _entered: Entered, context: ServerContext): Promise<Outcome> {
  const file = (await context.dashboard?.file(exchange.path)) ?? null;
  if (file === null) return refuse('not_found', `There is nothing at GET ${exchange.path.slice(0, 100)}.`);
  await sendFile(exchange, file, context);
  return null;
}

/** The page itself, at whatever address of its own a browser has come back to. */
export async function answerPage(exchange: Exchange, context: ServerContext): Promise<null> {
  const page = (await context.dashboard?.page()) ?? null;
  if (page !== null) await sendFile(exchange, page, context);
  else send(exchange, { type: 'text/html; charset=utf-8', bytes: encoder.encode(NOT_BUILT) }, context);
  return null;
}

/** Addresses of programs: nothing of a page is there. */
const PROGRAMS = /^\/(?:v1|v1beta|v1alpha|api)(?:\/|$)/;
const HAS_ENDING = /\.[a-z0-9]+$/i;

/** What no route is for may be a file beside the page, or an address of the page. True: it was, and has its answer. */
export async function answerStranger(exchange: Exchange, context: ServerContext): Promise<boolean> {
  const { method, path } = exchange;
  const { dashboard } = context;
  if (dashboard === undefined || (method !== 'GET' && method !== 'HEAD') || PROGRAMS.test(path)) return false;
  const isFile = HAS_ENDING.test(path);
  if (!isFile && !wantsPage(exchange)) return false;
  const found = isFile ? await dashboard.file(path) : await dashboard.page();
  if (found === null) return false;
  await sendFile(exchange, found, context);
  return true;
}

async function sendFile(exchange: Exchange, file: DashboardFile, context: ServerContext): Promise<void> {
  const headers = {
    etag: file.etag,
    vary: 'accept-encoding, origin',
    'cache-control': file.isHashed ? FOR_EVER : 'no-cache',
  };
  if (exchange.headers['if-none-match'] === file.etag) {
    send(exchange, { type: file.type, bytes: null, headers }, context);
    return;
  }
  for (const coding of codingsOf(exchange.headers['accept-encoding'])) {
    const bytes = await file.encode(coding);
    if (bytes === null) continue;
    const coded = coding === 'identity' ? {} : { 'content-encoding': coding };
    send(exchange, { type: file.type, bytes, headers: { ...headers, ...coded } }, context);
    return;
  }
}

/** What the client takes, the smallest first. */
function codingsOf(accept: string | undefined): readonly Coding[] {
  const taken = (accept ?? '')
    .split(',')
    .filter((each) => !/;\s*q=0(?:\.0*)?\s*$/.test(each))
    .map((each) => each.split(';', 1)[0]?.trim().toLowerCase());
  const known: readonly Coding[] = ['br', 'gzip'];
  return [...known.filter((coding) => taken.includes(coding)), 'identity'];
}

type Sent = { readonly type: string; readonly bytes: Uint8Array | null; readonly headers?: Headers };

/** `bytes` null: the client has it. */
function send(exchange: Exchange, { type, bytes, headers = {} }: Sent, context: ServerContext): void {
  const { res, method } = exchange;
  if (res.headersSent || res.destroyed) return;
  const last = context.phase() === 'open' ? {} : { connection: 'close' };
  const about = bytes === null ? {} : { 'content-type': type, 'content-length': String(bytes.length) };
  const all = { ...ownHeaders(exchange), 'cache-control': 'no-cache', ...GUARDS, ...about, ...headers, ...last };
  res.writeHead(bytes === null ? 304 : 200, all);
  if (bytes === null || method === 'HEAD') res.end();
  else res.end(bytes);
}
