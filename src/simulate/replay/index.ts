export type { RecordedAttempt, RecordedRequest } from './recorded.ts';
export { type Replaying, replayRequests } from './replay-requests.ts';
export type { ReplayChanges, ReplayExample, ReplayReport } from './report.ts';
