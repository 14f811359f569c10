export type { UndiciClientOptions } from './pools.ts';
export { createUndiciClient } from './undici-client.ts';
