import { encodeUtf8 } from '../json/index.ts';

export { frameOf, leftOut } from '../shared/frame.ts';

/** An event of our own. `json` is one line. */
export const eventText = (type: string, json: string): string => `event: ${type}\ndata: ${json}\n\n`;

export const eventBytes = (type: string, json: string): Uint8Array => encodeUtf8(eventText(type, json));

export const eventFrame = (value: Readonly<Record<string, unknown>> & { readonly type: string }): Uint8Array =>
  eventBytes(value.type, JSON.stringify(value));

export const MESSAGE_STOP: Uint8Array = eventFrame({ type: 'message_stop' });

/** The event that says how the answer ended. Client libraries read its usage without looking whether it is there. */
export const stopReasonFrame = (stopReason: string, outputTokens: number): Uint8Array =>
  eventFrame({
    type: 'message_delta',
    delta: { stop_reason: stopReason, stop_sequence: null },
    usage: { output_tokens: outputTokens },
  });
