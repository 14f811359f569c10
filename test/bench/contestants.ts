import { accessSync, constants, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '../e2e/gateway-process.ts';
import { nginxConfig } from './nginx-config.ts';
import { type Server, startServer } from './start-server.ts';
import { CLIENT_KEY, FEATURES, type Feature, understudyConfig } from './understudy-config.ts';
import type { Fault, Workload } from './workloads.ts';

/** Where a contestant is started. */
export type Stage = {
  readonly folder: string;
  readonly core: number;
  readonly ports: { readonly port: number; readonly faultPort: number };
  /** Where Portkey is installed; null: nowhere. */
  readonly portkey: string | null;
};

export type Contestant = {
  readonly name: string;
  /** Faults that it can do something about; the others are not asked of it. */
  readonly cures: readonly Fault[];
  /** Path and headers of a request. */
  ask(workload: Workload, stage: Stage): { readonly path: string; readonly headers: string };
  /** Null: there is no process, clients ask the provider itself. */
  readonly start: ((workload: Workload, stage: Stage) => Promise<Server>) | null;
  /** Whether its JSON answers are as long as the provider's. */
  readonly isVerbatim: boolean;
  /** It serves clients of other protocols than its provider's. */
  readonly translates?: true;
};

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const planned = ({ plan }: Workload): { path: string; headers: string } => ({
  path: `/${plan}/v1/chat/completions`,
  headers: '',
});
const chat = (headers: string): { path: string; headers: string } => ({ path: '/v1/chat/completions', headers });
const scratch = ({ folder }: Stage, name: string): string => mkdtempSync(join(folder, `${name}-`));

const direct: Contestant = {
  name: 'direct',
  cures: ['status', 'error', 'reset', 'half'],
  ask: planned,
  start: null,
  isVerbatim: true,
};

const nginx: Contestant = {
  name: 'nginx',
  cures: ['status', 'reset', 'half'],
  ask: planned,
  isVerbatim: true,
  async start({ fault }, stage) {
    const folder = scratch(stage, 'nginx');
    const port = await freePort();
    mkdirSync(join(folder, 'logs'));
    const { ports, core } = stage;
    writeFileSync(
      join(folder, 'nginx.conf'),
      nginxConfig(port, fault === null ? ports.port : ports.faultPort, ports.port),
    );
    const command = [nginxPath() ?? 'nginx', '-p', `${folder}/`, '-c', 'nginx.conf', '-e', 'error.log'];
    return startServer('nginx', command, port, '/livez', { core, folder });
  },
};

/** Where nginx is; it may stand where only the system looks. */
export function nginxPath(): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.map((folder) => join(folder, 'nginx')).find(isProgram) ?? null;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const relay: Contestant = {
  name: 'relay',
  cures: [],
  ask: () => chat(''),
  isVerbatim: true,
  async start({ name, plan }, { folder, core, ports }) {
    const port = await freePort();
    const models = JSON.stringify({ [name]: plan });
    const command = [process.execPath, here('relay.mjs'), String(port), String(ports.port), models];
    return startServer('relay', command, port, '/livez', { core, folder });
  },
};

/** The gateway, with some of its features off. */
const understudy = (name: string, off: readonly Feature[]): Contestant => ({
  name,
  cures: ['status', 'error', 'reset', 'half'],
  ask: ({ speaks }) => {
    const asked = chat(off.includes('keys') ? '' : `authorization: Bearer ${CLIENT_KEY}\r\n`);
    return speaks === 'messages' ? { ...asked, path: '/v1/messages' } : asked;
  },
  translates: true,
  isVerbatim: true,
  async start(workload, stage) {
    const folder = scratch(stage, 'understudy');
    const port = await freePort();
    writeFileSync(join(folder, 'understudy.yaml'), understudyConfig(workload, stage.ports, off));
    const command = [process.execPath, here('../../bin/understudy'), 'serve', '--port', String(port)];
    return startServer(name, command, port, '/livez', { core: stage.core, folder, log: join(folder, 'log.jsonl') });
  },
});

const portkey: Contestant = {
  name: 'portkey',
  cures: ['status', 'half'],
  ask({ plan, fault }, { ports }) {
    const target = (port: number): object => ({
      provider: 'openai',
      api_key: 'sk-fake-bench-1234567890',
      custom_host: `http://127.0.0.1:${port}/${plan}/v1`,
    });
    const config =
      fault === null
        ? target(ports.port)
        : { strategy: { mode: 'fallback' }, targets: [target(ports.faultPort), target(ports.port)] };
    return chat(`x-portkey-config: ${JSON.stringify(config)}\r\n`);
  },
  isVerbatim: false,
  async start(_workload, { folder, core, portkey: installed }) {
    const port = await freePort();
    const command = [
      process.execPath,
      join(installed ?? '', 'node_modules/@portkey-ai/gateway/build/start-server.js'),
      '--headless',
      `--port=${port}`,
    ];
    const env = { TRUSTED_CUSTOM_HOSTS: '127.0.0.1', NODE_ENV: 'production' };
    return startServer('portkey', command, port, '/', { core, folder, env, log: join(folder, 'portkey.log') });
  },
};

export const MAIN: readonly Contestant[] = [direct, nginx, relay, understudy('understudy', [])];

/** Each feature off in turn, then all of them. */
export const PRICES: readonly Contestant[] = [
  ...FEATURES.map((feature) => understudy(`understudy (${feature} off)`, [feature])),
  understudy('understudy (all off)', FEATURES),
];

export const PORTKEY: readonly Contestant[] = [portkey];

/** Who takes part in a workload. */
export const takesPart = ({ start, cures, translates }: Contestant, { load, fault, speaks }: Workload): boolean =>
  load.kind === 'start'
    ? start !== null
    : (fault === null || cures.includes(fault)) && (speaks === undefined || translates === true);
