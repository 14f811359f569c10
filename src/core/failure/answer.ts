import type { AttemptRecord } from '../attempt/ledger.ts';
import { nameOfPart } from '../model/capability.ts';
import type { Protocol } from '../model/protocol.ts';
import { cleanText } from '../redact/clean-text.ts';
import type { Candidate } from '../routing/plan.ts';
import {
  ANSWER_RULES,
  type AnswerClass,
  answerClass,
  HOLD_COMPONENT,
  holdClass,
  OUTCOME_CLASS,
  type StopCause,
} from './answer-class.ts';
import { knownReturn, type ToldWait, toldWait } from './answer-wait.ts';
import { CATALOGUE } from './catalogue.ts';
import type { ClientError, ErrorCode } from './client-error.ts';
import type { Failure } from './failure.ts';
import { type Asked, foreignWords } from './foreign-words.ts';
import { type Component, isDeadline, type Outcome } from './outcome.ts';
import { keptWords, refusedHere, writtenIn } from './refused-here.ts';

/** All that the table of errors looks at. Times are epoch ms. */
export type ExhaustedInput = {
  /** In order, all of them ended. */
  readonly attempts: readonly AttemptRecord[];
  /** The plan as it is now, after the last failure: what is held, by what, until when. */
  readonly candidates: readonly Candidate[];
  /** Features that some target lacks for this request. */
  readonly missing: readonly string[];
  readonly asked: Asked;
  readonly why: StopCause;
  /**
   * The limit that ended the request: of `timeout_commit`, `timeout_total` in ms, of `max_attempts` a number; null:
   * none.
   */
  readonly limit: number | null;
  readonly maxRetryAfterMs: number;
  readonly now: number;
  /** In [0, 1). */
  readonly jitter: number;
};

export type InterruptedInput = {
  readonly attempts: readonly AttemptRecord[];
  /** Of the attempt that was cut; null where the gateway itself ended it. */
  readonly failure: Failure | null;
  /** Stands above the failure's: a drain is the gateway's, a deadline is the deadline's. */
  readonly component?: Component;
  /** Stands above the failure's outcome: a clock's name, "draining". */
  readonly reason?: string;
};

const MAX_ATTEMPTS_TOLD = 16;
const GATEWAY_WAIT_MS = 1000;

type TellableError = Partial<Omit<ClientError, 'code'>>;

/** An error of the gateway's own; what `fields` leaves open comes from the catalogue. Its message is cleaned. */
export function clientError(code: ErrorCode, fields: TellableError = {}): ClientError {
  const entry = CATALOGUE[code];
  return {
    providerCode: null,
    providerParam: null,
    providerType: null,
    status: entry.status,
    component: entry.component,
    reason: code,
    attempts: [],
    retryAfterMs: null,
    shouldRetry: null,
    ...fields,
    code,
    message: cleanText(fields.message ?? entry.meaning),
  };
}

/** The last ones, since they decided. Attempts without an end are none yet. */
function tellAttempts(attempts: readonly AttemptRecord[]): ClientError['attempts'] {
  const told = attempts.flatMap((each) =>
    each.outcome === null
      ? []
      : [
          {
            target: each.target,
            outcome: each.outcome,
            status: each.status,
            ms: Math.max(0, Math.round((each.endedAt ?? each.startedAt) - each.startedAt)),
          },
        ],
  );
  return told.slice(-MAX_ATTEMPTS_TOLD);
}

/** The attempt that speaks for its class: the last of it. */
const deciding = (attempts: readonly AttemptRecord[], decided: AnswerClass): AttemptRecord | undefined =>
  decided === 'invalid' || decided === 'gone' || decided === 'missing' || decided === 'gateway' || decided === 'state'
    ? attempts.at(-1)
    : attempts.findLast((each) => each.outcome !== null && OUTCOME_CLASS[each.outcome] === decided);

const lastFailure = ({ attempts }: ExhaustedInput): Failure | null => attempts.at(-1)?.failure ?? null;

/** The protocol in which the gateway wrote what was refused last; null: the client did. */
function writtenFor({ attempts, candidates, asked }: ExhaustedInput): Protocol | null {
  const last = attempts.at(-1);
  return last === undefined ? null : writtenIn(last, candidates, asked);
}

