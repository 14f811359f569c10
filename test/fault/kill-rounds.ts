import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSystemClock } from '../../src/adapter/clock-system/index.ts';
import { createSqliteLedgerStore } from '../../src/adapter/store-sqlite/index.ts';
import { reconciliationView } from '../../src/management/contract.ts';
import { type RunningGateway, startGateway } from '../e2e/gateway-process.ts';
import { until } from '../e2e/server-kit.ts';
import { createSeededRandom } from '../kit/seeded-random.ts';
import { SPOKEN } from '../kit/wire-scripts.ts';
import { type CountingProvider, createCountingProvider } from './counting-provider.ts';
import { checkRound, type Rows, readRows } from './kill-checks.ts';
import { openCrowd } from './stream-crowd.ts';

/** One kill, in numbers. */
export type KillFigures = {
  readonly round: number;
  /** From the moment on at which all streams ran; what is killed `at send` waits for one more. */
  readonly killedAfterMs: number;
  readonly at: Moment;
  /** Streams that the provider was giving at the kill. */
  readonly open: number;
  readonly whole: number;
  readonly requests: number;
  readonly attempts: number;
  readonly sends: number;
  /** Recorded, but killed before the bytes went out: the one difference that there may be. */
  readonly unsent: number;
  readonly failovers: number;
  /** Requests that the next start closed. */
  readonly abandoned: number;
};

/** `send`: as soon as the provider has one more request, which must be on record already. */
type Moment = 'any' | 'send';

export type KillReport = {
  readonly rounds: readonly KillFigures[];
  /** What broke a law, in words; empty where all is well. */
  readonly problems: readonly string[];
};

export type KillOptions = { readonly rounds: number; readonly streams: number; readonly seed: number };

/** Longest time that a kill waits once all streams run. */
const MOST_MS = 1_500;
/** For a busy machine: 200 streams are much for two cores that have other work. */
const PATIENCE_MS = 300_000;

const stateDirOf = ({ home }: Pick<RunningGateway, 'home'>): string => join(home, 'state');

/**
 * Failures are many here, and circuits are not what is tried: they stay closed. Nor are clocks: a machine that is too busy
 * to connect in time has an attempt without a send.
 */
const configOf = (origin: string): string => `
stateDir: ./state
health: { breaker: { failures: 1000 } }
modelDefaults: { timeouts: { connect: 5m, headers: 5m, firstOutput: 5m, idle: 5m, progress: 10m } }
providers:
${SPOKEN.flatMap((protocol) =>
  ['flaky', 'good'].map(
    (name) =>
      `  ${name}-${protocol}: { protocol: ${protocol}, baseUrl: "${origin}/${name}/v1", apiKey: sk-fake-1234567890 }`,
  ),
).join('\n')}
models:
${SPOKEN.map((protocol) => `  ${protocol}: { targets: [flaky-${protocol}/m, good-${protocol}/m] }`).join('\n')}
`;

/**
 * Again and again on one state directory: a gateway under many streams, with failovers among them, is killed at a moment
 * that the seed chooses, and started anew. Then what the provider has physically seen must be what the ledger says.
 */
