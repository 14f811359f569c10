export type { ExplanationView, PlanAnswer, RequestList, RequestView, ScopeList, ScopeView } from './contract.ts';
export { createManagement, type Management, type ManagementAnswer, type ManagementRequest } from './management.ts';
export type { Planning, Simulation } from './types.ts';
