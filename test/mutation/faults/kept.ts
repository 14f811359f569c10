import type { Mutant } from '../types.ts';

const STORE = 'engine/response-store.ts';
const SOCKET = 'test/e2e/responses-socket.test.ts';

/** What is kept of responses, who goes on from it, and WebSockets, on which it lives. */
export const keptFaults: readonly Mutant[] = [
  {
    name: 'kept: a response is for anybody',
    file: STORE,
    from: 'if (entry === undefined || entry.owner.key !== owner.key) return null;',
    to: 'if (entry === undefined) return null;',
    tests: ['src/engine/response-store.test.ts'],
  },
  {
    name: 'kept: what is shared is counted for each',
    file: STORE,
    from: '        if (count > 0) return;\n',
    to: '',
    tests: ['src/engine/response-store.test.ts'],
  },
  {
    name: 'kept: the newest goes first',
    file: STORE,
    from: 'const oldestOf = (names: ReadonlySet<string>): string => names.values().next().value as string;',
    to: 'const oldestOf = (names: ReadonlySet<string>): string => [...names].at(-1) as string;',
    tests: ['src/engine/response-store.test.ts'],
  },
  {
    name: 'kept: also what is to be stored nowhere',
    file: 'engine/keep-turn.ts',
    from: 'request.isStored !== false && settings.responses?.isOn === true',
    to: 'settings.responses?.isOn === true',
    tests: ['test/e2e/going-on.test.ts', SOCKET],
  },
  {
    name: 'kept: state of another account goes along',
    file: 'engine/history.ts',
    from: 'by !== null && !isHolder(route, by)',
    to: 'by === null',
    tests: ['src/engine/history.test.ts'],
  },
  {
    name: 'kept: an issuer that lost the id is not told what it was',
    file: 'engine/history.ts',
    from: 'isHolder(route, issuer) && !withoutState)',
    to: 'isHolder(route, issuer))',
    tests: ['src/engine/history.test.ts'],
  },
  {
    name: 'kept: the issuer is asked in its turn',
    file: 'core/routing/affinity-state.ts',
    from: "const first = holdersInOrder(plan, issuer).filter(({ use }) => use === 'serve');",
    to: 'const first: readonly Candidate[] = [];',
    tests: ['src/core/routing/affinity-state.test.ts'],
  },
  {
    name: 'kept: a translated answer is asked for at its target',
    file: 'server/serve-follow-up.ts',
    from: 'if (issuer.isOwnId === true) {',
    to: 'if (issuer.isOwnId === null) {',
    tests: ['test/e2e/own-responses.test.ts'],
  },
  {
    name: 'kept: a translated answer is told to a key that may not use its model any more',
    file: 'server/serve-follow-up.ts',
    from: 'if (!mayUse(identity.key, issuer.asked, issuer.model)) return',
    to: 'if (issuer.asked === null) return',
    tests: ['test/e2e/own-responses.test.ts'],
  },
  {
    name: 'kept: nobody remembers who sealed a conversation',
    file: 'engine/make-attempt.ts',
    from: 'planner.keepSeals(candidate.route, running.seals(), ports.clock.now());',
    to: '',
    tests: ['test/e2e/count-tokens.test.ts'],
  },
  {
    name: 'kept: the output of providers that leave it out at the end is lost',
    file: 'protocol/openai-responses/collect.ts',
    from: 'told.length === 0 && items.length > 0 ? doneItems(items) : told',
    to: 'told',
    tests: ['src/protocol/openai-responses/collect.test.ts'],
  },
  {
    name: 'kept: a socket opens to anybody',
    file: 'server/socket/wants-socket.ts',
    from: "isHandshake && enter(visit, 'client').ok",
    to: 'isHandshake',
    tests: [SOCKET],
  },
  {
    name: 'kept: a socket serves whoever had a key once',
    file: 'server/socket/serve-frame.ts',
    from: '    return false;\n',
    to: '    return true;\n',
    tests: [SOCKET],
  },
  {
    name: 'kept: what a client of a socket names is asked of a provider',
    file: 'engine/find-origin.ts',
    from: 'settings.isolatesClients || session !== undefined;',
    to: 'settings.isolatesClients;',
    tests: ['src/engine/find-origin.test.ts'],
  },
  {
    name: 'kept: a socket tells no status',
    file: 'protocol/openai-responses/socket.ts',
    from: '"type":"error","status":${status},',
    to: '"type":"error",',
    tests: ['src/server/socket/socket-downstream.test.ts'],
  },
  {
    name: 'kept: a socket that takes nothing is written to',
    file: 'server/socket/socket-writer.ts',
    from: 'return ws.bufferedAmount > HIGH_WATER;',
    to: 'return ws.bufferedAmount < 0;',
    tests: [SOCKET],
  },
  {
    name: 'kept: a socket outlives its gateway',
    file: 'server/socket/socket-connection.ts',
    from: '    if (!this.#isServing) this.#close(SERVICE_RESTART);\n',
    to: '',
    tests: [SOCKET],
  },
];
