import { z } from 'zod';
import { OUTCOMES } from '../../core/failure/outcome.ts';
import {
  auditList,
  overviewView,
  sessionBody,
  sessionView,
  USAGE_DIMENSIONS,
  usageReport,
} from '../activity-contract.ts';
import {
  configChange,
  configVersionList,
  entryBody,
  modelEntry,
  modelEntryList,
  providerEntry,
  providerEntryList,
  rollbackBody,
} from '../config-contract.ts';
import {
  explanationView,
  planAnswer,
  reconciliationView,
  requestList,
  requestRecords,
  requestView,
  scopeList,
  scopeView,
  targetView,
} from '../contract.ts';
import { readinessView } from '../readiness-contract.ts';
import { simulationAnswer } from '../simulation-contract.ts';

/** What the document says of one operation, beside its path and method. */
export type Described = {
  readonly id: string;
  readonly summary: string;
  readonly tag: 'records' | 'health' | 'what if' | 'configuration' | 'activity' | 'session';
  /** Parameters of the query; all of them may be left out. */
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Null: the answer is no JSON, or has no one shape. */
  readonly answer: z.ZodType | null;
  /** Of the answer where that is no JSON. */
  readonly mediaType?: string;
  /** Statuses of the problems that it may have, beside those of all. */
  readonly problems?: readonly number[];
};

const about = <T extends z.ZodType>(schema: T, description: string) => schema.meta({ description });
const since = about(z.string(), 'A time: ISO 8601, or epoch seconds or milliseconds.').optional();
const limit = about(z.string().regex(/^[1-9]\d*$/), 'Entries of a page: 50 by default, 500 at most.').optional();
const cursor = about(z.string(), '`next` of the page before.').optional();
const ifMatch = z.object({
  'if-match': about(z.string(), 'The version that you have seen; another one in the file is 412.').optional(),
});
const scope = z.union([scopeView, targetView]);
const CHANGE = {
  answer: configChange,
  problems: [409, 412, 422, 503],
  tag: 'configuration',
  headers: ifMatch,
} as const;

const REQUEST_KINDS = ['answer', 'probe', 'count', 'compact'] as const;

