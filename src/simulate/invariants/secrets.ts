import type { Fact } from '../../core/attempt/ledger.ts';
import type { Plan } from '../../core/routing/plan.ts';
import { PROMPT_MARK } from '../client/story.ts';
import type { Run } from '../world/run.ts';
import { type Blame, collect } from './blame.ts';
import { indexRun, type RequestCase } from './index-run.ts';
import type { Invariant } from './invariant.ts';

/** (f) */
export const secrets: Invariant = {
  id: 'f',
  promise: 'no secret of the world stands in anything that leaves the gateway',
  check: (run) => collect('f', (blame) => checkRun(run, blame)),
};

/** A secret that was cut short is none the less one, from this length on. */
const LEAST_SHARE = 0.75;

function checkRun(run: Run, blame: Blame): void {
  const finds = run.secrets.map((secret) => ({
    secret,
    begins: secret.slice(0, Math.ceil(secret.length * LEAST_SHARE)),
    ends: secret.slice(Math.floor(secret.length * (1 - LEAST_SHARE))),
  }));
  const look = (request: string | null, where: string, text: string): void => {
    for (const { begins, ends } of finds) {
      if (text.includes(begins) || text.includes(ends)) {
        blame(request, `a secret stands in ${where}`);
        return;
      }
    }
  };
  const { cases, all } = indexRun(run);
  for (const { id, facts } of all) {
    for (const { fact } of facts) {
      const words = wordsOf(fact);
      look(id, `the fact ${fact.type}`, words);
      if (!tellsOfContext(fact)) lookForPrompt(id, `the fact ${fact.type}`, words, blame);
    }
  }
  for (const { report } of run.reports) look(null, 'a report of readiness', JSON.stringify(report));
  for (const each of cases) {
    const { id, request } = each;
    const { client } = request;
    look(id, 'what the client got', client.text);
    for (const [name, value] of Object.entries(client.headers)) look(id, `the header ${name}`, value);
    lookForPrompt(id, 'the error that the client got', promptIn(each), blame);
  }
  for (const notice of run.notices) {
    look(null, 'the log', notice);
    lookForPrompt(null, 'the log', notice, blame);
  }
  for (const { id, reason } of run.healthChanges) look(null, `the health of ${id}`, reason ?? '');
}

function lookForPrompt(request: string | null, where: string, text: string, blame: Blame): void {
  if (text.includes(PROMPT_MARK)) blame(request, `a prompt stands in ${where}`);
}

/** Clients act on a provider's words about the length of a prompt, which are kept as they are. */
const tellsOfContext = (fact: Fact): boolean =>
  fact.type === 'attempt_ended' && fact.failure?.outcome === 'context_length';

const promptIn = ({ view, ended }: RequestCase): string =>
  ended?.outcome === 'context_length' ? '' : (view.error?.message ?? '');

/** Every word of a fact that somebody else than the gateway may have had a hand in. */
function wordsOf(fact: Fact): string {
  switch (fact.type) {
    case 'request_started':
      return join([fact.model, fact.asked, fact.clientRequestId, fact.clientRetryOf, planWords(fact.plan)]);
    case 'attempt_started':
      return join([fact.route, fact.why, planWords(fact.plan)]);
    case 'attempt_ended': {
      const { failure, reason } = fact;
      const words =
        failure === null ? [] : [failure.reason, failure.code, failure.param, failure.type, failure.feature];
      return join([reason, ...words, failure?.refusedValue, ...(failure?.refusedParts ?? [])]);
    }
    case 'request_ended':
      return join([fact.reason, fact.servedBy]);
    default:
      return '';
  }
}

const planWords = (plan: Plan | null): string =>
  plan === null ? '' : join(plan.candidates.flatMap(({ reason, availability }) => [reason, availability.reason]));

const join = (words: readonly (string | null | undefined)[]): string => words.filter((word) => word != null).join('\n');
