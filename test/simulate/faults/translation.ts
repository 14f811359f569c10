import type { Fault } from './fault.ts';

/** What becomes of requests and answers between two protocols. */
export const translationFaults: readonly Fault[] = [
  {
    name: 'a translated stream has no end, though its provider’s has',
    file: 'protocol/translate/translated-stream.ts',
    from: 'return isLast ? [...read, ...answer.end()] : read;',
    to: 'return read;',
  },
  {
    name: 'a translated stream that is cut behind a tool call looks whole',
    file: 'protocol/translate/translated-stream.ts',
    from: "events.some(({ type }) => type === 'done')",
    to: "events.some(({ type }) => type === 'done' || type === 'tool_end')",
  },
  {
    name: 'the input of a text tool is lost in translation',
    file: 'protocol/translate/shim-answer.ts',
    from: 'text: textIn(text) }]',
    to: "text: '' }]",
  },
  {
    name: 'a translated answer in JSON loses its usage',
    file: 'protocol/translate/translated-codec.ts',
    from: 'return { events: decoded.events, usage, body: written, edits: [],',
    to: 'return { events: decoded.events, usage: null, body: written, edits: [],',
  },
];
