export type { ConfigEdit, ConfigEditAnswer, ConfigEditor, SavedVersion } from './config-editor.ts';
export type { ExplanationView, PlanAnswer, RequestList, RequestView, ScopeList, ScopeView } from './contract.ts';
export { createManagement, type Management, type ManagementAnswer, type ManagementRequest } from './management.ts';
export { answerProbe } from './readiness.ts';
export type { ManagementEvent, Planning, Simulation } from './types.ts';
