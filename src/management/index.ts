export type { ExplanationView, RequestList, RequestView, ScopeList, ScopeView } from './contract.ts';
export { createManagement, type Management, type ManagementAnswer, type ManagementRequest } from './management.ts';
