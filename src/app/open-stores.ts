import { createAuditFile } from '../adapter/audit-file/index.ts';
import { createMemoryHealthStore, type MemoryHealthStoreOptions } from '../adapter/store-memory/health-store.ts';
import { createMemoryLedgerStore } from '../adapter/store-memory/ledger-store.ts';
import { createSqliteLedgerStore, type SqliteLedgerStore } from '../adapter/store-sqlite/index.ts';
import type { AuditLog } from '../port/audit-log.ts';
import type { HealthStore } from '../port/health-store.ts';
import type { LedgerStore } from '../port/ledger-store.ts';
import type { Telemetry } from '../port/telemetry.ts';
import type { Ground } from './ground.ts';
import { createSavedHealth, type SavedHealth } from './saved-health.ts';

export type StoreOptions = {
  /** Fills the port of health; in the memory of this process when absent. */
  readonly openHealth?: (options: MemoryHealthStoreOptions) => HealthStore;
};

export type Stores = {
  readonly ledger: AnyLedger;
  readonly health: HealthStore;
  readonly audit: AuditLog;
  /** Null: health is forgotten with the process. */
  readonly saved: SavedHealth | null;
};

/**
 * All that remembers. Throws a `StateDirError` where another gateway has the state directory, or nothing can be written
 * there. `onHealth`: some state word has changed.
 */
export function openStores(
  ground: Ground,
  { openHealth = createMemoryHealthStore }: StoreOptions,
  telemetry: Telemetry,
  onHealth: () => void,
): Stores {
  const { first, config, clock } = ground;
  const ledger = openLedger(ground, telemetry);
  // The lock is the ledger's: without one the state directory may be another gateway's too.
  const saved = first.store.kind === 'memory' ? null : createSavedHealth(first.stateDir, { clock, telemetry });
  const recalled = saved?.first ?? null;
  const health = openHealth({
    settings: () => config().health,
    telemetry: {
      healthChanged(change) {
        telemetry.healthChanged(change);
        onHealth();
      },
    },
    ...(recalled === null ? {} : { first: recalled }),
  });
  return { ledger, health, audit: openAudit(ground, telemetry), saved };
}

/** On disk where the ledger is: its lock says whose the directory is. */
function openAudit({ first: { store, stateDir }, secrets }: Ground, telemetry: Telemetry): AuditLog {
  const clean = (name: string): string => secrets.cleanName(name);
  if (store.kind === 'memory') return createAuditFile({ clean });
  const onTrouble = (code: string): void =>
    telemetry.notice('error', 'what is done by the management API can not be written down', { code });
  return createAuditFile({ stateDir, onTrouble, clean });
}

type AnyLedger = LedgerStore & Partial<Pick<SqliteLedgerStore, 'announce'>>;

/** The store that the configuration names. */
function openLedger({ first, owner, clock }: Ground, telemetry: Telemetry): AnyLedger {
  const onViolation = (violation: string): void =>
    telemetry.notice('error', 'the ledger refused a fact', { violation });
  const { kind, keepMs, maxBytes, explain } = first.store;
  if (kind === 'memory') return createMemoryLedgerStore({ onViolation });
  const store = createSqliteLedgerStore({
    stateDir: first.stateDir,
    owner,
    clock,
    keepMs,
    maxBytes,
    explain,
    onViolation,
    onTrouble: ({ state, message, kind: what, code, lost }) => {
      telemetry.notice(state === 'trouble' ? 'error' : 'info', message, { kind: what, code, lost });
    },
  });
  store.opened.then(
    ({ abandoned }) => {
      if (abandoned > 0) telemetry.notice('warn', 'closed what a gateway that died had left open', { abandoned });
    },
    // It was closed before it came up; there is nobody left to tell.
    () => {},
  );
  return store;
}
