import { didYouMean } from '../../config/nearest.ts';
import { listNames, resolveModel } from '../../config/resolve.ts';
import type { RuntimeConfig } from '../../config/runtime.ts';
import type { RunCourse } from '../../core/readiness/run-verdict.ts';
import { type Running, startGateway } from '../lifecycle.ts';
import { secretsOf } from '../secret-memory.ts';
import { childEnvironment } from './child-environment.ts';
import { oneTimeKey } from './one-time-key.ts';
import { openPrivate } from './open-private.ts';
import { runChild } from './run-child.ts';
import type { Run } from './types.ts';
import { explainUnready, explainWait, waitReady } from './wait-ready.ts';

/** From the configuration to the end of the command, or to what stands in its way. */
export async function takeCourse(run: Run): Promise<RunCourse> {
  const { options, recorder, seen, signals } = run;
  const given = { key: oneTimeKey('usk-run'), adminToken: oneTimeKey('usa-run') };
  const opened = openPrivate(run, given);
  if (!opened.ok) return { type: 'refused', component: 'configuration', why: opened.why };
  const chosen = chooseModel(opened.config, options.model);
  if (!chosen.ok) return { type: 'refused', component: 'configuration', why: chosen.why };
  seen.model = chosen.name;
  const running = await startGateway(opened.configuration, {
    version: options.version,
    log: { level: 'silent' },
    listener: recorder.telemetry,
    onEvent: (event) => recorder.onEvent(event),
  });
  if (!running.ok) return { type: 'refused', component: 'gateway', why: running.message };
  seen.running = running;
  const unready = await awaitRoutes(run, running, chosen.served);
  const signal = signals.first();
  if (signal !== null) return { type: 'stopped', signal };
  if (unready !== null) return { type: 'not_ready', ...unready };
  const env = childEnvironment(options.env, {
    url: running.url,
    key: given.key,
    model: chosen.name,
    secrets: secretsOf(opened.config),
    keepsKeys: options.keepsKeys,
  });
  seen.started = true;
  const end = await runChild(options.command, env, signals);
  seen.started = end.type === 'ended';
  return end;
}

type Chosen =
  /** The name for the command, and the virtual model behind it. */
  | { readonly ok: true; readonly name: string | null; readonly served: string | null }
  | { readonly ok: false; readonly why: string };

function chooseModel(config: RuntimeConfig, asked: string | undefined): Chosen {
  const [first = null] = config.models.keys();
  if (asked === undefined) return { ok: true, name: first, served: first };
  const model = resolveModel(config, asked);
  if (model === undefined) {
    const hint = didYouMean(asked, listNames(config)) ?? `there are ${listNames(config).join(', ')}`;
    return { ok: false, why: `--model ${asked}: the configuration has no such model: ${hint}` };
  }
  return { ok: true, name: asked, served: config.models.has(model.name) ? model.name : null };
}

type Unready = { readonly why: string; readonly misconfigured: boolean };

/** Null: the command may start. */
async function awaitRoutes(run: Run, { gateway }: Running, model: string | null): Promise<Unready | null> {
  const { options, clock, seen, signals } = run;
  const { minReady: min, readyTimeoutMs: timeoutMs } = options;
  const { prober } = gateway;
  if (model === null || min === 0 || gateway.config().readiness.probe.mode === 'off') return null;
  const end = await waitReady({
    prober,
    clock,
    model,
    min,
    timeoutMs,
    isStopped: () => signals.first() !== null,
    onRound: (report) => run.keepReport(report),
    onLong: (report, ready) => run.say(explainWait(report, model, ready, min)),
  });
  seen.readiness = { model, wanted: min, ready: end.ready, waited_ms: end.waitedMs };
  const report = prober.report();
  // The round may be over already, or go on beside the command: then what it knows in the end takes this one's place.
  run.keepReport(report);
  return end.end === 'ready' ? null : explainUnready(report, model, end, min);
}
