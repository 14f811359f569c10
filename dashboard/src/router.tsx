import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import type { RequestFilter } from './api/queries.ts';
import { NowPage } from './page/now.tsx';
import { AppShell } from './shell/app-shell.tsx';

const root = createRootRoute({ component: AppShell });

const text = (value: unknown): string | undefined => {
  // `?key=7` is read as a number.
  const read = typeof value === 'number' ? String(value) : value;
  return typeof read === 'string' && read !== '' ? read : undefined;
};

const FILTERS = ['model', 'target', 'outcome', 'key', 'since', 'kind', 'cursor'] as const;

const requests = createRoute({
  getParentRoute: () => root,
  path: '/requests',
  component: lazyRouteComponent(() => import('./page/requests.tsx'), 'RequestsPage'),
  validateSearch: (search): RequestFilter =>
    Object.fromEntries(FILTERS.map((name) => [name, text(search[name])] as const)),
});
const request = createRoute({
  getParentRoute: () => root,
  path: '/requests/$id',
  component: lazyRouteComponent(() => import('./page/request.tsx'), 'RequestPage'),
});
const targets = createRoute({
  getParentRoute: () => root,
  path: '/targets',
  component: lazyRouteComponent(() => import('./page/targets.tsx'), 'TargetsPage'),
});

const now = createRoute({ getParentRoute: () => root, path: '/', component: NowPage });
const models = createRoute({
  getParentRoute: () => root,
  path: '/models',
  component: lazyRouteComponent(() => import('./page/models.tsx'), 'ModelsPage'),
});
const readiness = createRoute({
  getParentRoute: () => root,
  path: '/readiness',
  component: lazyRouteComponent(() => import('./page/readiness.tsx'), 'ReadinessPage'),
});
const usage = createRoute({
  getParentRoute: () => root,
  path: '/usage',
  component: lazyRouteComponent(() => import('./page/usage.tsx'), 'UsagePage'),
});
const playground = createRoute({
  getParentRoute: () => root,
  path: '/playground',
  component: lazyRouteComponent(() => import('./page/playground.tsx'), 'PlaygroundPage'),
});
const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('./page/settings.tsx'), 'SettingsPage'),
});

export const router = createRouter({
  defaultPreload: 'intent',
  scrollRestoration: true,
  routeTree: root.addChildren([now, requests, request, targets, models, readiness, usage, playground, settings]),
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
