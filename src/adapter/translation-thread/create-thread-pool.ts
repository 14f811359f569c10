import type { CanonicalRequest } from '../../core/model/request.ts';
import type { PooledRequest, TranslationPool } from '../../port/translation-pool.ts';
import { createJobLine, type JobLine, type JobLineOptions, troubled } from './job-line.ts';
import type { TranslationAnswer, TranslationAsk } from './messages.ts';

export type ThreadPoolOptions = Pick<JobLineOptions, 'clock' | 'start'> & Partial<JobLineOptions>;

/**
 * A tree may take twenty times the room of its text, and a parser that is out of memory may take the whole process with
 * its thread: so no more is kept than one of the largest bodies, which the thread must have room for anyhow.
 */
const LIMITS = { maxWaiting: 128, maxKept: 32 * 1024 * 1024, mostMs: 30_000 };

/** What a request takes there: its copy, and a tree that takes more room than its text. */
const WEIGHT = 5;

/**
 * One thread for all: it starts with the first ask, answers one after the other, and starts again behind its death, which
 * only the ask that it was at has to pay for.
 */
export function createThreadPool(options: ThreadPoolOptions): TranslationPool {
  const line = createJobLine({ ...LIMITS, ...options });
  const open = new Set<PooledRequest>();
  let isClosed = false;
  let ids = 0;
  return {
    open(request) {
      ids += 1;
      const pooled = poolRequest(ids, request, { line, isOpen: !isClosed, onClose: () => open.delete(pooled) });
      if (!isClosed) open.add(pooled);
      return pooled;
    },
    async close() {
      isClosed = true;
      for (const each of open) each.close();
      await line.close();
    },
  };
}

type Belonging = { readonly line: JobLine; readonly isOpen: boolean; readonly onClose: () => void };

function poolRequest(id: number, request: CanonicalRequest, { line, onClose, ...first }: Belonging): PooledRequest {
  let { isOpen } = first;
  /** Of asks without an answer. */
  const pending = new Set<(answer: TranslationAnswer) => void>();
  const ask = <T>(what: TranslationAsk): Promise<T> =>
    new Promise((resolve) => {
      const settle = (answer: TranslationAnswer): void => {
        if (pending.delete(settle)) resolve(answer as T);
      };
      pending.add(settle);
      if (isOpen) line.enter({ id, request, ask: what, settle });
      else settle(troubled('closed'));
    });
  return {
    findLacks: (to) => ask({ what: 'lacks', to }),
    write: (to, egress) => ask({ what: 'write', to, egress }),
    estimate: () => ask({ what: 'estimate' }),
    get heldBytes() {
      return isOpen ? request.original.length * WEIGHT : 0;
    },
    close() {
      isOpen = false;
      onClose();
      line.leave(id);
      for (const settle of pending) settle(troubled('closed'));
    },
  };
}
