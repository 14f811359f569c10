import { requestUsage } from '../../core/attempt/usage.ts';
import type { RelayEdit } from '../../core/model/event.ts';
import type { Usage } from '../../core/model/usage.ts';
import type { Fault } from '../scenario/scenario.ts';
import type { Run, Truth } from '../world/run.ts';
import { type Blame, collect } from './blame.ts';
import { type AttemptCase, indexRun, type RequestCase, settingsOf } from './index-run.ts';
import type { Invariant } from './invariant.ts';
import { isServedOutcome } from './world-words.ts';

/** (k) */
export const usageConserves: Invariant = {
  id: 'k',
  promise: 'usage is what the provider reported of the answer that was delivered; what is unknown is never 0',
  check: (run) =>
    collect('k', (blame) => {
      const told = new Map(run.told.map((ledger) => [ledger.id, ledger]));
      const { cases, probes } = indexRun(run);
      for (const { id, attempts } of probes) {
        for (const { n, ended, send } of attempts)
          if (ended?.usage != null) checkPart(id, n, ended.usage, send?.truth ?? null, blame);
      }
      for (const each of cases) {
        for (const attempt of each.attempts) checkAttempt(each, attempt, blame);
        checkRequest(each, told, blame);
        checkView(each, blame);
      }
    }),
};

const COUNTS = ['inputTokens', 'outputTokens', 'reasoningTokens', 'cachedTokens', 'cacheWriteTokens'] as const;

function checkAttempt(each: RequestCase, attempt: AttemptCase, blame: Blame): void {
  const { n, ended, send } = attempt;
  const { id } = each;
  if (ended === null) return;
  const { usage } = ended;
  const truth = send?.truth ?? null;
  if (usage !== null && usage.source !== 'reported' && COUNTS.some((name) => usage[name] !== null)) {
    blame(id, `usage of attempt ${n} is ${usage.source} and has numbers`);
  }
  if (isServedOutcome(ended.outcome) && truth?.isWhole === true && isReadWhole(each, attempt))
    checkWhole(id, n, usage, truth, blame);
  else if (usage !== null) checkPart(id, n, usage, truth, blame);
}

/** Faults that take away frames behind the end that counts, and usage with them. */
const CUTS: ReadonlySet<Fault> = new Set([
  'close',
  'reset',
  'bad_encoding',
  'bad_http',
  'end',
  'stall',
  'flood',
  'error',
  'half',
  'damaged',
  'html',
]);

/** All of it came by the gateway's eyes: JSON that outgrows its bound is passed through unread. */
function isReadWhole(each: RequestCase, attempt: AttemptCase): boolean {
  const { send } = attempt;
  const maxJson = settingsOf(each, attempt)?.preflight.maxJson ?? 0;
  const isThrough = !each.request.ask.stream && send !== null && send.delivered > maxJson;
  const fault = send?.behaviour.fault;
  // Whoever leaves behind the end takes the usage along that had not come by then.
  const isLeft = each.request.client.isClosed && send !== null && send.abortedAt !== null;
  return !isThrough && !isLeft && !(fault !== undefined && CUTS.has(fault.kind));
}

/** Of a whole answer all is known that was reported. */
function checkWhole(id: string, n: number, usage: Usage | null, truth: Truth, blame: Blame): void {
  const { inputTokens = null, outputTokens = null } = usage ?? {};
  const { usage: meant } = truth;
  if (meant === null) {
    if (inputTokens !== null || outputTokens !== null) blame(id, `attempt ${n} has usage that nobody reported`);
  } else if (inputTokens !== meant.inputTokens || outputTokens !== meant.outputTokens) {
    const seen = `${inputTokens} and ${outputTokens}`;
    blame(id, `attempt ${n} used ${meant.inputTokens} and ${meant.outputTokens} tokens, and has ${seen} on record`);
  }
}

/** Of a part no more can be known than the whole would have had; a correction may be under way. */
const CORRECTION = 1;

