import { listRoutes } from '../../config/list-routes.ts';
import { resolveModel } from '../../config/resolve.ts';
import type { RuntimeConfig } from '../../config/runtime.ts';
import type { Fact } from '../../core/attempt/ledger.ts';
import type { Route } from '../../core/routing/candidate.ts';
import type { HttpRequest } from '../../port/http-client.ts';
import { concatBytes, decodeUtf8 } from '../../protocol/json/index.ts';
import { createAccounts, createProviders, playOf, type SendView } from '../provider/index.ts';
import type { Behaviour, Scenario } from '../scenario/scenario.ts';
import type { Books } from './books.ts';
import type { Chance } from './chance.ts';
import { createNetwork, type Network, type Play } from './network.ts';
import type { SimulatedRequest, SimulatedSend, Truth } from './run.ts';
import type { VirtualClock } from './virtual-clock.ts';

export type ProviderSide = {
  readonly network: Network;
  readonly sends: readonly SimulatedSend[];
  /** Sends that no attempt on record stands for, and the other way round. */
  readonly strays: readonly string[];
  answersOf(route: Route, request: SimulatedRequest, at: number): Truth | null;
};

/** What a route does with a send of a request, so long after the beginning of the world; asked once for each send. */
export type Answers = (route: Route, atMs: number, request: string) => Behaviour;

export type ProviderSideParts = {
  readonly clock: VirtualClock;
  readonly chance: Chance;
  readonly config: RuntimeConfig;
  readonly scenario: Scenario;
  readonly books: Books;
  /** In place of the scenario's rows and accounts; null: those. Of a send that did not happen nothing is known then. */
  readonly answers: Answers | null;
};

/** Everything that the gateway sends to: notes each send, and has the scenario say what becomes of it. */
export function createProviderSide({
  clock,
  chance,
  config,
  scenario,
  books,
  answers,
}: ProviderSideParts): ProviderSide {
  const startedAt = clock.now();
  const providers = createProviders(scenario.providers, chance.split('rows'));
  const accounts = createAccounts(scenario.accounts);
  const routes = new Map(listRoutes(config).map((route) => [route.id, route]));
  const sends: SimulatedSend[] = [];
  const strays: string[] = [];

  const routeOf = (id: string): Route => {
    const known = routes.get(id) ?? findRoute(config, id);
    if (known === undefined) throw new Error(`a send to ${id}, which the configuration does not have`);
    routes.set(id, known);
    return known;
  };
  const next = (request: HttpRequest): Play => {
    const n = sends.length;
    const started = books.takeStarted();
    if (started === null) {
      strays.push(`send ${n} to ${request.origin} without an attempt on record`);
      return {};
    }
    const route = routeOf(started.route);
    const body = decodeUtf8(concatBytes(request.body));
    const asked = { path: request.path, body, stream: asksForStream(request.path, body) };
    const view = viewOf(n, route, asked, started);
    const at = clock.now() - startedAt;
    const ticket = accounts.enter(route, at);
    const behaviour = answers?.(route, at, started.request) ?? ticket.refusal ?? providers.behave(route, at);
    const { play, truth, toldMs } = playOf(behaviour, view, chance.split(`send ${n}`));
    sends.push(
      createSend({ n, at: clock.now(), route, behaviour, truth, toldMs, started, view, network: () => network }),
    );
    return { ...play, onOver: () => ticket.leave(clock.now() - startedAt) };
  };
  const network = createNetwork(clock, next);
  const viewOf = (n: number, route: Route, asked: Asked, { request }: Pick<Fact, 'request'>): SendView => {
    const key = books.of(request).ledger?.started.key ?? null;
    const provider = config.providers.get(route.provider);
    const secret = provider?.credentials.find(({ name }) => name === route.credential)?.secret.reveal() ?? '';
    const clientKey = config.auth.keys.find(({ name }) => name === key)?.secret.reveal() ?? null;
    return { n, protocol: route.protocol, ...asked, secret, clientKey };
  };

  return {
    network,
    sends,
    strays,
    answersOf(route, request, at) {
      const since = at - startedAt;
      if (answers !== null) return null;
      if (accounts.peek(route, since) !== null) return null;
      const { ask } = request;
      const isTranslated = route.protocol !== ask.protocol;
      const behaviour = providers.peek(route, since);
      // Whether there is room enough is known of what is really sent.
      if (behaviour.needsTokens !== undefined) return null;
      // What is too large to be read can't be translated.
      if (isTranslated && behaviour.fault?.kind === 'huge') return null;
      const asked = { path: '', body: isTranslated ? NOTHING_ASKED : decodeUtf8(ask.body), stream: ask.stream };
      const view = viewOf(-1, route, asked, { request: request.id });
      const { play, truth } = playOf(behaviour, view, chance.split('answers'));
      return truth?.isWhole === true && (play.status ?? 200) === 200 ? truth : null;
    },
  };
}

/** What a translation would ask for makes no difference to the answer. */
const NOTHING_ASKED = '{}';

type Asked = Pick<SendView, 'path' | 'body' | 'stream'>;

const METHOD = /\/models\/[^?]+:(generateContent|streamGenerateContent)/;

/** Gemini says it in its path, the others in the body. */
function asksForStream(path: string, body: string): boolean {
  const [, method] = METHOD.exec(path) ?? [];
  if (method !== undefined) return method === 'streamGenerateContent';
  return (JSON.parse(body) as { readonly stream?: unknown }).stream === true;
}

function findRoute(config: RuntimeConfig, id: string): Route | undefined {
  const target = resolveModel(config, id.slice(0, id.lastIndexOf('#')))?.targets[0];
  return target?.routes.find((route) => route.id === id);
}

type SendParts = {
  readonly n: number;
  readonly at: number;
  readonly route: Route;
  readonly behaviour: Behaviour;
  readonly truth: Truth | null;
  readonly toldMs: number | null;
  readonly started: Extract<Fact, { type: 'attempt_started' }>;
  readonly view: SendView;
  readonly network: () => Network;
};

function createSend({ n, at, route, behaviour, truth, toldMs, started, view, network }: SendParts): SimulatedSend {
  const seen = () => network().sends[n];
  return {
    n,
    at,
    request: started.request,
    attempt: started.n,
    route,
    protocol: view.protocol,
    behaviour,
    truth,
    get toldUntil() {
      const headAt = seen()?.headAt ?? null;
      return toldMs === null || headAt === null ? null : headAt + toldMs;
    },
    get headAt() {
      return seen()?.headAt ?? null;
    },
    get abortedAt() {
      return seen()?.abortedAt ?? null;
    },
    get endedAt() {
      return seen()?.overAt ?? null;
    },
    get delivered() {
      return seen()?.delivered ?? 0;
    },
  };
}
