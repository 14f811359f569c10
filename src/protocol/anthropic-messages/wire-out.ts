import type { AnswerEvent } from '../../core/model/answer.ts';
import type { JsonObject } from '../../core/model/json-value.ts';

/** An event of the wire, as it is written. */
export type WireOut = JsonObject & { readonly type: string };

/** What happens within a block. */
export type BlockEvent = Extract<AnswerEvent, { readonly type: 'delta' | 'citation' | 'state' }>;
