import { type Audit, createAudit } from './audit-ledger.ts';
import { checkAnswer } from './check-answer.ts';
import type { Send } from './draw-plan.ts';
import { stageOf } from './faults.ts';
import type { Asked, Seen } from './seen.ts';
import type { Providers } from './start-soaked.ts';
import { countProblem, countSend, type Tally } from './tally.ts';

/** A request that is over for its client. */
type Over = { readonly asked: Asked; readonly seen: Seen; readonly at: number };

/** Brings together what the clients saw, what the providers were sent and what the ledger says. */
export type Books = {
  send(send: Send): void;
  over(asked: Asked, seen: Seen): void;
  /** Checks what is over and whose sends are all known. `isLast`: everything. */
  turn(providers: Pick<Providers, 'sync'>, isLast?: boolean): Promise<void>;
  /** Looks at the records of what has begun by this moment (epoch ms). */
  audit(before: number): void;
  /** What is left over at the very end. */
  close(): { readonly totals: Audit['totals']; readonly unarrived: number };
};

/** A client that leaves may have a send that has yet to arrive: on a busy machine, late. */
const LEAVING_MS = 60_000;

export function keepBooks(stateDir: string, tally: Tally): Books {
  const audit = createAudit(stateDir, (tag, problem) => countProblem(tally, tag, problem));
  const sends = new Map<string, Send[]>();
  let waiting: Over[] = [];
  let done: string[] = [];
  const check = ({ asked, seen }: Over): void => {
    const own = sends.get(asked.tag) ?? [];
    sends.delete(asked.tag);
    done.push(asked.tag);
    const { result, problems } = checkAnswer(asked, seen, own);
    tally.requests += 1;
    tally.results[result] += 1;
    if (result === 'whole' && own.some(({ plan }) => stageOf(plan.fault) !== 'whole')) tally.rescued += 1;
    for (const problem of problems) countProblem(tally, asked.tag, problem, describe(asked, seen, own));
    const { status, requestId, end } = seen;
    audit.settle({ asked, seen: { status, requestId, end }, sends: own, result });
  };
  return {
    send(send) {
      const own = sends.get(send.tag);
      if (own === undefined) sends.set(send.tag, [send]);
      else own.push(send);
      countSend(tally, send);
    },
    over: (asked, seen) => void waiting.push({ asked, seen, at: Date.now() }),
    async turn(providers, isLast = false) {
      const latest = Date.now() - LEAVING_MS;
      const isDue = ({ seen, at }: Over): boolean => isLast || seen.end !== 'left' || at < latest;
      const batch = waiting.filter(isDue);
      waiting = waiting.filter((over) => !isDue(over));
      const gone = done;
      done = [];
      await providers.sync(gone);
      for (const over of batch) check(over);
    },
    audit: (before) => audit.advance(before),
    close() {
      for (const [tag, late] of sends) {
        countProblem(tally, tag, { kind: 'sends_differ', text: `${late.length} sends behind the end of the request` });
      }
      const { unarrived } = audit.finish();
      audit.close();
      return { totals: audit.totals, unarrived };
    },
  };
}

/** All that is known of a request with a fault. */
function describe(asked: Asked, { answer, ...seen }: Seen, sends: readonly Send[]): string {
  const { text, marks, ...rest } = answer;
  const told = sends.map(({ target, n, plan }) => `${target}.${n}: ${plan.fault ?? 'whole'}`);
  return JSON.stringify({ asked, sends: told, seen, answer: { ...rest, chars: text.length, marks: [...marks] } });
}
