import type { ReportedStage } from './report.ts';
import type { Round } from './round.ts';

/** The stretches of a round as one of its models saw them, without the one that is on. */
export function reportStages(round: Round, model: string): readonly ReportedStage[] {
  const own = round.candidates.filter((candidate) => candidate.models.includes(model));
  const isMet = (round.ready[model] ?? 0) >= round.settings.targetReady;
  return round.stages.flatMap(({ stage, startedAt, endedAt, end }, place) => {
    if (endedAt === null || end === null) return [];
    const isLast = place === round.stages.length - 1;
    const asked = own.filter(({ pass }) => pass === stage);
    const probes = asked.reduce((sum, { attempts }) => sum + attempts, 0);
    return [{ stage, ms: Math.round(endedAt - startedAt), probes, end: isLast && isMet ? 'target_ready' : end }];
  });
}
