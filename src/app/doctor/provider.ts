import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { codeOf } from '../../config/error-code.ts';
import type { TransportError } from '../../core/failure/signal.ts';
import type { Headers, Protocol } from '../../core/model/protocol.ts';
import { revealAll } from '../../core/redact/secret.ts';
import type { ProviderRuntime } from '../../core/routing/provider.ts';
import type { HttpClient } from '../../port/http-client.ts';
import { CODECS } from '../../protocol/index.ts';
import { type Asked, ask } from './ask.ts';
import { broken, type Found, fine, warning } from './finding.ts';

export type ProviderCheck = {
  readonly provider: ProviderRuntime;
  /** Its models that the configuration names. */
  readonly models: readonly string[];
  /** Variables that could hold its key, for people. */
  readonly keyVariable: string | null;
};

export type ProviderReport = {
  /** Per credential, by its name. */
  readonly found: readonly { readonly credential: string; readonly found: Found }[];
  /** How far the provider's clock is ahead of this machine's; null where it did not say. */
  readonly skewMs: number | null;
};

export type DoctorPorts = { readonly http: HttpClient; readonly now: () => number; readonly limitMs: number };

const MAX_LIST_BYTES = 4 << 20;

/** Where a protocol lists its models, behind a base URL; what it does not have is asked for nothing but its address. */
const MODEL_LISTS: { readonly [P in Protocol]?: (basePath: string) => string } = {
  'openai-chat': (basePath) => `${basePath}/models`,
  'openai-responses': (basePath) => `${basePath}/models`,
  'anthropic-messages': (basePath) => (basePath.endsWith('/v1') ? `${basePath}/models` : `${basePath}/v1/models`),
  // Else it gives fifty at a time.
  gemini: (basePath) => `${basePath}/models?pageSize=1000`,
};

const MORE_HEADERS: { readonly [P in Protocol]?: Headers } = {
  'anthropic-messages': { 'anthropic-version': '2023-06-01' },
};

/** Name, connection, keys and models of a provider. Never tells a key. */
export async function checkProvider(check: ProviderCheck, ports: DoctorPorts): Promise<ProviderReport> {
  const { provider } = check;
  const host = new URL(provider.origin).hostname.replace(/^\[|\]$/g, '');
  const nameless = await checkName(host, ports.limitMs);
  if (nameless !== null) return { found: [{ credential: 'all', found: nameless }], skewMs: null };
  const asked = await Promise.all(
    provider.credentials.map(async (credential) => {
      const list = MODEL_LISTS[provider.protocol];
      const along = { accept: 'application/json', ...MORE_HEADERS[provider.protocol], ...revealAll(provider.headers) };
      const auth = CODECS.get(provider.protocol)?.authHeaders(credential.secret, provider.auth, along) ?? {};
      const headers = { ...along, ...auth };
      const question = { origin: provider.origin, path: list?.(provider.basePath) ?? `${provider.basePath}/`, headers };
      const answer = await ask(ports.http, question, { ...ports, maxBytes: MAX_LIST_BYTES });
      return { credential, answer, hasList: list !== undefined };
    }),
  );
  const found = asked.map(({ credential, answer, hasList }) => ({
    credential: credential.name,
    found: judge(check, answer, { hasList, hasKey: !credential.secret.isEmpty }),
  }));
  return {
    found: merge(found),
    skewMs: asked.map(({ answer }) => skewOf(answer)).find((skew) => skew !== null) ?? null,
  };
}

/** What is the same for all keys is said once. */
function merge(found: ProviderReport['found']): ProviderReport['found'] {
  const [first] = found;
  const isSame = found.every(({ found: { detail } }) => detail === first?.found.detail);
  return first !== undefined && isSame ? [{ credential: 'all', found: first.found }] : found;
}

async function checkName(host: string, limitMs: number): Promise<Found | null> {
  if (isIP(host) !== 0) return null;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), limitMs);
  });
  try {
    const result = await Promise.race([lookup(host), late]);
    if (result !== 'late') return null;
    return broken(`the name ${host} did not resolve within ${limitMs / 1000} s`, 'check the DNS of this machine');
  } catch (error) {
    return broken(`the name ${host} does not resolve (${codeOf(error)})`, 'check baseUrl, and the DNS of this machine');
  } finally {
    clearTimeout(timer);
  }
}

type Circumstances = { readonly hasList: boolean; readonly hasKey: boolean };

function judge(check: ProviderCheck, asked: Asked, circumstances: Circumstances): Found {
  const { endpoint } = check.provider;
  if (asked.kind === 'timeout') {
    const what = asked.phase === 'connect' ? 'accepts no connection' : 'answers nothing';
    return broken(`${endpoint} ${what} in time`, 'check the network, a firewall, and baseUrl');
  }
  if (asked.kind === 'failure')
    return broken(`${endpoint}: ${FAILURES[asked.error].detail}`, FAILURES[asked.error].remedy);
  return judgeStatus(check, asked, circumstances);
}

