import { readFileSync } from 'node:fs';
import type { Env } from '../../app/configuration.ts';
import { planOffline } from '../../app/plan-offline.ts';
import { systemNow } from '../../app/system-time.ts';
import { codeOf } from '../../config/error-code.ts';
import { nameOfNeed, nameOfProtocol, SPOKEN } from '../../config/service-order.ts';
import type { CandidateView, PlanAnswer } from '../../management/contract.ts';
import { whyOf } from '../candidate-words.ts';
import { ownCommand } from '../command-name.ts';
import { CommandError, EXIT } from '../exit-code.ts';
import { findGateway } from '../find-gateway.ts';
import { foldForeign, renderForeign, renderRemedy } from '../foreign-routes.ts';
import { askGateway } from '../gateway-client.ts';
import { loadToReadOrEnd, openOrEnd } from '../open-configuration.ts';
import { proseOut } from '../prose.ts';
import { renderTable, wrapLines } from '../table.ts';
import type { Terminal } from '../terminal.ts';
import { countOf, formatUntil, styleOf } from '../words.ts';

export type PlanOptions = {
  readonly json?: boolean;
  readonly model?: string;
  readonly request?: string;
  readonly protocol?: string;
  readonly offline?: boolean;
  readonly url?: string;
  readonly config?: string;
  readonly all?: boolean;
};

/** A plan, and who made it: the address of a gateway, or null for the configuration alone. */
type Found = { readonly plan: PlanAnswer; readonly gateway: string | null };

/** Shows what would happen to a request, as a running gateway sees it or as one would that has just started. */
export async function showPlan(terminal: Terminal, env: Env, given: PlanOptions): Promise<void> {
  const { protocol: named, ...rest } = given;
  const options: PlanOptions = named === undefined ? rest : { ...rest, protocol: readProtocol(named) };
  const body = readBody({ ...options, model: modelOf(env, options) });
  const found = (options.offline ? null : await planOnline(env, options, body)) ?? (await plan(env, options, body));
  if (options.json) terminal.out(JSON.stringify({ gateway: found.gateway, plan: found.plan }, null, 2));
  else terminal.out(renderPlan(terminal, found, systemNow(), options.all ?? false));
}

const PROTOCOLS = SPOKEN.map((protocol) => ({ protocol, name: nameOfProtocol(protocol).toLowerCase() }));

/** By its short name or the one of the file. */
function readProtocol(word: string): string {
  const found = PROTOCOLS.find(({ protocol, name }) => [protocol, name].includes(word.toLowerCase()));
  if (found !== undefined) return found.protocol;
  const names = PROTOCOLS.map(({ name }) => name).join(', ');
  throw new CommandError(EXIT.wrongUse, `--protocol ${word}: this version has ${names}.`);
}

/** Null: nobody answers where the configuration says; an address that was named has to answer. */
async function planOnline(env: Env, options: PlanOptions, body: Uint8Array): Promise<Found | null> {
  const gateway = findGateway(options, env);
  const query = options.protocol === undefined ? '' : `?protocol=${encodeURIComponent(options.protocol)}`;
  try {
    return {
      plan: (await askGateway(gateway, `/plan${query}`, {
        sent: body,
        onMissing: `See which there are: ${ownCommand()} models.`,
      })) as PlanAnswer,
      gateway: gateway.url,
    };
  } catch (error) {
    const isNamed = options.url !== undefined || (env['UNDERSTUDY_URL'] ?? '') !== '';
    if (!isNamed && error instanceof CommandError && error.exitCode === EXIT.unreachable) return null;
    throw error;
  }
}

async function plan(env: Env, options: PlanOptions, body: Uint8Array): Promise<Found> {
  const config = loadToReadOrEnd(openOrEnd(options, env, EXIT.configuration));
  const answer = await planOffline(config, { body, protocol: options.protocol ?? null });
  if (answer.ok) return { plan: answer.body as PlanAnswer, gateway: null };
  const { status, message } = answer.problem;
  throw new CommandError(status === 404 ? EXIT.checkFailed : EXIT.wrongUse, message);
}

/** The one that is named; for a request that is made up also the only one of the configuration, or its default. */
function modelOf(env: Env, options: PlanOptions): string | undefined {
  if (options.model !== undefined || options.request !== undefined) return options.model;
  const { models, defaultModel } = loadToReadOrEnd(openOrEnd(options, env, EXIT.configuration));
  const names = [...models.keys()];
  const only = names.length === 1 ? names[0] : defaultModel;
  if (only !== undefined) return only;
  const known = names.length === 0 ? 'there are none: name a provider/model' : names.join(', ');
  throw new CommandError(
    EXIT.wrongUse,
    `Which model? Name it with --model, or give a request with --request. Models: ${known}.`,
  );
}

const SHORT_REQUEST = { messages: [{ role: 'user', content: 'Hello.' }], max_tokens: 256 };
const SHORT_REQUESTS: Readonly<Record<string, object>> = {
  'openai-responses': { input: 'Hello.' },
  gemini: { contents: [{ role: 'user', parts: [{ text: 'Hello.' }] }] },
};
const STDIN = 0;

/** The request's own bytes; with another model, if one is named. */
function readBody({ request, model, protocol }: Omit<PlanOptions, 'model'> & { readonly model: string | undefined }) {
  if (request === undefined) {
    return encode({ model, ...(SHORT_REQUESTS[protocol ?? ''] ?? SHORT_REQUEST) });
  }
  const bytes = readRequest(request);
  if (model === undefined) return bytes;
  try {
    return encode({ ...(JSON.parse(new TextDecoder().decode(bytes)) as object), model });
  } catch {
    throw new CommandError(EXIT.wrongUse, `${request} is not valid JSON.`);
  }
}

