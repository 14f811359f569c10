import { OUTCOMES } from '../failure/outcome.ts';
import type { Field } from './field.ts';
import { COMPONENTS, HEALTH_CAUSES, KINDS, PHASES, PROTOCOLS, SCOPES, STATES } from './words.ts';

const DAY = 24 * 60 * 60 * 1000;

const word = (words: readonly string[], about: string): Field => ({ type: 'word', words, about });
const name = (kind: Extract<Field, { type: 'name' }>['kind'], about: string): Field => ({ type: 'name', kind, about });
const flag = (about: string): Field => ({ type: 'flag', about });
const whole = (least: number, most: number, about: string): Field => ({ type: 'whole', least, most, about });
/** Measured by a clock that only goes forward. */
const span = (about: string): Field => whole(0, 7 * DAY, about);
const wait = (about: string): Field => whole(0, 366 * DAY, about);
const tokens = (about: string): Field => whole(0, 100_000_000, about);

const REQUEST = name('request', 'its record in the ledger');
const PROVIDER = name('provider', 'whose');
const STATUS = whole(100, 599, 'HTTP status; absent: there was none');
const MODEL = name('model', 'as the configuration names it; absent: it does not');
const ROUTE = {
  route: name('route', 'which way to the provider'),
  target: name('target', 'the provider and its model'),
  credential: name('credential', 'which of the keys of the provider'),
  endpoint: name('endpoint', 'where it is'),
} as const;
const SCOPE = {
  scope: word(SCOPES, 'what kind of thing'),
  id: name('scope', 'which one'),
} as const;
const CAUSE = word(HEALTH_CAUSES, 'an outcome word, or that an operator did it');
const FOR_MS = wait('until it may be used again; absent: nothing tells when');

export type EventDefinition = {
  /** Raised when a member changes its meaning or goes; new members raise nothing. */
  readonly version: number;
  readonly about: string;
  readonly fields: Readonly<Record<string, Field>>;
};

/** In front of every event's own members, besides `event` and `v`. */
export const AT: Field = { type: 'time', about: 'when it happened' };

/** Every event and all that it may say; `docs/events.md` is printed from it. */
export const EVENTS = {
  probe_result: {
    version: 1,
    about: 'A probe has ended.',
    fields: {
      request: REQUEST,
      model: MODEL,
      ...ROUTE,
      state: word(STATES, 'what it showed of the route'),
      outcome: word(OUTCOMES, 'how it ended'),
      status: STATUS,
      escalated: flag('it was the repeat with room for more tokens'),
      ms: span('how long it took'),
      tokens: tokens('asked for and reported'),
    },
  },
  route_state_changed: {
    version: 1,
    about: 'A route, target, credential or endpoint has changed its state.',
    fields: {
      ...SCOPE,
      from: word(STATES, 'the state before'),
      to: word(STATES, 'the state now'),
      cause: CAUSE,
      for_ms: FOR_MS,
    },
  },
  attempt_started: {
    version: 1,
    about: 'A request is sent to a provider.',
    fields: {
      request: REQUEST,
      n: whole(1, 1000, 'the first attempt of a request is 1'),
      model: MODEL,
      protocol: word(PROTOCOLS, "the client's"),
      kind: word(KINDS, 'what is asked for; absent: an answer'),
      ...ROUTE,
      charged: flag('it counts against the budget of attempts'),
      trial: flag('it is the trial of an open circuit'),
      since_ms: span('since the request began'),
    },
  },
  attempt_ended: {
    version: 1,
    about: 'An attempt has ended, well or not.',
    fields: {
      request: REQUEST,
      n: whole(1, 1000, 'the first attempt of a request is 1'),
      ...ROUTE,
      outcome: word(OUTCOMES, 'how it ended'),
      phase: word(PHASES, 'how far it had come'),
      status: STATUS,
      ms: span('how long it took'),
      head_ms: span('until its head was there'),
      commit_ms: span('until the answer was bound to it'),
      input_tokens: tokens('as the provider told'),
      output_tokens: tokens('as the provider told'),
    },
  },
  provider_exhausted: {
    version: 1,
    about: 'All routes of a key, or of a provider, are out: quota or credit is used up.',
    fields: {
      provider: PROVIDER,
      credential: name('credential', 'which key; absent: all of the provider'),
      cause: CAUSE,
      for_ms: FOR_MS,
    },
  },
  provider_rejected_permanent: {
    version: 1,
    about:
      'A provider will not serve this before somebody changes something: access, a permission, a model that is not there.',
    fields: { provider: PROVIDER, ...SCOPE, cause: CAUSE, for_ms: FOR_MS },
  },
  hold_started: {
    version: 1,
    about: 'A hold keeps it out of service for a while.',
    fields: { ...SCOPE, state: word(['deferred', 'rejected'], 'the state now'), cause: CAUSE, for_ms: FOR_MS },
  },
  circuit_changed: {
    version: 1,
    about: 'A circuit has opened, closed, or lets trials through.',
    fields: {
      ...SCOPE,
      from: word(['closed', 'open', 'half_open'], 'before'),
      to: word(['closed', 'open', 'half_open'], 'now'),
      cause: CAUSE,
      for_ms: FOR_MS,
    },
  },
  request_ended: {
    version: 1,
    about: 'A request has its end, a refused one too.',
    fields: {
      request: REQUEST,
      model: MODEL,
      protocol: word(PROTOCOLS, "the client's"),
      kind: word(KINDS, 'what is asked for; absent: an answer'),
      stream: flag('the client asked for a stream'),
      client: name('client', 'whose key it came with'),
      outcome: word(OUTCOMES, 'how it ended'),
      component: word(COMPONENTS, 'whose fault a failure is'),
      status: STATUS,
      served_by: name('target', 'who answered'),
      attempts: whole(0, 1000, 'how many were sent'),
      ms: span('how long it took'),
      commit_ms: span('until the answer was bound to an attempt'),
      trace: name('trace', 'the trace that it is in; absent: nobody traces'),
    },
  },
  config_changed: {
    version: 1,
    about: 'The configuration file was changed.',
    fields: {
      result: word(['in_force', 'refused'], 'whether it serves now, or the one before goes on'),
      models: whole(0, 1_000_000, 'of the configuration in force'),
      providers: whole(0, 1_000_000, 'of the configuration in force'),
    },
  },
  discovery_failed: {
    version: 1,
    about: 'A provider was asked for its models and gave no list.',
    fields: { provider: PROVIDER, reason: word(OUTCOMES, 'an outcome word') },
  },
} as const satisfies Readonly<Record<string, EventDefinition>>;

export type EventName = keyof typeof EVENTS;

export const EVENT_NAMES = Object.keys(EVENTS) as readonly EventName[];

export const isEventName = (text: unknown): text is EventName =>
  typeof text === 'string' && Object.hasOwn(EVENTS, text);

export const definitionOf = (event: EventName): EventDefinition => EVENTS[event];
