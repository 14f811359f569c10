export { createEventMaker } from './create-event-maker.ts';
export { draftChange } from './draft-change.ts';
export {
  draftAttemptEnd,
  draftAttemptStart,
  draftConfigChange,
  draftDiscoveryFailure,
  draftProbe,
  draftRequestEnd,
  type EventDraft,
} from './drafts.ts';
export { type MadeEvent, makeEvent, readEvent, type TelemetryEvent, writeEvent } from './event.ts';
export type { IsOurs } from './field.ts';
export type { NameKind } from './names.ts';
export { createSanitizer, type Sanitizer } from './sanitizer.ts';
export { EVENT_NAMES, EVENTS, type EventName } from './schema.ts';
export { createLineSplitter } from './split-lines.ts';
