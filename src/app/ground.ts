import { createSystemClock } from '../adapter/clock-system/index.ts';
import { createSystemRandom } from '../adapter/random-system/index.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import type { Owner } from '../core/attempt/ledger.ts';
import type { Clock } from '../port/clock.ts';
import type { Random } from '../port/random.ts';
import { createRequestId } from '../server/request-id.ts';
import { createSecretMemory, type SecretMemory } from './secret-memory.ts';

/** What every part of a gateway stands on. */
export type Ground = {
  /** With what it was started: what was opened for it stays as it is, whatever is reloaded. */
  readonly first: RuntimeConfig;
  /** What is in force. */
  readonly config: () => RuntimeConfig;
  readonly secrets: SecretMemory;
  readonly clock: Clock;
  readonly random: Random;
  /** A new id of a request. */
  readonly ids: () => string;
  readonly owner: Owner;
  readonly version: string;
};

export function layGround(first: RuntimeConfig, config: () => RuntimeConfig, version: string): Ground {
  const clock = createSystemClock();
  const random = createSystemRandom();
  const ids = (): string => createRequestId(clock.now(), random);
  const owner: Owner = { boot: ids().replace('req_', 'boot_'), worker: 0 };
  return { first, config, secrets: createSecretMemory(first), clock, random, ids, owner, version };
}
