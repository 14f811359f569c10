import { StateDirError } from '../adapter/store-sqlite/index.ts';
import { codeOf } from '../config/error-code.ts';
import { type ConfigProblem, renderProblems, tellProblems } from '../config/problem.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import { tellWarning } from '../config/warning.ts';
import { type ConfigWatcher, watchConfig } from '../config/watch.ts';
import { describeFault } from '../core/redact/index.ts';
import type { Configuration } from './configuration.ts';
import { type DemoServer, startDemoServer } from './demo-server.ts';
import { drainGateway } from './drain.ts';
import { makeFolder, wordsOfRefusal } from './make-folder.ts';
import { needsRestart } from './needs-restart.ts';
import { type Gateway, type WireOptions, wireGateway } from './wire.ts';

export type StartFailure = {
  readonly ok: false;
  /** `configuration`: its author has to do something. */
  readonly kind: 'configuration';
  readonly message: string;
};

/** Requests under way, and how long they get (ms) before they are ended. */
export type Waiting = { readonly inFlight: number; readonly drainMs: number };

export type Running = {
  readonly ok: true;
  readonly url: string;
  readonly config: RuntimeConfig;
  /** Resolves with the exit code when the gateway has ended. */
  readonly ended: Promise<number>;
  /**
   * What SIGTERM does. The second call ends at once. `isHasty`: nothing under way, nothing waited for. Gives what is
   * waited for; null: nothing.
   */
  stop(isHasty: boolean): Waiting | null;
  /** What SIGHUP does away from a terminal. */
  reload(): void;
  /** A fault that no request caught: told to the operator, whose other requests go on. */
  reportFault(error: unknown): void;
};

/** Starts a gateway on a configuration and keeps it in step with the file. */
export async function startGateway(
  configuration: Configuration,
  options: WireOptions,
): Promise<Running | StartFailure> {
  const demo: { server: DemoServer | null } = { server: null };
  const load = async (text: string) => {
    const result = configuration.load(text, demo.server?.origin ?? null);
    if (!result.ok || demo.server !== null || !usesDemo(result.config)) return result;
    demo.server = await startDemoServer();
    return configuration.load(text, demo.server.origin);
  };
  const first = await load(configuration.text);
  if (!first.ok) return refuseStart(tellProblems(first.problems, fileOf(configuration)));
  const { config } = first;
  const trouble = makeStateDir(config.stateDir);
  if (trouble !== null) return refuseStart(trouble);
  const wired = wire(config, options);
  if (!wired.ok) return refuseStart(wired.message);
  const { gateway } = wired;
  // Before the port is open: whoever sees that it is there asks at once, and must not take it for a slow provider.
  await gateway.warmUp();
  const listening = await listen(gateway, config);
  if (!listening.ok) {
    await Promise.all([gateway.close(), demo.server?.close()]);
    return refuseStart(listening.message);
  }
  gateway.announce(listening.url);
  const watcher = watch(configuration, gateway, load);
  return run(gateway, { config, url: listening.url, watcher, closeDemo: () => demo.server?.close() });
}

type Wired = { readonly ok: true; readonly gateway: Gateway } | { readonly ok: false; readonly message: string };

function wire(config: RuntimeConfig, options: WireOptions): Wired {
  try {
    return { ok: true, gateway: wireGateway(config, options) };
  } catch (error) {
    if (error instanceof StateDirError) return { ok: false, message: error.message };
    throw error;
  }
}

const usesDemo = (config: RuntimeConfig): boolean =>
  [...config.providers.values()].some((provider) => provider.preset === 'demo');

const fileOf = ({ source }: Configuration): string | null => (source.kind === 'file' ? source.file.file : null);

const refuseStart = (message: string): StartFailure => ({ ok: false, kind: 'configuration', message });

function makeStateDir(path: string): string | null {
  try {
    makeFolder(path, 0o700);
    return null;
  } catch (error) {
    return `The state directory ${path} can't be made (${wordsOfRefusal(error)}): name another one with --state-dir.`;
  }
}

type Listening = { readonly ok: true; readonly url: string } | { readonly ok: false; readonly message: string };