const FAILURES: Readonly<Record<TransportError, { readonly detail: string; readonly remedy: string }>> = {
  dns: { detail: 'its name does not resolve', remedy: 'check baseUrl, and the DNS of this machine' },
  refused: { detail: 'the connection is refused', remedy: 'is it running there? check baseUrl and its port' },
  unreachable: {
    detail: 'it is out of reach, or a private address that was not asked for',
    remedy: 'check the network; for a name that leads to a private address set allowPrivateNetwork: true',
  },
  tls: {
    detail: 'no trusted TLS connection',
    remedy: 'check that baseUrl names https and the right host; a company proxy needs NODE_EXTRA_CA_CERTS',
  },
  reset: { detail: 'it cuts the connection', remedy: 'check baseUrl (http or https?), and for a proxy in between' },
  closed: { detail: 'it closes the connection without an answer', remedy: 'check baseUrl (http or https?)' },
  bad_http: { detail: 'what answers speaks no HTTP', remedy: 'check baseUrl: scheme and port' },
  bad_encoding: {
    detail: 'what it sends is not in the encoding that it names',
    remedy: 'check for a proxy in between',
  },
  local: { detail: 'this machine can open no connection', remedy: 'check the limit of open files, and free ports' },
};

type Answer = Extract<Asked, { kind: 'answer' }>;

function judgeStatus(check: ProviderCheck, answer: Answer, { hasList, hasKey }: Circumstances): Found {
  const { status } = answer;
  const { endpoint } = check.provider;
  if (!hasList) return fine(`${endpoint} answers; its keys are not checked: it has no cheap request`);
  if (status === 401 || status === 403 || isBadKey(answer)) {
    const what = hasKey ? 'the key is refused' : 'it wants a key';
    return broken(`${endpoint}: ${what} (${status})`, keyRemedy(check, hasKey));
  }
  if (status >= 200 && status < 300) return judgeList(check, answer, hasKey);
  if (status >= 300 && status < 400) {
    return warning(
      `${endpoint} sends elsewhere (${status})`,
      'put the address that it names into baseUrl: redirects are not followed',
    );
  }
  if (status === 404 || status === 405) {
    return warning(
      `${endpoint} answers, but lists no models (${status})`,
      'that may be so; else check that baseUrl ends where the vendor documents it to end',
    );
  }
  if (status === 429)
    return warning(`${endpoint} answers, and limits this key now (429)`, 'wait, or give it a second key');
  return warning(`${endpoint} answers ${status} to a list of its models`, 'try again: it may be out of order');
}

/** Google says it with a status that others have for requests of a wrong form. */
const isBadKey = ({ status, body }: Answer): boolean =>
  status === 400 && new TextDecoder().decode(body).includes('API_KEY_INVALID');

const keyRemedy = ({ keyVariable, provider }: ProviderCheck, hasKey: boolean): string => {
  const place =
    keyVariable === null ? `providers.${provider.name}.apiKey` : `${keyVariable} (providers.${provider.name})`;
  return hasKey ? `put a valid key into ${place}` : `give it one: ${place}`;
};

const SHOWN_MODELS = 3;

function judgeList(check: ProviderCheck, { body }: Answer, hasKey: boolean): Found {
  const { endpoint } = check.provider;
  const ids = readIds(body);
  if (ids === null) {
    return warning(
      `${endpoint} answers, but not with a list of models`,
      'check that baseUrl ends where the vendor documents it to end, and for a proxy that wants you to sign in',
    );
  }
  const unknown = check.models.filter((model) => ids.length > 0 && !ids.includes(model));
  const keyed = hasKey ? 'the key is accepted, ' : '';
  if (unknown.length === 0) return fine(`${endpoint}: ${keyed}${countOf(ids.length, 'model')}`);
  const shown = unknown.slice(0, SHOWN_MODELS).join(', ');
  return warning(
    `${endpoint}: ${keyed}but ${shown} ${unknown.length === 1 ? 'is' : 'are'} not among its ${countOf(ids.length, 'model')}`,
    'check how the vendor writes the name; some serve models that they do not list',
  );
}

const countOf = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

/** Stands before each name of Google's list. */
const GOOGLE_FOLDER = /^models\//;

function readIds(body: Uint8Array): readonly string[] | null {
  try {
    const { data, models } = JSON.parse(new TextDecoder().decode(body)) as { data?: unknown; models?: unknown };
    const list = data ?? models;
    if (!Array.isArray(list)) return null;
    return list.flatMap((entry: { id?: unknown; name?: unknown } | null) => {
      const id = data === undefined ? entry?.name : entry?.id;
      if (typeof id !== 'string') return [];
      return [data === undefined ? id.replace(GOOGLE_FOLDER, '') : id];
    });
  } catch {
    return null;
  }
}

/**
 * `Date` counts whole seconds: the middle of that second is the best guess, as the middle of the exchange is for us.
 */
const HALF_SECOND_MS = 500;

function skewOf(asked: Asked): number | null {
  if (asked.kind !== 'answer') return null;
  const at = Date.parse(asked.headers['date'] ?? '');
  return Number.isNaN(at) ? null : at + HALF_SECOND_MS - (asked.sentAt + asked.headAt) / 2;
}
