import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  AuditList,
  ConfigVersionList,
  ExplanationView,
  ModelEntryList,
  OverviewView,
  PlanAnswer,
  ProviderEntryList,
  ReadinessView,
  RequestRecords,
  RequestView,
  ScopeList,
  SessionView,
  UsageReport,
} from '../../../src/management/contract.ts';
import { ask } from './client.ts';
import { feedState } from './feed.ts';
import { gatewayNow } from './gateway-clock.ts';

/** Filters of the list of requests, as they stand in the page's address. */
export type RequestFilter = {
  readonly model?: string | undefined;
  readonly target?: string | undefined;
  readonly outcome?: string | undefined;
  readonly key?: string | undefined;
  readonly since?: string | undefined;
  readonly kind?: string | undefined;
  readonly cursor?: string | undefined;
};

/** While the gateway does not tell what happens; and while it does, for what changes by itself, as windows of time do. */
const POLL_MS = 2000;
const DRIFT_MS = 10_000;

const live = (): number => (feedState() === 'live' ? DRIFT_MS : POLL_MS);

const MINUTE_MS = 60_000;

export const requestsQuery = (filter: RequestFilter, isLive: boolean) =>
  queryOptions({
    queryKey: ['requests', filter],
    queryFn: ({ signal }) =>
      ask<RequestRecords>('/requests', { query: { ...filter, attempts: '1', limit: 50 }, signal }),
    refetchInterval: isLive ? live : false,
    placeholderData: keepPreviousData,
    meta: { isPaused: !isLive },
  });

/** The last sends, probes among them: what each route did lately. */
export const sendsQuery = queryOptions({
  queryKey: ['sends'],
  queryFn: ({ signal }) =>
    ask<RequestRecords>('/requests', { query: { kind: 'all', attempts: '1', limit: 200 }, signal }),
  refetchInterval: live,
});

export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['request', id],
    queryFn: ({ signal }) => ask<RequestView>(`/requests/${encodeURIComponent(id)}`, { signal }),
    refetchInterval: ({ state }) => (state.data?.outcome === null ? live() / 2 : false),
  });

export const explanationQuery = (id: string) =>
  queryOptions({
    queryKey: ['explanation', id],
    queryFn: ({ signal }) => ask<ExplanationView>(`/requests/${encodeURIComponent(id)}/explain`, { signal }),
  });

export const targetsQuery = queryOptions({
  queryKey: ['targets'],
  queryFn: ({ signal }) => ask<ScopeList>('/targets', { signal }),
  refetchInterval: live,
});

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => ask<SessionView>('/session', { signal }),
});

export const WINDOWS = ['1m', '5m', '15m', '1h'] as const;

export type Window = (typeof WINDOWS)[number];

export const overviewQuery = (window: Window) =>
  queryOptions({
    queryKey: ['overview', window],
    queryFn: ({ signal }) => ask<OverviewView>('/overview', { query: { window }, signal }),
    refetchInterval: live,
    placeholderData: keepPreviousData,
  });

const WINDOW_MS: Readonly<Record<Window, number>> = {
  '1m': MINUTE_MS,
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
};

/** Whom failures within the window hit, and whose they were, as far as the newest requests tell. */
export const failuresQuery = (window: Window) =>
  queryOptions({
    queryKey: ['failures', window],
    queryFn: async ({ signal }) => {
      const since = new Date(gatewayNow() - WINDOW_MS[window]).toISOString();
      const [usage, requests] = await Promise.all([
        ask<UsageReport>('/usage', { query: { by: 'model,key', since }, signal }),
        ask<RequestRecords>('/requests', { query: { attempts: '1', limit: 200, since }, signal }),
      ]);
      return { rows: usage.data, requests: requests.data };
    },
    refetchInterval: () => 3 * live(),
    placeholderData: keepPreviousData,
  });

export const readinessQuery = queryOptions({
  queryKey: ['readiness'],
  queryFn: ({ signal }) => ask<ReadinessView>('/readiness', { signal }),
  refetchInterval: live,
});

/** `since` null: from the first record on. */
export const usageQuery = (by: string, since: string | null) =>
  queryOptions({
    queryKey: ['usage', by, since],
    queryFn: ({ signal }) => ask<UsageReport>('/usage', { query: { by, since: since ?? undefined }, signal }),
    placeholderData: keepPreviousData,
  });

export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: ({ signal }) => ask<ModelEntryList>('/models', { signal }),
});

export const providersQuery = queryOptions({
  queryKey: ['providers'],
  queryFn: ({ signal }) => ask<ProviderEntryList>('/providers', { signal }),
});

export const auditQuery = queryOptions({
  queryKey: ['audit'],
  queryFn: ({ signal }) => ask<AuditList>('/audit', { query: { limit: 50 }, signal }),
});

export const versionsQuery = queryOptions({
  queryKey: ['versions'],
  queryFn: ({ signal }) => ask<ConfigVersionList>('/config/versions', { signal }),
});

/** Names that a client may ask for: virtual models first, then targets. `key`: a client's, where the gateway wants one. */
export const nameableQuery = (key: string) =>
  queryOptions({
    queryKey: ['nameable', key],
    queryFn: async ({ signal }) => {
      const response = await fetch('/v1/models', {
        signal,
        headers: key === '' ? {} : { authorization: `Bearer ${key}` },
      });
      if (response.status === 401 || response.status === 403) return { needsKey: true, names: [] };
      const list = (await response.json()) as { readonly data?: readonly { readonly id: string }[] };
      return { needsKey: false, names: (list.data ?? []).map(({ id }) => id) };
    },
  });

/** Who would be asked now. `revision`: of the file, so that another file is another question. */
export const planQuery = (model: string, revision: string | null) =>
  queryOptions({
    queryKey: ['plan', model, revision],
    queryFn: ({ signal }) =>
      ask<PlanAnswer>('/plan', {
        method: 'POST',
        body: { model, messages: [{ role: 'user', content: 'Hello' }] },
        signal,
      }),
    refetchInterval: () => 3 * live(),
    placeholderData: keepPreviousData,
  });

/** The request that a client gave this id of its own; undefined while none is on record. */
export const ownRequestQuery = (clientId: string) =>
  queryOptions({
    queryKey: ['requests', 'own', clientId],
    queryFn: async ({ signal }) => {
      const { data } = await ask<RequestRecords>('/requests', { query: { attempts: '1', limit: 20 }, signal });
      return data.find((request) => request.client_request_id === clientId) ?? null;
    },
    refetchInterval: ({ state }) => (state.data?.outcome == null ? 300 : false),
  });
