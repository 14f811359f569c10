import { createHash } from 'node:crypto';
import type { Run } from '../../src/simulate/world/run.ts';

/** Where a fault was thrown: in paths of this machine. */
const STACK = /"at":"(?:[^"\\]|\\.)*"/g;

/**
 * All that can be seen of a run, one line for each thing, in an order that a second run has too, on any machine. Moments
 * count from its begin.
 */
export function* traceOf(run: Run): Iterable<string> {
  const since = (at: number | null): string => (at === null ? '-' : String(at - run.startedAt));
  for (const send of run.sends) {
    const { n, at, request, attempt, route, headAt, abortedAt, endedAt, delivered, behaviour } = send;
    yield `send ${n} ${since(at)} ${request} ${attempt} ${route.id} head ${since(headAt)} cut ${since(abortedAt)} over ${since(endedAt)} bytes ${delivered} does ${JSON.stringify(behaviour)}`;
  }
  for (const { id, at, client, facts, servedAt } of run.requests) {
    yield `request ${id} ${since(at)} served ${since(servedAt)} ${client.status ?? '-'} ${client.ending ?? '-'} ${JSON.stringify(client.headers)}`;
    for (const { fact } of facts) yield `  fact ${JSON.stringify(fact)}`;
    for (const { at: writtenAt, bytes } of client.writes)
      yield `  write ${since(writtenAt)} ${JSON.stringify(Buffer.from(bytes).toString('latin1'))}`;
  }
  for (const { at, ...change } of run.healthChanges) yield `health ${since(at)} ${JSON.stringify(change)}`;
  for (const notice of run.notices) yield `notice ${notice.replaceAll(STACK, '"at":""')}`;
  yield `quiet ${since(run.quietAt)} steps ${run.steps} peaks ${JSON.stringify(run.peaks)}`;
}

export function hashOf(run: Run): string {
  const hash = createHash('sha256');
  for (const line of traceOf(run)) hash.update(line).update('\n');
  return hash.digest('hex');
}
