import { type ConfigProblem, tellProblems } from '../config/problem.ts';
import type { ReadinessReport } from '../core/readiness/report.ts';
import { answerProbe, type ManagementEvent } from '../management/index.ts';
import type { Configuration } from './configuration.ts';
import { createDemoLoader } from './load-with-demo.ts';
import { NOTHING_FOUND } from './nothing-found.ts';
import { wireGateway } from './wire.ts';

export type ProbedOffline =
  | { readonly ok: true; readonly report: ReadinessReport }
  | {
      readonly ok: false;
      /** `configuration`: there is none, or it is not valid; `request`: it has no such model. */
      readonly kind: 'configuration' | 'request';
      readonly message: string;
    };

type Asked = {
  readonly version: string;
  /** The body of `POST /readiness/probe`. */
  readonly sent: Uint8Array;
  readonly tell: (event: ManagementEvent) => void;
};

/**
 * A round as a gateway would run it that has just started with this configuration. No port is opened and nothing is
 * recorded: its ledger and its health are in memory, so a gateway that runs on the same state directory is not in the way.
 * Where nothing is configured nobody is asked: that the demo answers would say nothing of anybody's providers.
 */
export async function probeOffline(configuration: Configuration, asked: Asked): Promise<ProbedOffline> {
  const { version, sent: body, tell } = asked;
  if (configuration.source.kind === 'demo') return { ok: false, kind: 'configuration', message: NOTHING_FOUND };
  const demo = createDemoLoader(configuration);
  try {
    const loaded = await demo.load(configuration.text);
    if (!loaded.ok) return invalid(configuration, loaded.problems);
    const config = { ...loaded.config, store: { ...loaded.config.store, kind: 'memory' as const } };
    const gateway = wireGateway(config, { version, log: { level: 'silent' } });
    try {
      const answer = await answerProbe([], { body, config, tell }, { prober: gateway.prober });
      if (answer.ok) return { ok: true, report: answer.body as ReadinessReport };
      return { ok: false, kind: 'request', message: answer.problem.message };
    } finally {
      await gateway.close();
    }
  } finally {
    await demo.close();
  }
}

const invalid = ({ source }: Configuration, problems: readonly ConfigProblem[]): ProbedOffline => ({
  ok: false,
  kind: 'configuration',
  message: tellProblems(problems, source.kind === 'file' ? source.file.file : null),
});