/** What holds targets by the gateway's own doing. */
const OF_GATEWAY: ReadonlySet<AnswerClass> = new Set(['busy', 'untranslated', 'disabled']);

function componentOf(input: ExhaustedInput, decided: AnswerClass): Component {
  const fallback = CATALOGUE[ANSWER_RULES[decided].code].component;
  if (decided === 'timeout' && isDeadline(input.why)) return 'deadline';
  if (OF_GATEWAY.has(decided) || (decided === 'invalid' && writtenFor(input) !== null)) return 'gateway';
  const told: readonly AnswerClass[] = ['rate', 'quota', 'overloaded', 'timeout', 'upstream', 'misconfigured'];
  const failure = deciding(input.attempts, decided)?.failure;
  if (told.includes(decided) && failure) return failure.component;
  const held = input.attempts.length > 0 ? undefined : input.candidates.find((each) => holdClass(each) === decided);
  if (decided === 'open') return held?.availability.scope === 'endpoint' ? 'endpoint' : fallback;
  return held ? (HOLD_COMPONENT[held.availability.cause as Outcome] ?? 'target') : fallback;
}

/** The word for what decided: a limit, an outcome, or what holds the targets. */
function reasonOf(input: ExhaustedInput, decided: AnswerClass): string {
  if (isDeadline(input.why)) return input.why;
  if (decided === 'unknown') return 'outcome_unknown';
  if (decided === 'untranslated') return decided;
  const outcome = deciding(input.attempts, decided)?.outcome;
  if (outcome) return outcome;
  const held = input.candidates.find((each) => holdClass(each) === decided);
  // What a target can't do is said by the skip word; its health may be bad beside that, and is not the reason.
  if (held?.skip === 'skipped_capability') return held.skip;
  return held?.availability.cause ?? held?.skip ?? ANSWER_RULES[decided].code;
}

const plural = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`;

/** The limit that ended the request, by its name in the configuration. */
function limitSentence({ why, limit }: ExhaustedInput): string {
  const size = limit == null ? '' : ` of ${why === 'max_attempts' ? plural(limit, 'attempt') : `${limit} ms`}`;
  if (why === 'timeout_commit') return ` It ended at its limit${size} until the answer begins (timeouts.commit).`;
  if (why === 'timeout_total') return ` It ended at its limit${size} in all (timeouts.total).`;
  return why === 'max_attempts' ? ` It ended at its limit${size} (retry.maxAttempts).` : '';
}

const names = (attempts: readonly AttemptRecord[]): string =>
  [...new Set(attempts.map((each) => each.target))].slice(0, 4).join(', ');

/** Agents look for these very words before they shorten a conversation. */
function contextMessage(words: string): string {
  return /prompt is too long/i.test(words) ? words : `Prompt is too long for every target. ${words}`.trim();
}

/** All that a target refused of the request, by its name. */
const refusedBy = ({ failure }: AttemptRecord): readonly string[] => [
  ...[failure?.feature, failure?.refusedValue].filter((name) => name != null),
  ...(failure?.refusedParts ?? []).map(nameOfPart),
];

/** Where nothing has a name, the provider's own words must do. */
function capabilityMessage(input: ExhaustedInput, said: string): string {
  const features = [...new Set([...input.missing, ...input.attempts.flatMap(refusedBy)])].slice(0, 8).join(', ');
  const lead = 'No target of this model can do what the request needs';
  return features === '' ? `${lead}. ${said}`.trim() : `${lead}: ${features}.`;
}

type Words = {
  readonly input: ExhaustedInput;
  /** The attempts, counted and named. */
  readonly failed: string;
  /** What the deciding attempt said. */
  readonly said: string;
  readonly limit: string;
};

const ownWords = ({ said }: Words): string => said;

/** Sentences of the classes that have their own; the others are told by the catalogue. An empty one is as none. */
const SENTENCES: { readonly [C in AnswerClass]?: (words: Words) => string } = {
  invalid: ({ input, said }) => {
    const [last, spoken] = [input.attempts.at(-1), writtenFor(input)];
    return last === undefined || spoken === null || said === '' ? said : refusedHere(last, spoken, said);
  },
  gone: ownWords,
  missing: ownWords,
  policy: ownWords,
  // What the state's target failed with says nothing of the state.
  state: ({ input, said }) => (input.attempts.at(-1)?.outcome === 'incompatible_history' ? said : ''),
  context: ({ said }) => contextMessage(said),
  capability: ({ input, said }) => capabilityMessage(input, said),
  foreign: ({ input }) =>
    foreignWords(
      input.asked,
      input.candidates.map(({ target }) => target.protocol),
      input.missing,
    ),
  untranslated: ({ input }) =>
    `The gateway itself lacks ${input.missing.join(', ')}. Try again in ${GATEWAY_WAIT_MS / 1000} s.`,
  timeout: ({ input, failed, limit }) =>
    `${input.attempts.length > 0 ? `No target answered in time: ${failed}.` : 'No target could be reached in time.'}${limit}`,
  upstream: ({ failed, limit }) => `No target could answer: ${failed} failed.${limit}`,
  misconfigured: ({ input, failed, limit }) =>
    input.attempts.length > 0
      ? `The gateway's own key, plan or model name is refused: ${failed}.${limit}`
      : "Every target is held since it refused the gateway's own key, plan or model name.",
};

