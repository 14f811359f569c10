import { compactCodec, type FollowUpKind } from '../protocol/openai-responses/index.ts';
import { answer, answerJson } from './answer.ts';
import { answerEvents } from './answer-events.ts';
import { answerManagement } from './answer-management.ts';
import { answerMetrics } from './answer-metrics.ts';
import type { ServerContext } from './context.ts';
import { answerDashboard, answerPage, wantsPage } from './dashboard/answer-dashboard.ts';
import { enter } from './door.ts';
import type { Exchange, Identity } from './exchange.ts';
import type { RefusedInference } from './hand-over.ts';
import { showsSign } from './manners.ts';
import {
  anthropicModel,
  anthropicModelList,
  findModel,
  geminiModel,
  geminiModelList,
  listModels,
  openAiModel,
  openAiModelList,
  suggestModels,
} from './models.ts';
import { tellReadiness } from './readiness.ts';
import { refuse } from './refusal.ts';
import type { RouteName, RouteRow } from './routes.ts';
import { serveCount } from './serve-count.ts';
import { serveFollowUp } from './serve-follow-up.ts';
import { serveBody, serveInference } from './serve-inference.ts';
import { answerSession } from './session/answer-session.ts';
import { isSocketOn, wantsSocket } from './socket/wants-socket.ts';

/** Null: the client has its answer. */
export type Outcome = RefusedInference | null;

export type Entered = { readonly row: RouteRow; readonly rest: string; readonly identity: Identity };

export type Handler = (exchange: Exchange, entered: Entered, context: ServerContext) => Promise<Outcome> | Outcome;

const NOTHING = new Uint8Array();
const HTTP_UPGRADE_REQUIRED = 426;

const say = (exchange: Exchange, context: ServerContext, value: unknown, status = 200): null => {
  answerJson(exchange, status, value, { isLast: context.phase() !== 'open' });
  return null;
};

/** What each route of the table does. */
export const HANDLERS: { readonly [N in RouteName]: Handler } = {
  greeting: (exchange, _entered, context) => {
    if (wantsPage(exchange)) return answerPage(exchange, context);
    return say(exchange, context, {
      name: 'Understudy',
      version: context.version,
      what: 'An LLM gateway: ask for a model, and whoever can answer goes on.',
      use: 'Point an OpenAI client at this address with /v1 at its end, a client of Anthropic or Google at the address itself.',
      paths: [
        'POST /v1/chat/completions',
        'POST /v1/responses',
        'POST /v1/messages',
        'POST /v1beta/models/{model}:generateContent',
        'GET /v1/models',
        'GET /readyz',
        'GET /api/v1/requests',
        'GET /api/v1/targets',
      ],
    });
  },

  hello: (exchange, _entered, context) => {
    answer(exchange, 200, {}, NOTHING, context.phase() !== 'open');
    return null;
  },

  livez: (exchange, _entered, context) => say(exchange, context, { status: 'alive', version: context.version }),

  readyz: (exchange, _entered, context) => {
    const { status, body } = tellReadiness(exchange, context);
    return say(exchange, context, body, status);
  },

  metrics: answerMetrics,

  models: (exchange, { identity }, context) => {
    const models = listModels(exchange.config, identity.key);
    return say(exchange, context, SHAPES[shapeOf(exchange)].list(models, context.startedAt));
  },

  model: (exchange, { identity, rest }, context) => {
    const id = decodeSegment(rest);
    const model = findModel(exchange.config, identity.key, id);
    if (model !== undefined) {
      return say(exchange, context, SHAPES[shapeOf(exchange)].one(model, context.startedAt));
    }
    const shown = JSON.stringify(id.slice(0, 128));
    const message = `There is no model ${shown}.${suggestModels(exchange.config, identity.key, id)}`;
    return refuse('model_not_found', message, { providerParam: 'model' });
  },

  inference: (exchange, { identity }, context) => serveInference(exchange, identity, context),
  count: (exchange, { identity }, context) => serveCount(exchange, identity, context),
  compact: (exchange, { identity }, context) =>
    serveBody(exchange, identity, { codec: compactCodec, isTurn: true, kind: 'compact' }, context),

  retrieve: followUp('retrieve'),
  remove: followUp('remove'),
  cancel: followUp('cancel'),
  list_items: followUp('list_items'),

  management: answerManagement,
  events: answerEvents,
  session: answerSession,
  asset: answerDashboard,

  unavailable: ({ method, path }, { row }) =>
    refuse(
      'not_found',
      `${row.title} (${method} ${path.slice(0, 100)}) is not available in this version of Understudy. ${row.instead ?? ''}`.trim(),
    ),

  // Those that are taken up never come here.
  websocket: (exchange, _entered, context) => {
    if (!wantsSocket(exchange.headers)) return refuse('not_found', `GET ${exchange.path} needs the id of a response.`);
    const entry = isSocketOn(context) ? enter(exchange, 'client') : null;
    if (entry?.ok === false) return entry.refused;
    return refuse('invalid_request_error', 'WebSocket is not available here: send the same request over HTTP.', {
      status: HTTP_UPGRADE_REQUIRED,
      headers: { connection: 'close' },
    });
  },
};

function followUp(kind: FollowUpKind): Handler {
  return (exchange, { rest, identity }, context) =>
    serveFollowUp(exchange, { kind, id: decodeSegment(rest) }, identity, context);
}

/** Models as clients of each maker read them. */
const SHAPES = {
  openai: { list: openAiModelList, one: openAiModel },
  anthropic: { list: anthropicModelList, one: anthropicModel },
  gemini: { list: geminiModelList, one: geminiModel },
};

function shapeOf({ protocol, headers }: Exchange): keyof typeof SHAPES {
  if (protocol === 'gemini') return 'gemini';
  return showsSign(headers, 'reads_anthropic') ? 'anthropic' : 'openai';
}

function decodeSegment(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
