export { type Accounts, type AccountView, createAccounts } from './accounts.ts';
export { type Played, playOf } from './play-of.ts';
export { createProviders, type Providers, type RouteView } from './providers.ts';
export type { SendView } from './send-view.ts';
