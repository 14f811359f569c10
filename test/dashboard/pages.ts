/** Every page by its address; `{id}` is that of a request. */
export const PAGES = {
  now: '/',
  requests: '/requests',
  request: '/requests/{id}',
  targets: '/targets',
  models: '/models',
  readiness: '/readiness',
  usage: '/usage',
  playground: '/playground',
  settings: '/settings',
} as const;

export type PageName = keyof typeof PAGES;

export const PAGE_NAMES = Object.keys(PAGES) as PageName[];

/** The newest request that was rescued, to show. */
export async function findRescued(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/requests?attempts=1&limit=200`);
  const { data } = (await response.json()) as {
    readonly data: readonly { readonly id: string; readonly outcome: string; readonly attempts: readonly unknown[] }[];
  };
  const most = Math.max(...data.map(({ attempts }) => attempts.length));
  const found = data.find(({ outcome, attempts }) => outcome === 'ok' && attempts.length === most);
  if (found === undefined) throw new Error('no request was rescued');
  return found.id;
}

export const addressOf = (name: PageName, id: string): string => PAGES[name].replace('{id}', id);
