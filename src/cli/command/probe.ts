import type { Env } from '../../app/configuration.ts';
import { probeOffline } from '../../app/probe-offline.ts';
import { systemNow, systemTicks } from '../../app/system-time.ts';
import type { ReadinessReport } from '../../core/readiness/report.ts';
import type { ManagementEvent } from '../../management/types.ts';
import { ownCommand } from '../command-name.ts';
import { CommandError, EXIT, type ExitCode } from '../exit-code.ts';
import { findGateway } from '../find-gateway.ts';
import { askGateway } from '../gateway-client.ts';
import { createLiveBlock } from '../live-block.ts';
import { openOrEnd } from '../open-configuration.ts';
import { followProgress, NOTHING_YET, renderProgress } from '../probe-progress.ts';
import { proseOut } from '../prose.ts';
import { canServe, renderReadiness } from '../readiness-lines.ts';
import type { Terminal } from '../terminal.ts';
import { readVersion } from '../version.ts';

export type ProbeOptions = {
  readonly json?: boolean;
  readonly model?: readonly string[];
  readonly offline?: boolean;
  readonly all?: boolean;
  readonly url?: string;
  readonly config?: string;
};

/** A report, and who has asked: the address of a gateway, or null for this process. */
type Found = { readonly report: ReadinessReport; readonly gateway: string | null };

type Tell = (event: ManagementEvent) => void;

/** Asks the routes of the models who can serve: has a running gateway do it, or does it here. */
export async function probe(terminal: Terminal, env: Env, options: ProbeOptions): Promise<ExitCode> {
  const stage = createStage(terminal, options.json ?? false);
  let found: Found;
  try {
    found =
      (options.offline ? null : await probeOnline(env, options, stage.tell)) ??
      (await probeHere(env, options, stage.tell));
  } finally {
    stage.end();
  }
  if (options.json) terminal.out(JSON.stringify(found.report, null, 2));
  else {
    terminal.out(proseOut(terminal, terminal.paint('dim', tellWho(found, options))));
    terminal.out(`\n${renderReadiness(terminal, found.report, systemNow(), options.all ?? false)}`);
  }
  return found.report.models.every(canServe) ? EXIT.fine : EXIT.noCapacity;
}

function tellWho({ gateway }: Found, { offline }: ProbeOptions): string {
  if (gateway !== null) return `asked by the gateway at ${gateway}`;
  return offline ? 'asked by this process' : 'asked by this process: no gateway runs where the configuration says';
}

const sentOf = ({ model }: ProbeOptions): Uint8Array =>
  new TextEncoder().encode(JSON.stringify(model === undefined ? {} : { models: model }));

/** Null: nobody answers where the configuration says; an address that was named has to answer. */
async function probeOnline(env: Env, options: ProbeOptions, tell: Tell): Promise<Found | null> {
  const gateway = findGateway(options, env);
  let hasBegun = false;
  try {
    const last = await askGateway(gateway, '/readiness/probe', {
      sent: sentOf(options),
      onMissing: `See which there are: ${ownCommand()} models.`,
      onEvent: (event) => {
        hasBegun = true;
        tell(event as ManagementEvent);
      },
    });
    return { report: (last as { readonly report: ReadinessReport }).report, gateway: gateway.url };
  } catch (error) {
    const isSilent = error instanceof CommandError && error.exitCode === EXIT.unreachable;
    if (isSilent && !hasBegun && !gateway.isNamed) return null;
    throw error;
  }
}

async function probeHere(env: Env, options: ProbeOptions, tell: Tell): Promise<Found> {
  const configuration = openOrEnd(options, env, EXIT.configuration);
  const probed = await probeOffline(configuration, { version: readVersion(), sent: sentOf(options), tell });
  if (probed.ok) return { report: probed.report, gateway: null };
  throw new CommandError(EXIT[probed.kind === 'configuration' ? 'configuration' : 'checkFailed'], probed.message);
}

const TICK_MS = 120;

/** Shows what goes on, until the end. */
function createStage(terminal: Terminal, isJson: boolean): { readonly tell: Tell; readonly end: () => void } {
  const block = createLiveBlock(terminal);
  const startedAt = systemNow();
  let view = NOTHING_YET;
  let tick = 0;
  const draw = (): void => {
    if (view.models.length > 0)
      block.show(renderProgress(terminal, view, { elapsedMs: systemNow() - startedAt, tick }));
  };
  const isSilent = isJson || !terminal.isInteractive;
  const stop = isSilent
    ? () => {}
    : systemTicks(TICK_MS, () => {
        tick += 1;
        draw();
      });
  return {
    tell(event) {
      view = followProgress(view, event);
      if (!isSilent) draw();
    },
    end() {
      stop();
      block.clear();
    },
  };
}