function checkPart(
  id: string,
  n: number,
  { inputTokens, outputTokens }: Usage,
  truth: Truth | null,
  blame: Blame,
): void {
  const meant = truth?.usage ?? null;
  const isKnown = inputTokens !== null || outputTokens !== null;
  if (meant === null) {
    if (isKnown) blame(id, `attempt ${n} has usage that nobody reported`);
    return;
  }
  const isMore =
    (inputTokens ?? 0) > meant.inputTokens + CORRECTION || (outputTokens ?? 0) > meant.outputTokens + CORRECTION;
  if (isMore) blame(id, `attempt ${n} has more usage on record than its answer had`);
  if (inputTokens === 0 && meant.inputTokens > 0) blame(id, `unknown usage of attempt ${n} stands as 0`);
}

/** The request has what its delivered attempt has, in the ledger and for telemetry. */
function checkRequest(
  { id, request, served, ended }: RequestCase,
  told: ReadonlyMap<string, Run['told'][number]>,
  blame: Blame,
): void {
  if (ended === null) return;
  const own = requestUsage(request.ledger);
  if (served === null && own !== null) blame(id, 'usage of a request that delivered nothing');
  if (served !== null && own === null) blame(id, 'no usage of a request that delivered something');
  if (served !== null && !isSame(own, served.ended?.usage ?? null))
    blame(id, 'usage that is not that of the delivered attempt');
  const heard = told.get(id);
  if (heard !== undefined && !isSame(requestUsage(heard), own)) blame(id, 'telemetry heard of other usage');
}

const isSame = (one: Usage | null, other: Usage | null): boolean =>
  COUNTS.every((name) => (one?.[name] ?? null) === (other?.[name] ?? null));

const OWN_EVENTS: ReadonlySet<RelayEdit> = new Set(['converted_to_stream', 'finish_reason_added']);

/** What a client was told of usage is what was reported. */
function checkView(each: RequestCase, blame: Blame): void {
  const { id, view, served } = each;
  const truth = served?.send?.truth;
  if (view.usage === null || !view.isWhole || truth?.isWhole !== true || lacksCorrection(each)) return;
  const { inputTokens, outputTokens } = view.usage;
  const meant = truth.usage ?? NOT_REPORTED;
  if (inputTokens === meant.inputTokens && outputTokens === meant.outputTokens) return;
  if (mayDiffer(each, view.usage, meant)) return;
  const told = `${inputTokens} and ${outputTokens}`;
  blame(id, `the client was told of ${told} tokens, and ${meant.inputTokens} and ${meant.outputTokens} were reported`);
}

const NOT_REPORTED = { inputTokens: null, outputTokens: null };

/** What nobody reported has the form of the gateway's own event; of what was cut some counts may have come, and some not. */
function mayDiffer(each: RequestCase, told: Counted, meant: Counted): boolean {
  const isUnreported = each.served?.send?.truth?.usage == null;
  return ((isUnreported || isCut(each)) && isForm(each, told)) || (isCut(each) && isPart(told, meant));
}

/** Counts grow from frame to frame: of what was cut some may have come, and some not. */
const isPart = (told: Counted, meant: Counted): boolean =>
  (['inputTokens', 'outputTokens'] as const).every((name) => told[name] === null || told[name] === meant[name]);

type Counted = Pick<Usage, 'inputTokens' | 'outputTokens'>;

/** The correction comes in a chunk of its own, which only those get who asked for it, and nobody behind a cut. */
function lacksCorrection({ served, request }: RequestCase): boolean {
  const { quirks } = served?.send?.behaviour ?? {};
  return quirks?.includes('usage_twice') === true && (request.ask.row.shape.asksUsage !== true || isCut({ served }));
}

/** What was reported behind the end that counts never came. */
function isCut({ served }: Pick<RequestCase, 'served'>): boolean {
  const fault = served?.send?.behaviour.fault;
  return fault !== undefined && CUTS.has(fault.kind);
}

/**
 * Messages has to have numbers of tokens, so that an event that the gateway writes itself has them: of output where it
 * adds or converts one, of both where it translates an answer.
 */
function isForm(
  each: RequestCase,
  { inputTokens, outputTokens }: Pick<Usage, 'inputTokens' | 'outputTokens'>,
): boolean {
  if (outputTokens !== 0 || (inputTokens !== null && !isTranslated(each))) return false;
  return isTranslated(each) || each.ended?.edits.some((edit) => OWN_EVENTS.has(edit)) === true;
}

function isTranslated({ model, served, request }: RequestCase): boolean {
  const target = model?.targets.find(({ id }) => id === served?.started.target);
  return target !== undefined && target.protocol !== request.ask.protocol;
}
