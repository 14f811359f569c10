import type { RequestView, ScopeView } from '../../../src/management/contract.ts';

export type TargetGroup = { readonly target: string; readonly routes: readonly ScopeView[] };

export type ProviderGroup = {
  readonly provider: string;
  readonly credentials: readonly ScopeView[];
  readonly targets: readonly TargetGroup[];
};

/** What stands before the first slash of `provider/…`. */
export const providerOf = (id: string): string => id.slice(0, Math.max(0, id.indexOf('/')));

/** Scopes as people think of them: a provider with its keys and its models, each with its ways. The order stays. */
export function groupScopes(scopes: readonly ScopeView[]): readonly ProviderGroup[] {
  const routes = scopes.filter(({ kind }) => kind === 'route');
  const providers = new Set(routes.map(({ target }) => providerOf(target ?? '')));
  return [...providers].map((provider) => {
    const own = routes.filter(({ target }) => providerOf(target ?? '') === provider);
    const targets = [...new Set(own.map(({ target }) => target ?? ''))];
    return {
      provider,
      credentials: scopes.filter(({ kind, id }) => kind === 'credential' && providerOf(id) === provider),
      targets: targets.map((target) => ({ target, routes: own.filter((route) => route.target === target) })),
    };
  });
}

export type Send = {
  readonly request: string;
  readonly target: string;
  readonly outcome: string | null;
  readonly at: number;
  readonly isProbe: boolean;
};

/** The last sends of each route (`target#credential`), the oldest first. */
export function sendsByRoute(requests: readonly RequestView[], most: number): ReadonlyMap<string, readonly Send[]> {
  const found = new Map<string, Send[]>();
  for (const { id, kind, started_at: startedAt, attempts } of requests) {
    for (const { target, credential, outcome, started_ms: ms } of attempts) {
      const route = `${target}#${credential}`;
      const sends = found.get(route) ?? [];
      sends.push({ request: id, target, outcome, at: new Date(startedAt).getTime() + ms, isProbe: kind === 'probe' });
      found.set(route, sends);
    }
  }
  return new Map([...found].map(([route, sends]) => [route, sends.sort((a, b) => a.at - b.at).slice(-most)]));
}

export type OutScope = {
  readonly scope: ScopeView;
  /** Of a key or a host: how many routes are out with it. They do not stand beside it. */
  readonly behind: number;
};

/** What is out of service, by its cause: a key or host in place of the routes that it takes along. */
export function outNow(scopes: readonly ScopeView[]): readonly OutScope[] {
  const out = scopes.filter(({ state }) => state !== 'ready');
  const causes = out.filter(({ kind }) => kind !== 'route');
  const takes = (cause: ScopeView, route: ScopeView): boolean =>
    cause.until === route.until &&
    (cause.kind === 'endpoint'
      ? cause.id === route.endpoint
      : cause.id === `${providerOf(route.target ?? '')}/${route.credential}`);
  const routes = out.filter(({ kind }) => kind === 'route');
  return [
    ...causes.map((scope) => ({ scope, behind: routes.filter((route) => takes(scope, route)).length })),
    ...routes.filter((route) => !causes.some((cause) => takes(cause, route))).map((scope) => ({ scope, behind: 0 })),
  ];
}