/** By method and path; every operation has a row, and no row is without one. */
export const DESCRIBED: Readonly<Record<string, Described>> = {
  'GET /requests': {
    id: 'listRequests',
    summary: 'Requests, newest first',
    tag: 'records',
    query: z.object({
      model: about(z.string(), 'By its name or an alias.').optional(),
      target: z.string().optional(),
      outcome: z.enum(OUTCOMES).optional(),
      key: z.string().optional(),
      kind: about(
        z.enum([...REQUEST_KINDS, 'all']),
        'Without it, all but what the gateway asks for itself.',
      ).optional(),
      since,
      limit,
      cursor,
      attempts: about(z.literal('1'), 'With everything that is known of each.').optional(),
    }),
    answer: z.union([requestList, requestRecords]),
    problems: [503],
  },
  'GET /requests/{id}': {
    id: 'getRequest',
    summary: 'One request with its attempts',
    tag: 'records',
    answer: requestView,
    problems: [404, 503],
  },
  'GET /requests/{id}/explain': {
    id: 'explainRequest',
    summary: 'Why each target was chosen or left out',
    tag: 'records',
    answer: explanationView,
    problems: [404, 503],
  },
  'GET /usage': {
    id: 'getUsage',
    summary: 'Requests, attempts and tokens',
    tag: 'records',
    query: z.object({
      by: about(z.string(), `A list of ${USAGE_DIMENSIONS.join(', ')}.`).optional(),
      kind: about(
        z.enum([...REQUEST_KINDS, 'all']),
        'All but probes by default, and where they are told apart all.',
      ).optional(),
      since,
    }),
    answer: usageReport,
    problems: [503],
  },
  'GET /reconcile': {
    id: 'reconcile',
    summary: 'Does what is on record add up?',
    tag: 'records',
    query: z.object({ since }),
    answer: reconciliationView,
    problems: [503],
  },
  'GET /targets': {
    id: 'listTargets',
    summary: 'Health of every route, key and endpoint',
    tag: 'health',
    answer: scopeList,
  },
  'GET /targets/{id}': {
    id: 'getTarget',
    summary: 'Health of one of them, or of a target',
    tag: 'health',
    answer: scope,
    problems: [404],
  },
  'POST /targets/{id}/reset': {
    id: 'resetTarget',
    summary: 'Forget its holds and failures',
    tag: 'health',
    answer: scope,
    problems: [404],
  },
  'POST /targets/{id}/disable': {
    id: 'disableTarget',
    summary: 'Out of service until a restart',
    tag: 'health',
    answer: scope,
    problems: [404],
  },
  'POST /targets/{id}/enable': {
    id: 'enableTarget',
    summary: 'Back into service',
    tag: 'health',
    answer: scope,
    problems: [404],
  },
  'GET /readiness': {
    id: 'getReadiness',
    summary: 'The readiness report',
    tag: 'health',
    query: z.object({ model: about(z.string(), 'Of this model alone; may be repeated.').optional() }),
    answer: readinessView,
    problems: [404],
  },
  'POST /readiness/probe': {
    id: 'probe',
    summary: 'Probe now; with `accept: text/event-stream` the round is told as it goes',
    tag: 'health',
    body: z.strictObject({ models: z.array(z.string().min(1)).nullish() }),
    answer: readinessView,
    problems: [404],
  },
  'POST /plan': {
    id: 'plan',
    summary: 'What would happen to a request; nothing is sent',
    tag: 'what if',
    query: z.object({ protocol: about(z.string(), 'Of the body; left out, its look decides.').optional() }),
    body: about(z.record(z.string(), z.unknown()), 'A request of a client.'),
    answer: planAnswer,
    problems: [404],
  },
  'POST /simulate': {
    id: 'simulate',
    summary: 'What would happen if providers failed as a script says; nothing is sent',
    tag: 'what if',
    body: z.unknown(),
    answer: simulationAnswer,
    problems: [429, 503],
  },
  'GET /overview': {
    id: 'getOverview',
    summary: 'What has happened lately, and what clients saw of it',
    tag: 'activity',
    query: z.object({ window: about(z.string(), 'A time from 10s to 1h; 5m by default.').optional() }),
    answer: overviewView,
  },
  'GET /events': {
    id: 'watchEvents',
    summary: 'What happens, as it happens',
    tag: 'activity',
    query: z.object({
      types: about(z.string(), 'Names of events, with commas; all of them by default.').optional(),
      last_event_id: z.string().optional(),
    }),
    headers: z.object({ 'last-event-id': about(z.string(), 'Go on behind this event.').optional() }),
    answer: null,
    mediaType: 'text/event-stream',
    problems: [503],
  },
  'GET /audit': {
    id: 'listAudit',
    summary: 'Who changed what, newest first',
    tag: 'activity',
    query: z.object({ limit, cursor }),
    answer: auditList,
  },
  'GET /models': {
    id: 'listModels',
    summary: 'The models of the configuration',
    tag: 'configuration',
    answer: modelEntryList,
  },
  'GET /models/{id}': {
    id: 'getModel',
    summary: 'One of them',
    tag: 'configuration',
    answer: modelEntry,
    problems: [404],
  },
  'PUT /models/{id}': { id: 'putModel', summary: 'Write it into the file', body: entryBody, ...CHANGE },
  'DELETE /models/{id}': {
    id: 'deleteModel',
    summary: 'Take it out of the file',
    ...CHANGE,
    problems: [404, ...CHANGE.problems],
  },
  'GET /providers': {
    id: 'listProviders',
    summary: 'The providers of the configuration',
    tag: 'configuration',
    answer: providerEntryList,
  },
  'GET /providers/{id}': {
    id: 'getProvider',
    summary: 'One of them',
    tag: 'configuration',
    answer: providerEntry,
    problems: [404],
  },
  'PUT /providers/{id}': {
    id: 'putProvider',
    summary: 'Write it into the file; secrets that are not named stay',
    body: entryBody,
    ...CHANGE,
  },
  'DELETE /providers/{id}': {
    id: 'deleteProvider',
    summary: 'Take it out of the file',
    ...CHANGE,
    problems: [404, ...CHANGE.problems],
  },
  'GET /config/versions': {
    id: 'listVersions',
    summary: 'The file before and after changes from here',
    tag: 'configuration',
    answer: configVersionList,
  },
  'POST /config/rollback': {
    id: 'rollBack',
    summary: 'Put a version back',
    body: rollbackBody,
    ...CHANGE,
    problems: [404, ...CHANGE.problems],
  },
  'GET /session': { id: 'getSession', summary: 'Whether this browser may ask', tag: 'session', answer: sessionView },
  'POST /session': {
    id: 'logIn',
    summary: 'Give the admin token for a cookie',
    tag: 'session',
    body: sessionBody,
    answer: sessionView,
    problems: [429],
  },
  'DELETE /session': { id: 'logOut', summary: 'End the session of this browser', tag: 'session', answer: sessionView },
  'GET /openapi.json': {
    id: 'getOpenApi',
    summary: 'This document',
    tag: 'session',
    answer: z.record(z.string(), z.unknown()),
  },
};
