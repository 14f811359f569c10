import type { Protocol } from '../core/model/protocol.ts';
import type { FollowUpKind } from '../protocol/openai-responses/index.ts';

/**
 * Who may come in: `open` anybody, `client` a client key (or the user of this machine), `admin` the admin token (or the
 * user of this machine).
 */
export type Door = 'open' | 'client' | 'admin';

export type RouteName =
  | 'greeting'
  | 'hello'
  | 'livez'
  | 'readyz'
  | 'metrics'
  | 'models'
  | 'model'
  | 'inference'
  | 'count'
  | 'compact'
  | FollowUpKind
  | 'events'
  | 'session'
  | 'asset'
  | 'management'
  | 'unavailable'
  | 'websocket';

export type RouteRow = {
  readonly name: RouteName;
  readonly path: RegExp;
  readonly methods: readonly string[];
  readonly door: Door;
  /** In which errors are told; null: as the client's headers say. */
  readonly protocol: Protocol | null;
  /** Requests that are refused here stand in the ledger. */
  readonly isRecorded: boolean;
  /** For people, of what this version does not have. */
  readonly title?: string;
  /** What to use in its place. */
  readonly instead?: string;
};

const row = (
  name: RouteName,
  path: RegExp,
  methods: readonly string[],
  door: Door,
  rest: Partial<Omit<RouteRow, 'name' | 'path' | 'methods' | 'door'>> = {},
): RouteRow => ({ name, path, methods, door, protocol: null, isRecorded: false, ...rest });

const unavailable = (
  path: RegExp,
  methods: readonly string[],
  protocol: Protocol | null,
  title: string,
  rest: Pick<RouteRow, 'instead'> = {},
): RouteRow => row('unavailable', path, methods, 'open', { protocol, title, ...rest });

/** A body that names a model. */
const forModel = (name: 'inference' | 'count' | 'compact', path: RegExp, protocol: Protocol): RouteRow =>
  row(name, path, ['POST'], 'client', { protocol, isRecorded: true });

const inference = (path: RegExp, protocol: Protocol): RouteRow => forModel('inference', path, protocol);

/** What is asked about a response is the route's name. */
const followUp = (path: RegExp, method: string, kind: FollowUpKind): RouteRow =>
  row(kind, path, [method], 'client', { protocol: 'openai-responses', isRecorded: true });

/** Every path of the gateway; the first row whose path and method fit serves. */
export const ROUTES: readonly RouteRow[] = [
  row('greeting', /^\/$/, ['GET', 'HEAD'], 'open'),
  row('hello', /^\/api\/hello$/, ['GET', 'HEAD'], 'open'),
  row('livez', /^\/livez$/, ['GET', 'HEAD'], 'open'),
  row('readyz', /^\/readyz$/, ['GET', 'HEAD'], 'open'),
  // Its handler knows who may come in.
  row('metrics', /^\/metrics$/, ['GET', 'HEAD'], 'open'),
  inference(/^\/v1\/chat\/completions$/, 'openai-chat'),
  inference(/^\/v1\/responses$/, 'openai-responses'),
  inference(/^\/v1\/messages$/, 'anthropic-messages'),
  row('models', /^\/v1\/models$/, ['GET', 'HEAD'], 'client'),
  row('model', /^\/v1\/models\/(.+)$/, ['GET', 'HEAD'], 'client'),
  row('events', /^\/api\/v1\/events$/, ['GET'], 'admin'),
  row('session', /^\/api\/v1\/session$/, ['GET', 'HEAD', 'POST', 'DELETE'], 'open'),
  row('asset', /^\/assets\/([\w.-]+)$/, ['GET', 'HEAD'], 'open'),
  row('management', /^\/api\/v1(?:\/.*)?$/, ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'], 'admin'),
  row('websocket', /^\/v1\/responses$/, ['GET'], 'open', { protocol: 'openai-responses' }),
  forModel('compact', /^\/v1\/responses\/compact$/, 'openai-responses'),
  forModel('count', /^\/v1\/responses\/input_tokens$/, 'openai-responses'),
  followUp(/^\/v1\/responses\/([^/]+)$/, 'GET', 'retrieve'),
  followUp(/^\/v1\/responses\/([^/]+)$/, 'DELETE', 'remove'),
  followUp(/^\/v1\/responses\/([^/]+)\/cancel$/, 'POST', 'cancel'),
  followUp(/^\/v1\/responses\/([^/]+)\/input_items$/, 'GET', 'list_items'),
  forModel('count', /^\/v1\/messages\/count_tokens$/, 'anthropic-messages'),
  inference(/^\/v1(?:beta|alpha)?\/(?:models|tunedModels)\/.+:(?:generateContent|streamGenerateContent)$/, 'gemini'),
  row('models', /^\/v1beta\/models$/, ['GET', 'HEAD'], 'client', { protocol: 'gemini' }),
  row('model', /^\/v1beta\/models\/(.+)$/, ['GET', 'HEAD'], 'client', { protocol: 'gemini' }),
  forModel('count', /^\/v1(?:beta|alpha)?\/(?:models|tunedModels)\/.+:countTokens$/, 'gemini'),
  unavailable(/^\/v1beta\/models\/.+:\w+$/, ['POST'], 'gemini', 'This method of the Gemini API'),
  unavailable(/^\/v1\/embeddings$/, ['POST'], 'openai-chat', 'The OpenAI Embeddings API'),
  unavailable(/^\/v1\/completions$/, ['POST'], 'openai-chat', 'The older OpenAI Completions API', {
    instead: 'Set the client to chat: POST /v1/chat/completions.',
  }),
];

export type FoundRoute =
  | { readonly kind: 'found'; readonly row: RouteRow; readonly rest: string }
  /** The path is known, the method is not. */
  | { readonly kind: 'method'; readonly row: RouteRow; readonly allow: readonly string[] }
  | { readonly kind: 'none' };

/**
 * A base URL that ends in /v1, given to a client that adds it by itself, as those of Anthropic do: what is asked for is
 * plain all the same, and some clients would call it a missing model.
 */
const DOUBLED_BASE = /^\/v1(?=\/(?:v1|v1beta)\/|\/api\/hello$)/;

/** `rest` is what the path's pattern caught, still percent-encoded. */
export function findRoute(method: string, asked: string): FoundRoute {
  const path = asked.replace(DOUBLED_BASE, '');
  const fitting = ROUTES.filter((candidate) => candidate.path.test(path));
  const found = fitting.find((candidate) => candidate.methods.includes(method));
  if (found) return { kind: 'found', row: found, rest: found.path.exec(path)?.[1] ?? '' };
  const [first] = fitting;
  if (first === undefined) return { kind: 'none' };
  return { kind: 'method', row: first, allow: [...new Set(fitting.flatMap((candidate) => candidate.methods))] };
}