export async function runKillRounds({ rounds, streams, seed }: KillOptions): Promise<KillReport> {
  const random = createSeededRandom(seed);
  const provider = await createCountingProvider(seed);
  const problems: string[] = [];
  const figures: KillFigures[] = [];
  const config = configOf(provider.origin);
  let known: Rows = new Map();
  let gateway = await startGateway(config);
  try {
    for (let round = 1; round <= rounds; round++) {
      const killedAfterMs = Math.round(random.next() * MOST_MS);
      const at = round % 2 === 1 ? 'send' : 'any';
      const seen = await killUnderLoad(gateway, provider, { streams, name: `r${round}`, killedAfterMs, at });
      problems.push(...seen.refused.map((text) => `round ${round}: a client got ${text}`));
      gateway = await startGateway(config, {}, gateway.home);
      const abandoned = await untilClosed(gateway);
      const rows = readRows(stateDirOf(gateway));
      const check = checkRound({ rows, known, provider, prefix: `r${round}-` });
      problems.push(...[...check.problems, ...(await checkOnline(gateway))].map((text) => `round ${round}: ${text}`));
      if (check.abandoned !== abandoned)
        problems.push(`round ${round}: told of ${abandoned}, closed ${check.abandoned}`);
      figures.push({ round, killedAfterMs, at, open: seen.open, whole: seen.whole, ...check.figures, abandoned });
      known = rows;
    }
    gateway.child.kill('SIGTERM');
    await gateway.ended;
    problems.push(...(await checkStore(stateDirOf(gateway), known)));
  } finally {
    gateway.child.kill('SIGKILL');
    await provider.close();
  }
  return { rounds: figures, problems };
}

type Load = { readonly streams: number; readonly name: string } & Pick<KillFigures, 'killedAfterMs' | 'at'>;

async function killUnderLoad(gateway: RunningGateway, provider: CountingProvider, load: Load) {
  const crowd = openCrowd(gateway.port, load.streams, load.name);
  await until(() => provider.open() >= 0.9 * load.streams, PATIENCE_MS, 'the streams do not run');
  await sleep(load.killedAfterMs);
  // None comes where every stream that is left has no end.
  if (load.at === 'send') await Promise.race([provider.nextSend(), sleep(MOST_MS)]);
  const open = provider.open();
  gateway.child.kill('SIGKILL');
  crowd.stop();
  await Promise.all([gateway.ended, crowd.gone]);
  // What the kernel had of the dead gateway's bytes has arrived when its connections are gone.
  await until(() => provider.isQuiet(), PATIENCE_MS, 'connections stay open');
  return { open, whole: crowd.whole(), refused: crowd.refused };
}

/** Waits for the word of the start that what was left open is closed; how many requests that were. */
async function untilClosed(gateway: RunningGateway): Promise<number> {
  const line = (): string | undefined =>
    gateway
      .out()
      .split('\n')
      .find((text) => text.includes('closed what a gateway that died had left open'));
  await until(() => line() !== undefined, PATIENCE_MS, 'nothing was closed');
  return (JSON.parse(line() ?? '{}') as { abandoned: number }).abandoned;
}

/** The conservation check as operators ask for it, and what it says of the whole ledger. */
async function checkOnline({ url }: RunningGateway): Promise<string[]> {
  const response = await fetch(`${url}/api/v1/reconcile`);
  const view = reconciliationView.parse(await response.json());
  return view.ok && view.attempts.open + view.requests.open === 0 ? [] : [`reconcile says ${JSON.stringify(view)}`];
}

/** Once more with nobody else on the directory: nothing is open, nothing breaks a law, nothing changes. */
async function checkStore(stateDir: string, known: Rows): Promise<string[]> {
  const store = createSqliteLedgerStore({
    stateDir,
    owner: { boot: 'auditor', worker: 0 },
    clock: createSystemClock(),
    keepMs: Number.POSITIVE_INFINITY,
    maxBytes: Number.POSITIVE_INFINITY,
    explain: 'failures',
  });
  const { abandoned } = await store.opened;
  const { breachCount, breaches, violations, attempts } = await store.reconcile(0);
  await store.close();
  const problems: string[] = [];
  if (abandoned > 0) problems.push(`at the end ${abandoned} requests were still open`);
  if (breachCount > 0)
    problems.push(`reconcile names ${breachCount} breaches: ${JSON.stringify(breaches.slice(0, 5))}`);
  if (violations.count > 0) problems.push(`reconcile counts ${violations.count} refused facts`);
  if (attempts.total !== attempts.ended) problems.push(`reconcile finds ${attempts.open} open attempts`);
  if (JSON.stringify([...readRows(stateDir)]) !== JSON.stringify([...known]))
    problems.push('a start has changed what had ended');
  return problems;
}
