import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createEnvironmentSecrets } from '../../adapter/secrets-env/index.ts';
import { type LoadResult, loadConfig } from '../../config/load.ts';
import { renderProblems } from '../../config/problem.ts';
import type { RuntimeConfig } from '../../config/runtime.ts';
import { PRESETS } from '../../provider/registry.ts';
import { ROUTES } from '../../server/routes.ts';
import type { DrillFault, DrillProtocol, Shape } from '../../simulate/drill/index.ts';
import { type DemoServer, startDemoServer } from '../demo-server.ts';
import { type Gateway, wireGateway } from '../wire.ts';

/** One thing to play: a fault, in one protocol, as a stream or as JSON. */
export type DrillCell = {
  readonly protocol: DrillProtocol;
  readonly fault: DrillFault;
  readonly shape: Shape;
};

/** A private gateway in front of fake providers, all on free ports of loopback. */
export type Stage = {
  readonly origin: string;
  /** The model that plays a cell, by its place. */
  model(index: number): string;
  /** A model that nothing is wrong with. */
  sound(protocol: DrillProtocol): string;
  close(): Promise<void>;
};

/** The fake providers play faster than in the demo: nobody reads along. */
const PACE = 5;
/** How long a slow first target may take; it takes twice as long at this pace. */
const PATIENCE = '400ms';
const HOST = '127.0.0.1';

const leadOf = (index: number): string => `lead-${index}`;
const modelOf = (index: number): string => `drill-${index}`;
const soundOf = ({ protocol }: DrillProtocol): string => `sound-${protocol}`;
const backupOf = ({ protocol }: DrillProtocol): string => `backup-${protocol}`;

export async function setStage(cells: readonly DrillCell[], version: string): Promise<Stage> {
  const backup = await startDemoServer({ pace: PACE });
  // Each first target has a server of its own, so that no fault takes an endpoint from another.
  const leads = await Promise.all(cells.map(startLead));
  const origins = await Promise.all(leads.map(originOf));
  const stateDir = await mkdtemp(join(tmpdir(), 'understudy-drill-'));
  const config = loadDrill(cells, origins, backup.origin, stateDir);
  const gateway = wireGateway(config, { version, log: { level: 'silent' } });
  const { port } = await gateway.server.listen(HOST, 0);
  return {
    origin: `http://${HOST}:${port}`,
    model: modelOf,
    sound: soundOf,
    close: () => strike(gateway, [backup, ...leads], stateDir),
  };
}

const startLead = async ({ fault }: DrillCell): Promise<DemoServer | null> =>
  fault.lead === null ? null : startDemoServer({ pace: PACE });

const originOf = async (lead: DemoServer | null): Promise<string> => lead?.origin ?? deadOrigin();

async function strike(gateway: Gateway, servers: readonly (DemoServer | null)[], stateDir: string): Promise<void> {
  gateway.server.close();
  gateway.server.destroy();
  await Promise.all([gateway.close(), ...servers.map((server) => server?.close())]);
  await rm(stateDir, { recursive: true, force: true });
}

/** Whether this version takes requests of a protocol, and providers that speak it. */
export function isSpoken(protocol: DrillProtocol): boolean {
  const served = ROUTES.some((route) => route.name === 'inference' && route.path.test(protocol.path));
  const origin = `http://${HOST}:1`;
  const text = JSON.stringify({
    providers: { p: { protocol: protocol.protocol, baseUrl: `${origin}${protocol.basePath}` } },
    models: { m: { targets: ['p/m'] } },
  });
  return served && load(text, tmpdir()).ok;
}

function loadDrill(
  cells: readonly DrillCell[],
  leads: readonly string[],
  backup: string,
  stateDir: string,
): RuntimeConfig {
  const provider = (origin: string, { protocol, basePath }: DrillProtocol): object => ({
    protocol,
    baseUrl: `${origin}${basePath}`,
  });
  const backups = cells.map(({ protocol }) => [backupOf(protocol), provider(backup, protocol)]);
  const firsts = cells.map(({ protocol }, i) => [leadOf(i), provider(leads[i] ?? '', protocol)]);
  const sounds = cells.map(({ protocol }) => [soundOf(protocol), { targets: [`${backupOf(protocol)}/ok`] }]);
  const models = cells.map(({ protocol, fault }, i) => [
    modelOf(i),
    {
      targets: [
        {
          provider: leadOf(i),
          model: fault.lead ?? 'ok',
          ...(fault.isSlow ? { timeouts: { headers: PATIENCE, firstOutput: PATIENCE, whole: PATIENCE } } : {}),
        },
        { provider: backupOf(protocol), model: fault.backup },
      ],
    },
  ]);
  const text = JSON.stringify({
    stateDir,
    // Each cell is what a client sees who comes first.
    readiness: { probe: { mode: 'off' } },
    server: { host: HOST, port: 0 },
    providers: Object.fromEntries([...backups, ...firsts]),
    models: Object.fromEntries([...sounds, ...models]),
  });
  const loaded = load(text, stateDir);
  if (loaded.ok) return loaded.config;
  throw new Error(`the drill's own configuration is not valid:\n${renderProblems(loaded.problems, null)}`);
}

const load = (text: string, stateDir: string): LoadResult =>
  loadConfig({
    text,
    file: null,
    format: 'json',
    presets: PRESETS,
    secrets: createEnvironmentSecrets({ env: {}, stateDir: null }),
    totalMemoryBytes: totalmem(),
    stateDirDefault: stateDir,
  });

/** Where nobody listens: a port that was free a moment ago. */
function deadOrigin(): Promise<string> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, HOST, () => {
      const address = server.address();
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
      server.close(() => resolve(`http://${HOST}:${port}`));
    });
  });
}