const LISTEN_FAILURES: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is in use: another gateway may be running there. Choose another with --port.`,
  EACCES: (_host, port) => `Port ${port} may not be opened by this user: choose one above 1023 with --port.`,
  EADDRNOTAVAIL: (host) => `${host} is no address of this machine: choose another with --host.`,
  ENOTFOUND: (host) => `${host} is no name that resolves: choose another with --host.`,
};

async function listen(gateway: Gateway, config: RuntimeConfig): Promise<Listening> {
  const { host, port, tls } = config.server;
  try {
    const address = await gateway.server.listen(host.replace(/^\[|\]$/g, ''), port);
    const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host;
    return { ok: true, url: `${tls === null ? 'http' : 'https'}://${name}:${address.port}` };
  } catch (error) {
    const code = codeOf(error);
    const message = LISTEN_FAILURES[code]?.(host, port) ?? `Can't listen on ${host} port ${port} (${code}).`;
    return { ok: false, message };
  }
}

type Load = (text: string) => Promise<ReturnType<Configuration['load']>>;

/** Each change of the file is taken whole or not at all, one after the other. */
function watch(configuration: Configuration, gateway: Gateway, load: Load): ConfigWatcher | null {
  const file = fileOf(configuration);
  if (file === null) return null;
  const { telemetry, clock } = gateway;
  const started = gateway.config();
  const keep = (problems: readonly ConfigProblem[]): void =>
    telemetry.notice('error', 'the changed configuration is not valid: the one before stays in force', {
      file,
      problems: renderProblems(problems, file),
    });
  const take = async (text: string): Promise<void> => {
    const result = await load(text);
    if (!result.ok) {
      keep(result.problems);
      return;
    }
    gateway.swap(result.config);
    telemetry.notice('info', 'the changed configuration is in force', {
      file,
      models: result.config.models.size,
      needs_restart: needsRestart(started, result.config).join(', ') || null,
    });
    for (const warning of result.config.warnings) telemetry.notice('warn', tellWarning(warning), { file });
  };
  let last = Promise.resolve();
  return watchConfig({
    file,
    text: configuration.text,
    clock,
    onChange: (text) => {
      last = last
        .then(() => take(text))
        .catch((error: unknown) => {
          telemetry.notice('error', 'the changed configuration could not be taken', { file, error: String(error) });
        });
    },
    onUnreadable: (reason) =>
      telemetry.notice('error', 'the configuration file is gone: the one before stays in force', { file, reason }),
    onReturn: () => telemetry.notice('info', 'the configuration file is there again, as it was', { file }),
  });
}

/**
 * npm and the launcher pass on a signal that the whole process group was sent already: one word of a person arrives
 * twice, at nearly the same moment.
 */
const ECHO_MS = 500;

type Parts = {
  readonly config: RuntimeConfig;
  readonly url: string;
  readonly watcher: ConfigWatcher | null;
  readonly closeDemo: () => Promise<void> | undefined;
};

function run(gateway: Gateway, { config, url, watcher, closeDemo }: Parts): Running {
  let stoppedAt: number | null = null;
  let end: (code: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  const finish = async (): Promise<void> => {
    watcher?.close();
    await Promise.all([gateway.close(), closeDemo()]);
    end(0);
  };
  return {
    ok: true,
    url,
    config,
    ended,
    stop(isHasty) {
      const now = gateway.clock.now();
      if (stoppedAt !== null && now < stoppedAt + ECHO_MS) return null;
      if (stoppedAt !== null) {
        gateway.telemetry.notice('warn', 'ended at once by a second signal');
        gateway.server.destroy();
        end(1);
        return null;
      }
      stoppedAt = now;
      const { drainMs } = gateway.config().server;
      const inFlight = gateway.server.inFlight();
      void drainGateway(gateway, { drainMs, isHasty }).then(finish);
      return inFlight > 0 ? { inFlight, drainMs } : null;
    },
    reload: () => watcher?.reload(),
    reportFault: (error) =>
      gateway.telemetry.notice('error', 'a fault of the gateway that belongs to no request', {
        ...describeFault(error),
      }),
  };
}