const encode = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

function readRequest(file: string): Uint8Array {
  try {
    return readFileSync(file === '-' ? STDIN : file);
  } catch (error) {
    throw new CommandError(EXIT.wrongUse, `${file} can't be read (${codeOf(error)}).`);
  }
}

function renderPlan(terminal: Terminal, { plan, gateway }: Found, now: number, showsAll: boolean): string {
  const ranked = plan.candidates.filter((candidate) => candidate.rank !== null);
  const out = plan.candidates.filter((candidate) => candidate.rank === null);
  const { shown: left, foreign } = foldForeign(out, !showsAll);
  const title = (text: string): string => terminal.paint('bold', text);
  // Only a model whose targets come out of lists has none.
  const why = plan.candidates.length === 0 ? ': no list holds a target for it' : '';
  const nobody = terminal.paint('red', `Nobody could serve it now${why}.`);
  return [
    renderHead(terminal, plan, gateway),
    ranked.length === 0 ? nobody : `${title('Order of service')}\n${renderCandidates(terminal, ranked, now)}`,
    ...(left.length === 0 ? [] : [`${title('Left out')}\n${renderCandidates(terminal, left, now)}`]),
    ...(foreign.length === 0 ? [] : [renderForeign(terminal, foreign).join('\n')]),
    ...renderRemedy(terminal, plan.candidates, plan),
    `${proseOut(terminal, `${title('Effective settings')}${terminal.paint('dim', ', with presets, defaults and inheritance worked in')}`)}\n${renderSettings(terminal, plan)}`,
  ].join('\n\n');
}

function renderHead(terminal: Terminal, plan: PlanAnswer, gateway: string | null): string {
  const means = plan.asked === plan.model ? '' : `, ${terminal.paint('dim', 'which means')} ${plan.model}`;
  const facts = [
    nameOfProtocol(plan.protocol),
    plan.stream ? 'stream' : 'JSON',
    `about ${countOf(plan.estimated_input_tokens, 'token')} in`,
    ...(plan.needs.length === 0 ? [] : [`needs ${plan.needs.map(nameOfNeed).join(', ')}`]),
    `strategy ${plan.strategy}`,
  ];
  const source =
    gateway === null
      ? 'from the configuration, with everything in good health: no gateway was asked'
      : `as the gateway at ${gateway} sees it now`;
  const room = terminal.columns - plan.asked.length - means.length;
  const isWide = !terminal.isInteractive || facts.join(' · ').length < room;
  return [
    proseOut(
      terminal,
      `${terminal.paint('bold', plan.asked)}${means}${isWide ? '  ' : '\n'}${facts.join(terminal.paint('dim', ' · '))}`,
    ),
    proseOut(terminal, terminal.paint('dim', `${source}; nothing was sent`)),
  ].join('\n');
}

function renderCandidates(terminal: Terminal, candidates: readonly CandidateView[], now: number): string {
  const columns = [
    { title: '#', align: 'right' as const },
    { title: 'route' },
    { title: 'tier', align: 'right' as const, drop: 1 },
    { title: 'state' },
    { title: 'back', drop: 2 },
    { title: 'why', fit: 'wrap' as const },
  ];
  const rows = candidates.map((candidate) => [
    candidate.rank === null ? '–' : String(candidate.rank),
    candidate.rank === 1 ? terminal.paint('bold', candidate.route) : candidate.route,
    String(candidate.tier),
    terminal.paint(styleOf(candidate.availability.state), candidate.availability.state),
    formatUntil(candidate.availability.until, now),
    whyOf(candidate),
  ]);
  return renderTable(terminal, columns, rows);
}

/** One line for each group, as it could stand in the file; then what single targets have otherwise. */
function renderSettings(terminal: Terminal, { settings }: PlanAnswer): string {
  const words = Object.entries(settings.model).filter(([, value]) => !isGroup(value));
  const groups = Object.entries(settings.model).filter(([, value]) => isGroup(value));
  const rows = [
    ...words.map(([key, value]) => [key, writeValue(value)] as const),
    ...groups.map(([key, value]) => [key, writeValue(value)] as const),
  ].filter(([, text]) => text !== '{}');
  const own = Object.entries(settings.targets).map(([target, value]) => [target, writeValue(value)] as const);
  const wide = Math.max(...rows.map(([key]) => key.length));
  const line = ([key, text]: readonly [string, string]): string =>
    `  ${terminal.paint('dim', key.padEnd(wide))}  ${wrapLines(terminal, text, ' '.repeat(wide + 4))}`;
  const targets = own.map(
    ([target, text]) => `  ${target}  ${wrapLines(terminal, text, ' '.repeat(target.length + 4))}`,
  );
  if (targets.length === 0) return rows.map(line).join('\n');
  return [...rows.map(line), '', terminal.paint('dim', '  but of single targets'), ...targets].join('\n');
}

const isGroup = (value: unknown): value is object => typeof value === 'object' && value !== null;

const writeValue = (value: unknown): string =>
  isGroup(value)
    ? `{ ${Object.entries(value)
        .map(([key, inner]) => `${key}: ${writeValue(inner)}`)
        .join(', ')} }`.replace('{  }', '{}')
    : String(value);
