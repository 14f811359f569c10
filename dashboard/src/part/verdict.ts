import type { OverviewView, RequestView, UsageRow } from '../../../src/management/contract.ts';
import { count, isOk, outcomeWord, type Tone } from './words.ts';

type Component = NonNullable<RequestView['component']>;

/** Whose a failure is, as people ask for it. */
const WHOSE: Readonly<Record<Component, 'provider' | 'key' | 'us' | 'client' | 'clock'>> = {
  target: 'provider',
  endpoint: 'provider',
  credential: 'key',
  gateway: 'us',
  client: 'client',
  policy: 'client',
  deadline: 'clock',
};

type Whose = (typeof WHOSE)[Component];

/** The answer to "is it us?" by who most of the failures belong to. */
const BLAME: Readonly<Record<Whose, { readonly answer: string; readonly told: string }>> = {
  provider: { answer: 'No, providers fail', told: 'a provider' },
  key: { answer: 'Our keys', told: 'a key that its provider refuses or limits' },
  us: { answer: 'Yes, the gateway', told: 'the gateway itself' },
  client: { answer: 'No, the requests', told: 'what the client asked for' },
  clock: { answer: 'Too slow in all', told: 'a limit of time' },
};

export type Told = { readonly tone: Tone; readonly answer: string; readonly more: string };

/** Whose the failures are that clients saw, of those requests that are given. */
export function tellBlame(failedInAll: number, requests: readonly RequestView[]): Told {
  if (failedInAll === 0) return { tone: 'good', answer: 'Nobody to blame', more: 'No client saw a failure.' };
  const failed = requests.filter(isFailure);
  const counts = new Map<Whose, number>();
  for (const { component } of failed) {
    if (component !== null) counts.set(WHOSE[component], (counts.get(WHOSE[component]) ?? 0) + 1);
  }
  const ranked = [...counts].toSorted(([, one], [, other]) => other - one);
  const first = ranked[0];
  if (first === undefined)
    return { tone: 'warn', answer: 'Not known yet', more: 'The failures are older than the newest requests.' };
  const parts = ranked.map(([whose, n]) => `${count(n)} by ${BLAME[whose].told}`);
  return {
    tone: first[0] === 'us' || first[0] === 'key' ? 'bad' : 'warn',
    answer: BLAME[first[0]].answer,
    more: `${failed.length < failedInAll ? `Of the newest ${count(failed.length)}: ` : ''}${parts.join(', ')}.`,
  };
}

/** Whether it counts as failed: not where its client left, nor where it was turned away before any send. */
const isFailure = ({ outcome }: RequestView): boolean =>
  outcome !== null && !isOk(outcome) && outcome !== 'client_closed' && outcome !== 'rejected';

/** What fails within the window, whether a client saw it or not. */
export function tellBroken({ targets }: OverviewView): Told {
  const failing = targets.filter(({ failed }) => failed > 0);
  const [worst] = failing;
  if (worst === undefined) return { tone: 'good', answer: 'Nothing', more: 'No send has failed.' };
  const why = worst.outcomes.map(({ outcome }) => outcomeWord(outcome)).slice(0, 2);
  const others = failing.length - 1;
  return {
    tone: 'bad',
    answer: worst.target,
    more: `${why.join(', ')}: ${count(worst.failed)} of ${count(worst.attempts)} sends.${others === 0 ? '' : ` ${count(others)} more ${others === 1 ? 'target fails' : 'targets fail'}.`}`,
  };
}

export type Affected = Told & { readonly models: readonly string[] };

/** Whose requests failed within the window: by the model that they asked for, and the key that they came with. */
export function tellAffected(failedInAll: number, rows: readonly UsageRow[]): Affected {
  if (failedInAll === 0) return { tone: 'good', answer: 'Nobody', more: 'Every client got its answer.', models: [] };
  const failing = rows.filter(({ failed }) => failed > 0).toSorted((one, other) => other.failed - one.failed);
  const models = [...new Set(failing.map(({ model }) => model ?? 'no model'))];
  const keys = [...new Set(failing.flatMap(({ key }) => (key == null ? [] : [key])))];
  if (models.length === 0)
    return { tone: 'warn', answer: 'Not known yet', more: 'The records are on their way.', models };
  const who =
    keys.length === 0
      ? 'They came without a key.'
      : `By key: ${keys.slice(0, 3).join(', ')}${keys.length > 3 ? ' …' : ''}.`;
  return {
    tone: 'bad',
    answer: models.length === 1 ? `Who asks for ${models[0]}` : `Who asks for ${count(models.length)} models`,
    more: `${count(failedInAll)} ${failedInAll === 1 ? 'request' : 'requests'} failed. ${who}`,
    models: models.slice(0, 3),
  };
}
