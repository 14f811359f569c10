import type { Client } from './client.ts';
import { CODING_AGENTS } from './coding-agents.ts';
import { SDK_CLIENTS } from './sdk-clients.ts';

/** Every client that the runner knows, by the name that its command line takes, in the order of the table. */
export const CLIENTS: ReadonlyMap<string, Client> = new Map(
  Object.entries<Client>({ ...CODING_AGENTS, ...SDK_CLIENTS }),
);
