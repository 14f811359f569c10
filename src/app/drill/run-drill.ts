import type { RequestView } from '../../management/contract.ts';
import {
  DRILL_FAULTS,
  DRILL_PROTOCOLS,
  isAsExpected,
  judgeAnswer,
  pathTo,
  type Seen,
  type Shape,
} from '../../simulate/drill/index.ts';
import { playAnswer } from './play-answer.ts';
import { type DrillCell, isSpoken, type Stage, setStage } from './stage.ts';

export type { DrillCell } from './stage.ts';

export type DrillResult = {
  readonly protocol: string;
  readonly fault: string;
  readonly shape: Shape;
  readonly expected: 'whole' | 'error';
  readonly seen: Seen;
  readonly ok: boolean;
  /** Behind some output. */
  readonly had_output: boolean;
  readonly status: number | null;
  /** Code or type of the error that the client was told. */
  readonly error: string | null;
  readonly served_by: 'lead' | 'backup' | null;
  /** How each attempt ended. */
  readonly attempts: readonly string[];
  /** What the failover took before the attempt that served was begun; null where none served. */
  readonly added_ms: number | null;
};

export type DrillOptions = {
  readonly version: string;
  readonly onStart?: (index: number) => void;
  readonly onResult?: (index: number, result: DrillResult) => void;
};

const AT_ONCE = 4;
const ANSWER_LIMIT_MS = 20_000;
const RECORD_LIMIT_MS = 2000;
const RECORD_EVERY_MS = 10;

/** All that can be played: each fault in each protocol that the gateway speaks, as a stream and as JSON. */
export function listDrills(): readonly DrillCell[] {
  const shapes: readonly Shape[] = ['stream', 'json'];
  return DRILL_PROTOCOLS.filter((protocol) => isSpoken(protocol)).flatMap((protocol) =>
    DRILL_FAULTS.flatMap((fault) => shapes.map((shape) => ({ protocol, fault, shape }))),
  );
}

/** Breaks fake providers in every way of `cells` and looks at what a client sees. Results stand in the cells' order. */
export async function runDrill(cells: readonly DrillCell[], options: DrillOptions): Promise<readonly DrillResult[]> {
  const stage = await setStage(cells, options.version);
  const results: DrillResult[] = [];
  let next = 0;
  const playOn = async (): Promise<void> => {
    for (let index = next++; index < cells.length; index = next++) {
      const cell = cells[index];
      if (cell === undefined) return;
      options.onStart?.(index);
      const result = await play(stage, cell, index);
      results[index] = result;
      options.onResult?.(index, result);
    }
  };
  try {
    await warmUp(stage, cells);
    await Promise.all(Array.from({ length: AT_ONCE }, playOn));
    return results;
  } finally {
    await stage.close();
  }
}

/** What a process does for the first time takes longer, and is no cost of a failover. */
async function warmUp(stage: Stage, cells: readonly DrillCell[]): Promise<void> {
  for (const protocol of new Set(cells.map((cell) => cell.protocol))) {
    const model = stage.sound(protocol);
    const path = pathTo(protocol, model, false);
    const body = protocol.body(model, false);
    await playAnswer(stage.origin, { ...protocol, path, method: 'POST', body }, ANSWER_LIMIT_MS);
  }
}

async function play(stage: Stage, { protocol, fault, shape }: DrillCell, index: number): Promise<DrillResult> {
  const model = stage.model(index);
  const isStream = shape === 'stream';
  const asked = {
    method: 'POST' as const,
    path: pathTo(protocol, model, isStream),
    headers: protocol.headers,
    body: protocol.body(model, isStream),
  };
  const answer = await playAnswer(stage.origin, asked, ANSWER_LIMIT_MS);
  const { seen, error, hasOutput } = judgeAnswer(protocol, answer);
  const record = await readRecord(stage, answer.requestId);
  const served = record?.served_by ?? answer.servedBy;
  const serving = record?.attempts.at(-1);
  return {
    protocol: protocol.protocol,
    fault: fault.name,
    shape,
    expected: fault.expect[shape],
    seen,
    ok: isAsExpected(seen, fault.expect[shape]),
    had_output: hasOutput,
    status: answer.status,
    error,
    served_by: served === null ? null : served.startsWith('backup') ? 'backup' : 'lead',
    attempts: record?.attempts.map((attempt) => attempt.outcome ?? 'running') ?? [],
    added_ms: served === null ? null : (serving?.started_ms ?? null),
  };
}

/** The record of a request, once it is closed. */
async function readRecord({ origin }: Stage, id: string | null): Promise<RequestView | null> {
  if (id === null) return null;
  const endsAt = performance.now() + RECORD_LIMIT_MS;
  for (;;) {
    const { status, body } = await playAnswer(
      origin,
      { method: 'GET', path: `/api/v1/requests/${id}` },
      RECORD_LIMIT_MS,
    );
    const record = status === 200 ? (JSON.parse(body) as RequestView) : null;
    if (record?.outcome != null || performance.now() > endsAt) return record;
    await new Promise((resolve) => setTimeout(resolve, RECORD_EVERY_MS));
  }
}
