import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { VerdictFile } from '../../src/app/run/verdict-file.ts';
import { type Client, type Launch, PROMPT, type Scene } from './client.ts';
import { FAULTS } from './faults.ts';
import { gatewayConfig } from './gateway-config.ts';
import { install } from './install.ts';
import { judge, type Verdict } from './judge.ts';
import type { Providers, Seen } from './provider.ts';
import { type Run, runClient } from './run-client.ts';

const BIN = fileURLToPath(new URL('../../bin/understudy', import.meta.url));

/** Its first target is down: the client must not notice. */
const FAULT = 'a-status';

const bin = (scene: Scene, name: string): string => join(scene.installed, 'node_modules/.bin', name);

/**
 * How a client is started under `understudy run`, by its name. It is told no address and no key but by its environment,
 * which Codex reads for the key alone: the shell puts the address into an argument.
 */
const LAUNCHES: Readonly<Record<string, (scene: Scene) => Launch>> = {
  codex: (scene) => {
    const provider =
      "model_providers.understudy={name='Understudy',base_url='$OPENAI_BASE_URL',env_key='OPENAI_API_KEY',wire_api='responses'}";
    const options = `-m "$UNDERSTUDY_MODEL" -c model_provider=understudy -c "${provider}"`;
    const place = `--skip-git-repo-check -s danger-full-access -C ${scene.work}`;
    return { command: 'sh', args: ['-c', `exec ${bin(scene, 'codex')} exec ${place} ${options} "${PROMPT}"`] };
  },
  'claude-code': (scene) => ({
    command: bin(scene, 'claude'),
    args: ['-p', PROMPT, '--allowedTools', 'Bash'],
    env: { CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1', DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1' },
  }),
};

export type SidecarResult = {
  readonly id: string;
  readonly run: Run;
  readonly verdict: Verdict;
  readonly seen: Seen;
};

export const hasSidecar = (name: string): boolean => Object.hasOwn(LAUNCHES, name);

/** Plays a client under `understudy run`, with a gateway of its own in front of the scripted providers. */
export async function playSidecar(
  name: string,
  client: Client,
  { providers, proxy }: { readonly providers: Providers; readonly proxy: string },
): Promise<SidecarResult> {
  const id = `${name}-run-${FAULT}`;
  const { protocol } = client;
  providers.open(id, protocol, FAULTS[FAULT]);
  const folder = mkdtempSync(join(tmpdir(), 'understudy-sidecar-'));
  const [config, evidence] = [join(folder, 'understudy.json'), join(folder, 'evidence')];
  writeFileSync(config, gatewayConfig([{ id, protocol }], providers.port));
  const launch = (scene: Scene): Launch => {
    const { command, args, env } = LAUNCHES[name]?.(scene) ?? client.launch(scene);
    // The scripted providers tell a client's turn from a probe by its tools: a probe would be answered as an aside.
    const options = ['--config', config, '--evidence', evidence, '--min-ready', '1'];
    const all = [BIN, 'run', ...options, '--', command, ...args];
    return { command: process.execPath, args: all, ...(env === undefined ? {} : { env }) };
  };
  try {
    const installed = await install(client.package);
    // Nothing listens there: whoever asks it has not read its environment.
    const run = await runClient({ ...client, launch }, { url: 'http://127.0.0.1:9', model: id, installed, proxy });
    const seen = providers.seen(id);
    const verdict = withEvidence(judge(run, seen, FAULTS[FAULT], client), evidence);
    return { id, run, verdict, seen };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Beside what a user sees: what the run itself says of it. */
function withEvidence(verdict: Verdict, evidence: string): Verdict {
  const faults = [...verdict.faults, ...findInEvidence(evidence)];
  return faults.length === 0 ? verdict : { word: 'broken', faults };
}

function findInEvidence(evidence: string): readonly string[] {
  try {
    const { outcome, component, requests } = JSON.parse(
      readFileSync(join(evidence, 'verdict.json'), 'utf8'),
    ) as VerdictFile;
    return [
      ...(outcome === 'ok' ? [] : [`the run's verdict is ${outcome}, ${component}`]),
      ...(requests.served < 2 ? [`the run has counted ${requests.served} requests served`] : []),
    ];
  } catch {
    return ['the run left no verdict'];
  }
}
