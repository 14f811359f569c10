import { StateDirError } from '../adapter/store-sqlite/index.ts';
import { loadOtlpPackages, MISSING } from '../adapter/telemetry-otlp/index.ts';
import { codeOf } from '../config/error-code.ts';
import { type ConfigProblem, renderProblems, tellProblems } from '../config/problem.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import { tellWarning } from '../config/warning.ts';
import { type ConfigWatcher, watchConfig } from '../config/watch.ts';
import { describeFault } from '../core/redact/index.ts';
import type { ConfigEditor } from '../management/index.ts';
import { createConfigFileEditor, NO_CONFIG_FILE } from './config-editor.ts';
import { createConfigVersions } from './config-versions.ts';
import type { Configuration } from './configuration.ts';
import { drainGateway } from './drain.ts';
import { createLateEditor } from './late-editor.ts';
import { createDemoLoader } from './load-with-demo.ts';
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
  readonly gateway: Gateway;
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
  const demo = createDemoLoader(configuration);
  const { load } = demo;
  const first = await load(configuration.text);
  if (!first.ok) return refuseStart(tellProblems(first.problems, fileOf(configuration)));
  const { config } = first;
  const trouble = makeStateDir(config.stateDir);
  if (trouble !== null) return refuseStart(trouble);
  const late = createLateEditor();
  const otlp = config.telemetry.otlp === null ? undefined : await loadOtlpPackages();
  if (otlp === null) return refuseStart(MISSING);
  const wired = wire(config, { ...options, editor: late.editor, ...(otlp === undefined ? {} : { otlp }) });
  if (!wired.ok) return refuseStart(wired.message);
  const { gateway } = wired;
  // Before the port is open: whoever sees that it is there asks at once, and must not take it for a slow provider.
  await gateway.warmUp();
  const listening = await listen(gateway, config);
  if (!listening.ok) {
    await Promise.all([gateway.close(), demo.close()]);
    return refuseStart(listening.message);
  }
  gateway.announce(listening.url);
  gateway.startProbing();
  const watched = watch(configuration, gateway, load);
  if (watched !== null) late.fill(editorOf(configuration, gateway, { load, started: config, ...watched }));
  const watcher = watched?.watcher ?? null;
  return run(gateway, { config: gateway.config(), url: listening.url, watcher, closeDemo: () => demo.close() });
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

type Watched = {
  readonly watcher: ConfigWatcher;
  /** Reads the file and waits until it is in force; false: it was refused. */
  readonly takeNow: () => Promise<boolean>;
};

/** Each change of the file is taken whole or not at all, one after the other. */
function watch(configuration: Configuration, gateway: Gateway, load: Load): Watched | null {
  const file = fileOf(configuration);
  if (file === null) return null;
  const { telemetry, clock } = gateway;
  const started = gateway.config();
  const tellChange = (result: 'in_force' | 'refused'): void => {
    const { models, providers } = gateway.config();
    telemetry.configChanged({ result, models: models.size, providers: providers.size });
  };
  const keep = (problems: readonly ConfigProblem[]): void => {
    tellChange('refused');
    telemetry.notice('error', 'the changed configuration is not valid: the one before stays in force', {
      file,
      problems: renderProblems(problems, file),
    });
  };
  const take = async (text: string): Promise<void> => {
    isTaken = false;
    const result = await load(text);
    if (!result.ok) {
      keep(result.problems);
      return;
    }
    gateway.swap(result.config);
    isTaken = true;
    tellChange('in_force');
    telemetry.notice('info', 'the changed configuration is in force', {
      file,
      models: result.config.models.size,
      needs_restart: needsRestart(started, result.config).join(', ') || null,
    });
    for (const warning of result.config.warnings) telemetry.notice('warn', tellWarning(warning), { file });
  };
  let last = Promise.resolve();
  let isTaken = true;
  const watcher = watchConfig({
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
  const takeNow = async (): Promise<boolean> => {
    watcher.reload();
    await last;
    return isTaken;
  };
  return { watcher, takeNow };
}

type EditorParts = { readonly load: Load; readonly started: RuntimeConfig } & Pick<Watched, 'takeNow'>;

/** Changes the file for the management API. */
function editorOf(
  { source }: Configuration,
  { clock }: Gateway,
  { load, started, takeNow }: EditorParts,
): ConfigEditor {
  if (source.kind !== 'file') return NO_CONFIG_FILE;
  return createConfigFileEditor({
    file: source.file.file,
    format: source.file.format,
    versions: createConfigVersions(started.stateDir),
    now: () => clock.now(),
    load,
    takeNow,
    needsRestart: (next) => needsRestart(started, next),
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
    gateway,
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
