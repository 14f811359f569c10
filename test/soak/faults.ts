/**
 * What a fault leaves of its send: `before` nothing that a client may see, `after` the beginning of an answer, `whole` the
 * answer itself, only in an unusual way.
 */
export type Stage = 'before' | 'after' | 'whole';

export type Fault = {
  readonly name: string;
  readonly stage: Stage;
  readonly forms: readonly Form[];
  /** Beside the others. Stalls are rare because each takes seconds. */
  readonly weight: number;
};

export type Form = 'stream' | 'json';

const BOTH: readonly Form[] = ['stream', 'json'];
const STREAM: readonly Form[] = ['stream'];
const JSON_ONLY: readonly Form[] = ['json'];

export const FAULTS = [
  { name: 'rate_limited', stage: 'before', forms: BOTH, weight: 2 },
  { name: 'rate_limited_told', stage: 'before', forms: BOTH, weight: 2 },
  { name: 'error_500', stage: 'before', forms: BOTH, weight: 3 },
  { name: 'html_502', stage: 'before', forms: BOTH, weight: 3 },
  { name: 'error_503', stage: 'before', forms: BOTH, weight: 3 },
  { name: 'overloaded_529', stage: 'before', forms: BOTH, weight: 3 },
  { name: 'bad_key_401', stage: 'before', forms: BOTH, weight: 1 },
  { name: 'reset_before_head', stage: 'before', forms: BOTH, weight: 3 },
  { name: 'no_head', stage: 'before', forms: BOTH, weight: 0.3 },
  { name: 'empty', stage: 'before', forms: BOTH, weight: 3 },
  { name: 'cut_before_output', stage: 'before', forms: STREAM, weight: 3 },
  { name: 'end_before_output', stage: 'before', forms: STREAM, weight: 3 },
  { name: 'error_before_output', stage: 'before', forms: STREAM, weight: 3 },
  { name: 'damaged_before_output', stage: 'before', forms: STREAM, weight: 3 },
  { name: 'stall_before_output', stage: 'before', forms: STREAM, weight: 0.3 },
  { name: 'cut_body', stage: 'before', forms: JSON_ONLY, weight: 3 },
  { name: 'half_body', stage: 'before', forms: JSON_ONLY, weight: 3 },
  { name: 'error_as_200', stage: 'before', forms: JSON_ONLY, weight: 3 },
  { name: 'cut_after_output', stage: 'after', forms: STREAM, weight: 3 },
  { name: 'reset_after_output', stage: 'after', forms: STREAM, weight: 3 },
  { name: 'end_after_output', stage: 'after', forms: STREAM, weight: 3 },
  { name: 'error_after_output', stage: 'after', forms: STREAM, weight: 3 },
  { name: 'damaged_after_output', stage: 'after', forms: STREAM, weight: 3 },
  { name: 'cut_behind_call', stage: 'after', forms: STREAM, weight: 3 },
  { name: 'stall_after_output', stage: 'after', forms: STREAM, weight: 0.3 },
  { name: 'slow', stage: 'whole', forms: STREAM, weight: 2 },
] as const satisfies readonly Fault[];

export type FaultName = (typeof FAULTS)[number]['name'];

const STAGES: ReadonlyMap<string, Stage> = new Map(FAULTS.map(({ name, stage }) => [name, stage]));

/** What a send with this fault gives; without one, the whole answer. */
export const stageOf = (fault: FaultName | null): Stage => (fault === null ? 'whole' : (STAGES.get(fault) ?? 'whole'));
