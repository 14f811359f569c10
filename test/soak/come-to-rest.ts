import { setTimeout as sleep } from 'node:timers/promises';
import { SPOKEN, type Spoken } from '../kit/wire-scripts.ts';
import type { Providers, Soaked } from './start-soaked.ts';
import { readMetric } from './take-sample.ts';

type Scope = { readonly kind: string; readonly id: string; readonly target: string | null; readonly state: string };

/** How long circuits, holds and queues may take to come to rest once nobody fails any more. */
const REST_MS = 30_000;

/**
 * Once nobody fails, every circuit must close again. `askFor` sends one request to a target by its name, for a circuit
 * opens to a trial only when somebody asks. Gives the scopes that are still out of order, in words.
 */
export async function closeCircuits(
  gateway: Pick<Soaked, 'manage'>,
  askFor: (name: string, protocol: Spoken) => Promise<void>,
): Promise<readonly string[]> {
  const limit = performance.now() + REST_MS;
  for (;;) {
    const { data } = (await gateway.manage('/api/v1/targets')) as { readonly data: readonly Scope[] };
    const out = data.filter(({ state }) => state !== 'ready');
    if (out.length === 0 || performance.now() > limit)
      return out.map(({ kind, id, state }) => `${kind} ${id} is ${state}`);
    const targets = new Set(data.flatMap(({ target }) => target ?? []));
    const isOut = ({ id }: Scope, target: string): boolean => id.startsWith(target) || !id.includes('/');
    const due = [...targets].filter((target) => out.some((scope) => isOut(scope, target)));
    await Promise.all(due.map((target) => askFor(...nameOf(target))));
    await sleep(100);
  }
}

function nameOf(target: string): [name: string, protocol: Spoken] {
  const provider = target.slice(0, target.indexOf('/'));
  const protocol = SPOKEN.find((each) => provider.endsWith(each)) as Spoken;
  return [provider.slice(0, -protocol.length - 1), protocol];
}

/** What must be 0 once nothing is under way. */
const MUST_BE_ZERO = [
  'understudy_requests_in_flight',
  'understudy_buffered_bytes',
  'understudy_ledger_queue',
  'understudy_ledger_violations_total',
  'understudy_ledger_failures_total',
  'understudy_ledger_trouble',
];

/** Waits until nothing is under way. Gives what is still held, in words. */
export async function becomeQuiet(
  gateway: Pick<Soaked, 'metrics'>,
  providers: Pick<Providers, 'sync'>,
): Promise<readonly string[]> {
  const limit = performance.now() + REST_MS;
  for (;;) {
    const page = await gateway.metrics();
    const { open } = await providers.sync([]);
    const held = MUST_BE_ZERO.filter((name) => readMetric(page, name) !== 0).map(
      (name) => `${name} is ${readMetric(page, name)}`,
    );
    if (open > 0) held.push(`${open} answers of providers are under way`);
    if (held.length === 0 || performance.now() > limit) return held;
    await sleep(100);
  }
}

type Reconciliation = {
  readonly ok: boolean;
  readonly requests: { readonly total: number; readonly open: number };
  readonly attempts: { readonly total: number; readonly open: number };
};

/** The gateway's own conservation check, and its sums against those of the outside. */
export async function reconcile(
  gateway: Pick<Soaked, 'manage'>,
  due: { readonly requests: number; readonly attempts: number },
): Promise<readonly string[]> {
  const found = (await gateway.manage('/api/v1/reconcile?since=1970-01-02T00:00:00Z')) as Reconciliation;
  const { ok, requests, attempts } = found;
  const isRight =
    ok && requests.open + attempts.open === 0 && requests.total === due.requests && attempts.total === due.attempts;
  return isRight ? [] : [`reconcile says ${JSON.stringify(found)}, due are ${JSON.stringify(due)}`];
}
