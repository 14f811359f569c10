import type { Limiter } from './limiter.ts';
import type { PlannerPool } from './planner.ts';
import type { ResponseStore } from './response-store.ts';

/** What all requests of one engine share. */
export type EngineShared = {
  readonly limiter: Limiter;
  readonly planners: PlannerPool;
  readonly responses: ResponseStore;
};
