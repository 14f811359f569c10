import type { Mutant } from '../types.ts';

/** Responses. */
export const openaiResponsesFaults: readonly Mutant[] = [
  {
    name: 'protocol: a call that is whole is open',
    file: 'protocol/openai-responses/inspect.ts',
    from: '  state.openCalls.delete(place);\n',
    to: '',
    tests: ['src/protocol/openai-responses/doubt.test.ts'],
  },
  {
    name: 'protocol: calls in the last event are overlooked',
    file: 'protocol/openai-responses/inspect.ts',
    from: '  if (items.some((item) => isObject<WireItem>(item) && isClientCall(item))) state.hasCalls = true;\n',
    to: '',
    tests: ['src/protocol/openai-responses/stream-decode.test.ts'],
  },
  {
    name: 'protocol: a failed tool is a failed answer',
    file: 'protocol/openai-responses/inspect.ts',
    from: ' || OF_A_CALL.test(type)) return null;',
    to: ') return null;',
    tests: ['src/protocol/openai-responses/stream-decode.test.ts'],
  },
  {
    name: 'protocol: an incomplete response is complete by its name',
    file: 'protocol/openai-responses/finish.ts',
    from: "(told === 'failed' || told === 'incomplete' || told === 'cancelled')",
    to: "(told === 'failed' || told === 'cancelled')",
    tests: ['src/protocol/openai-responses/stream-decode.test.ts'],
  },
  {
    name: 'protocol: every incomplete response is an answer',
    file: 'protocol/openai-responses/finish.ts',
    from: "if (reason !== undefined) return { type: 'finish', reason, raw };",
    to: "if (raw !== null) return { type: 'finish', reason: reason ?? 'length', raw };",
    tests: ['src/protocol/openai-responses/stream-decode.test.ts'],
  },
  {
    name: 'protocol: an error has the number of the event before it',
    file: 'protocol/openai-responses/error.ts',
    from: 'sequence === null ? 0 : sequence + 1',
    to: 'sequence ?? 0',
    tests: ['src/protocol/openai-responses/error.test.ts'],
  },
  {
    name: 'protocol: a known wait is hidden in a stream',
    file: 'protocol/openai-responses/error.ts',
    from: ' && error.retryAfterMs === null && inManner',
    to: ' && inManner',
    tests: ['src/protocol/openai-responses/error.test.ts'],
  },
  {
    name: 'protocol: a hole in the numbers proves nothing missing',
    file: 'protocol/openai-responses/doubt.ts',
    from: 'sequence === this.#after + 1',
    to: 'sequence > this.#after',
    tests: ['src/protocol/openai-responses/doubt.test.ts'],
  },
  {
    name: 'protocol: a text that does not add up is proof',
    file: 'protocol/openai-responses/doubt.ts',
    from: "sums.matches(snapshot.key, snapshot.text) ? 'proved' : 'refuted'",
    to: "'proved'",
    tests: ['src/protocol/openai-responses/doubt.test.ts'],
  },
  {
    name: 'protocol: a reference loses its id',
    file: 'protocol/openai-responses/state.ts',
    from: "  'item_reference',\n",
    to: '',
    tests: ['src/protocol/openai-responses/request.test.ts'],
  },
  {
    name: 'protocol: a container that lasts has no effects',
    file: 'protocol/openai-responses/effects.ts',
    from: "return !isFresh || policy !== 'disabled';",
    to: "return policy !== 'disabled';",
    tests: ['src/protocol/openai-responses/request.test.ts'],
  },
  {
    name: 'protocol: an id of dots climbs the path',
    file: 'protocol/openai-responses/follow-up.ts',
    from: ' && !/^\\.+$/.test(id)',
    to: '',
    tests: ['src/protocol/openai-responses/follow-up.test.ts'],
  },
];
