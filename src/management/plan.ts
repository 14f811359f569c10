import { nearestModels, resolveModel } from '../config/resolve.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import type { Headers, Protocol } from '../core/model/protocol.ts';
import type { CanonicalRequest } from '../core/model/request.ts';
import type { VirtualModel } from '../core/routing/candidate.ts';
import type { Plan } from '../core/routing/plan.ts';
import type { PlanAnswer } from './contract.ts';
import { viewCandidate } from './explanation-view.ts';
import { viewDifference, viewSettings } from './settings-view.ts';
import { formatTime } from './time.ts';
import { type ManagementAnswer, type ManagementPorts, type ManagementRequest, problem } from './types.ts';

const PROTOCOLS: readonly Protocol[] = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'gemini',
  'bedrock-converse',
];

/** Known by name, and told apart from a mistake; not to be recommended. */
const LATER: readonly Protocol[] = ['bedrock-converse'];

/** `POST /plan`: what would happen to this request now. Nothing is sent, and no wheel is turned. */
export function answerPlan(
  _ids: readonly string[],
  { body, headers, query, config }: ManagementRequest,
  { planning }: ManagementPorts,
): ManagementAnswer {
  const named = query.get('protocol');
  if (named !== null && !PROTOCOLS.includes(named as Protocol)) {
    return problem(
      400,
      'invalid_request_error',
      `protocol is one of ${PROTOCOLS.filter((each) => !LATER.includes(each)).join(', ')}.`,
    );
  }
  const protocol = (named as Protocol | null) ?? guessProtocol(body, headers);
  const read = planning.readRequest(protocol, body, headers);
  if (read === null) {
    return problem(400, 'invalid_request_error', `${protocol} is not available in this version of Understudy.`);
  }
  if (!read.ok) return problem(400, 'invalid_request_error', read.problem.message);
  const { request } = read;
  const model = resolveModel(config, request.model);
  if (model === undefined) return unknownModel(config, request.model);
  const plan = planning.plan({ request, model, config });
  return { ok: true, body: viewPlan(request, model, plan) };
}

function unknownModel(config: RuntimeConfig, name: string): ManagementAnswer {
  const near = nearestModels(config, name);
  const hint = near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`;
  return problem(404, 'model_not_found', `There is no model ${JSON.stringify(name.slice(0, 128))}.${hint}`);
}

function viewPlan(request: CanonicalRequest, model: VirtualModel, plan: Plan): PlanAnswer {
  const targets = model.targets.map((target) => [target.id, viewDifference(target.settings, model.settings)] as const);
  return {
    asked: request.model,
    model: model.name,
    protocol: request.protocol,
    stream: request.stream,
    needs: [...request.needs],
    estimated_input_tokens: request.estimatedInputTokens,
    strategy: model.strategy,
    at: formatTime(plan.at),
    order: [...plan.order],
    missing: [...plan.missing],
    candidates: plan.candidates.map(viewCandidate),
    settings: {
      model: viewSettings(model.settings),
      targets: Object.fromEntries(targets.filter(([, own]) => Object.keys(own).length > 0)),
    },
  };
}

/**
 * The protocol that a body looks like, where nobody says: Chat and Messages can look the same, and are then told apart
 * by the header that Anthropic's clients send.
 */
function guessProtocol(body: Uint8Array, headers: Headers): Protocol {
  if (headers['anthropic-version'] !== undefined) return 'anthropic-messages';
  const members = membersOf(body);
  if (members.includes('contents')) return 'gemini';
  if (members.includes('messages')) return members.includes('system') ? 'anthropic-messages' : 'openai-chat';
  return members.includes('input') ? 'openai-responses' : 'openai-chat';
}

function membersOf(body: Uint8Array): readonly string[] {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(body));
    return typeof value === 'object' && value !== null ? Object.keys(value) : [];
  } catch {
    return [];
  }
}
