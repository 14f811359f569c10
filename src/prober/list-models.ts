import type { ListedModel } from '../core/catalogue/listed-model.ts';
import { judge } from '../core/failure/classify.ts';
import type { Outcome } from '../core/failure/outcome.ts';
import type { FailureSignal } from '../core/failure/signal.ts';
import type { ClassifierRow } from '../core/failure/table.ts';
import type { Headers, Protocol } from '../core/model/protocol.ts';
import { revealAll, type Secret } from '../core/redact/secret.ts';
import type { ProviderRuntime } from '../core/routing/provider.ts';
import { joinPath } from '../engine/join-path.ts';
import type { Clock } from '../port/clock.ts';
import type { HttpClient } from '../port/http-client.ts';
import type { ListedPage, ModelListFormat } from '../protocol/model-list.ts';
import type { ProtocolCodec } from '../protocol/types.ts';
import { askList, type ListAnswer } from './ask-list.ts';

/** What listing asks of the world. */
export type ListingPorts = {
  readonly http: Pick<HttpClient, 'send'>;
  readonly clock: Clock;
  readonly lists: ReadonlyMap<Protocol, ModelListFormat>;
  readonly codecs: ReadonlyMap<Protocol, Pick<ProtocolCodec, 'authHeaders' | 'decodeError'>>;
  /** A provider's own rows of the failure table, by its name. */
  readonly failureRows: (provider: string) => readonly ClassifierRow[];
  /** A name as it may be shown. One that is not what it was holds a secret that is known. */
  readonly cleanName: (name: string) => string;
};

export type Listed =
  | { readonly ok: true; readonly models: readonly ListedModel[]; readonly leftOut: number }
  /** `reason`: never a word of the provider's. */
  | { readonly ok: false; readonly reason: Outcome };

/** Of one provider, over all of its pages. */
export const MAX_LIST_BYTES = 8 * 1024 * 1024;
export const MAX_LIST_MODELS = 2000;
const MAX_PAGES = 20;
const MAX_CURSOR = 2048;

/** Statuses by which a server says that there is no list at its address. */
const NO_LIST: ReadonlySet<number> = new Set([404, 405, 410, 501]);

/**
 * The models of one provider, by the first credential that may see them. Ends at `until` (epoch ms), whatever happens;
 * never rejects. A list of which a page is missing is none.
 */
export async function listModels(provider: ProviderRuntime, until: number, ports: ListingPorts): Promise<Listed> {
  const format = ports.lists.get(provider.protocol);
  if (format === undefined) return { ok: false, reason: 'unsupported_capability' };
  let last: Listed = { ok: false, reason: 'timeout_total' };
  for (const { secret } of provider.credentials) {
    if (ports.clock.now() >= until) return last;
    // One after the other: the next is asked only where this one may not.
    // oxlint-disable-next-line no-await-in-loop
    const { listed, isOfCredential } = await listWith(provider, secret, { format, until, ports });
    if (listed.ok || !isOfCredential) return listed;
    last = listed;
  }
  return last;
}

type Listing = { readonly format: ModelListFormat; readonly until: number; readonly ports: ListingPorts };
type Attempt = { readonly listed: Listed; readonly isOfCredential: boolean };

async function listWith(provider: ProviderRuntime, secret: Secret, listing: Listing): Promise<Attempt> {
  const { format, until, ports } = listing;
  const headers = headersOf(provider, secret, listing);
  const models = new Map<string, ListedModel>();
  const cursors = new Set<string | null>();
  let leftOut = 0;
  let bytes = 0;
  for (let cursor: string | null = null; !cursors.has(cursor); ) {
    cursors.add(cursor);
    const path = joinPath(provider.basePath, format.path(cursor));
    const question = { origin: provider.origin, path, headers, connectTimeoutMs: provider.settings.timeouts.connectMs };
    // A page names the one behind it.
    // oxlint-disable-next-line no-await-in-loop
    const answer = await askList(question, { until, maxBytes: MAX_LIST_BYTES - bytes }, ports);
    const page = pageOf(answer, format);
    if (page === null) return failure(provider, answer, ports);
    if (answer.kind === 'answer') bytes += answer.body.length;
    leftOut += page.leftOut + addModels(models, page, ports.cleanName);
    cursor = page.next;
    const isBounded = cursors.size < MAX_PAGES && models.size < MAX_LIST_MODELS;
    if (cursor === null || cursor.length > MAX_CURSOR || !isBounded) break;
  }
  return { listed: { ok: true, models: [...models.values()], leftOut }, isOfCredential: false };
}

function headersOf({ protocol, headers, auth }: ProviderRuntime, secret: Secret, { format, ports }: Listing): Headers {
  const along = { accept: 'application/json', ...format.headers, ...revealAll(headers) };
  const filled: Headers = Object.fromEntries(Object.entries(along).filter(([, value]) => value !== ''));
  return { ...filled, ...ports.codecs.get(protocol)?.authHeaders(secret, auth, filled) };
}

function pageOf(answer: ListAnswer, format: ModelListFormat): ListedPage | null {
  return answer.kind === 'answer' && answer.status >= 200 && answer.status < 300 ? format.decode(answer.body) : null;
}

/** How many of the page were left out here: over all pages no name stands twice, none holds a secret that is known. */
function addModels(models: Map<string, ListedModel>, page: ListedPage, cleanName: ListingPorts['cleanName']): number {
  const before = models.size;
  for (const model of page.models) {
    const isFit = models.size < MAX_LIST_MODELS && !models.has(model.id) && cleanName(model.id) === model.id;
    if (isFit) models.set(model.id, model);
  }
  return page.models.length - (models.size - before);
}

/** One taxonomy: the table that judges answers of models names what became of a list, too. */
function failure(provider: ProviderRuntime, answer: ListAnswer, ports: ListingPorts): Attempt {
  if (answer.kind === 'too_large' || (answer.kind === 'answer' && NO_LIST.has(answer.status)))
    return { listed: { ok: false, reason: 'protocol_error' }, isOfCredential: false };
  const { outcome, component } = judge(signalOf(provider, answer, ports), ports.failureRows(provider.name));
  return { listed: { ok: false, reason: outcome }, isOfCredential: component === 'credential' };
}

function signalOf(
  { name, protocol }: ProviderRuntime,
  answer: Exclude<ListAnswer, { kind: 'too_large' }>,
  { clock, codecs }: ListingPorts,
): FailureSignal {
  const isAnswer = answer.kind === 'answer';
  const error = isAnswer
    ? (codecs.get(protocol)?.decodeError(answer.status, answer.headers, answer.body) ?? null)
    : null;
  return {
    cause: isAnswer ? { kind: 'status' } : answer.cause,
    provider: name,
    protocol,
    translated: false,
    status: isAnswer ? answer.status : null,
    headers: isAnswer ? answer.headers : {},
    error,
    body: isAnswer ? 'json' : 'none',
    anyByte: isAnswer,
    anyEvent: false,
    anyItem: false,
    committed: false,
    at: clock.now(),
  };
}
