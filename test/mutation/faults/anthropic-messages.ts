import type { Mutant } from '../types.ts';

/** Messages. */
export const anthropicMessagesFaults: readonly Mutant[] = [
  {
    name: 'protocol: a block that stopped is open',
    file: 'protocol/anthropic-messages/inspect.ts',
    from: '  state.open.splice(state.open.lastIndexOf(block), 1);\n',
    to: '',
    tests: ['src/protocol/anthropic-messages/stream-decode.test.ts'],
  },
  {
    name: 'protocol: a second answer goes on in the first',
    file: 'protocol/anthropic-messages/inspect.ts',
    from: "state.hasContent ? [{ type: 'cut', reason: 'a second answer began inside the first' }] : null",
    to: 'null',
    tests: ['src/protocol/anthropic-messages/stream-decode.test.ts'],
  },
  {
    name: 'protocol: the last stop reason stands',
    file: 'protocol/anthropic-messages/inspect.ts',
    from: "else if (typeof word === 'string' && state.finish === null) {",
    to: "else if (typeof word === 'string') {",
    tests: ['src/protocol/anthropic-messages/stream-decode.test.ts'],
  },
  {
    name: 'protocol: a tool id that was there is kept',
    file: 'protocol/anthropic-messages/inspect.ts',
    from: 'given !== null && !state.toolIds.has(given)',
    to: 'given !== null',
    tests: ['src/protocol/anthropic-messages/stream-decode.test.ts'],
  },
  {
    name: 'protocol: cached tokens are no input',
    file: 'protocol/anthropic-messages/usage.ts',
    from: 'input + (cacheRead ?? 0) + (cacheWrite ?? 0),',
    to: 'input,',
    tests: ['src/protocol/anthropic-messages/stream-decode.test.ts'],
  },
  {
    name: 'protocol: a placeholder of 0 overwrites the prompt',
    file: 'protocol/anthropic-messages/usage.ts',
    from: 'const prompt = isPrompt(told) || before.input === null ? told : NO_USAGE;',
    to: 'const prompt = told;',
    tests: ['src/protocol/anthropic-messages/stream-decode.test.ts'],
  },
  {
    name: 'protocol: an overload has no 529',
    file: 'protocol/anthropic-messages/error.ts',
    from: 'CATALOGUE[error.code].overload ? OVERLOADED : error.status',
    to: 'error.status',
    tests: ['src/protocol/anthropic-messages/error.test.ts'],
  },
  {
    name: 'protocol: an empty object is left behind',
    file: 'protocol/anthropic-messages/optional-fields.ts',
    from: 'inner === undefined || isAlone(index, member)',
    to: 'inner === undefined',
    tests: ['src/protocol/anthropic-messages/optional-fields.test.ts'],
  },
  {
    name: 'protocol: the whole field goes for one member of it',
    file: 'protocol/anthropic-messages/optional-fields.ts',
    from: 'if (inner === undefined || isAlone',
    to: 'if (inner !== null || isAlone',
    tests: ['src/protocol/anthropic-messages/optional-fields.test.ts'],
  },
  {
    name: 'protocol: all flags stay though all are refused',
    file: 'protocol/anthropic-messages/betas.ts',
    from: '!leaveOut.includes(ALL_BETAS) && ',
    to: '',
    tests: ['src/protocol/anthropic-messages/betas.test.ts'],
  },
  {
    name: 'protocol: a turn goes with one thought of it',
    file: 'protocol/anthropic-messages/request-encode.ts',
    from: 'foreign.length === blocks.length && messages.length > 1',
    to: 'messages.length > 1',
    tests: ['src/protocol/anthropic-messages/request.test.ts'],
  },
];