function messageOf(input: ExhaustedInput, decided: AnswerClass, wait: ToldWait): string {
  const limit = limitSentence(input);
  const failed = `${plural(input.attempts.length, 'attempt')} (${names(input.attempts)})`;
  const said = deciding(input.attempts, decided)?.failure?.reason ?? '';
  const own = SENTENCES[decided]?.({ input, failed, said, limit });
  if (own) return own;
  const after = wait.retryAfterMs === null ? '' : ` Try again in ${wait.retryAfterMs / 1000} s.`;
  return `${CATALOGUE[ANSWER_RULES[decided].code].meaning}${after}${limit}`;
}

function tellWait(input: ExhaustedInput, decided: AnswerClass): ToldWait {
  if (!ANSWER_RULES[decided].tellsWait) return { retryAfterMs: null, isBeyond: false };
  if (decided === 'gateway' || decided === 'untranslated') return { retryAfterMs: GATEWAY_WAIT_MS, isBeyond: false };
  const known = knownReturn(input.attempts, input.candidates);
  // A limit of a provider's is not over because somebody tries another target.
  const trial = known.trial && (decided === 'open' || decided === 'busy');
  return toldWait({ ...known, trial }, input.now, input.maxRetryAfterMs, input.jitter);
}

function isUseless(input: ExhaustedInput, decided: AnswerClass, wait: ToldWait): boolean {
  const { useless } = ANSWER_RULES[decided];
  return useless === 'always' || wait.isBeyond || (useless === 'tried' && tellAttempts(input.attempts).length !== 1);
}

/**
 * What a client is told when no target served: one row of the table of errors, chosen by what was tried, else by what
 * holds the targets. Pure; `jitter` is the only chance in it.
 */
export function answerExhausted(input: ExhaustedInput): ClientError {
  const decided = answerClass(input.attempts, input.candidates, input.why);
  const wait = tellWait(input, decided);
  const kept = decided === 'invalid' ? keptWords(lastFailure(input), writtenFor(input), input.asked) : null;
  return clientError(ANSWER_RULES[decided].code, {
    providerCode: kept?.code ?? null,
    providerParam: kept?.param ?? null,
    providerType: kept?.type ?? null,
    message: messageOf(input, decided, wait),
    component: componentOf(input, decided),
    reason: reasonOf(input, decided),
    attempts: tellAttempts(input.attempts),
    retryAfterMs: wait.retryAfterMs,
    shouldRetry: isUseless(input, decided, wait) ? false : null,
  });
}

/**
 * What a client is told, in the stream, when an answer broke off behind its first output. Always retryable, never the
 * request's fault, and without any words of the provider.
 */
export function answerInterrupted(input: InterruptedInput): ClientError {
  const told = input.failure?.component ?? 'target';
  return clientError('stream_interrupted', {
    component: input.component ?? (told === 'client' || told === 'policy' ? 'target' : told),
    reason: input.reason ?? input.failure?.outcome ?? 'interrupted',
    attempts: tellAttempts(input.attempts),
  });
}
