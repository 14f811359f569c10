import type { Fault } from './fault.ts';

/** What a client gets of an answer. */
export const streamFaults: readonly Fault[] = [
  {
    name: 'an answer without an end is whole',
    file: 'core/stream/transitions.ts',
    from: '    end: INTERRUPTED,',
    to: '    end: COMPLETE,',
  },
  {
    name: 'a stream that is cut behind output is whole',
    file: 'core/stream/transitions.ts',
    from: '    cut: INTERRUPTED,',
    to: '    cut: COMPLETE,',
  },
  {
    name: 'a tool end is given out in front of an error',
    file: 'core/stream/transitions.ts',
    from: '    failure: CUT_OFF,',
    to: "    failure: go('over', 'release_end', 'interrupt'),",
  },
  {
    name: 'a tool end is given out in front of a cut',
    file: 'core/stream/transitions.ts',
    from: '    cut: CUT_OFF,',
    to: "    cut: go('over', 'release_end', 'interrupt'),",
  },
  {
    name: 'an error event before output is given out',
    file: 'core/stream/transitions.ts',
    from: "    failure: FAILED,\n    bound: go('streaming', 'commit'),",
    to: "    failure: COMMITTED,\n    bound: go('streaming', 'commit'),",
  },
  {
    name: 'a preamble commits',
    file: 'core/stream/transitions.ts',
    from: "    preamble: go('undecided', 'hold'),",
    to: '    preamble: COMMITTED,',
  },
  {
    name: 'text does not commit',
    file: 'core/stream/transitions.ts',
    from: '    output: COMMITTED,',
    to: "    output: go('undecided', 'hold'),",
  },
  {
    name: 'frames that waited are given out twice',
    file: 'core/stream/hold-buffer.ts',
    from: '      frames = [];\n',
    to: '',
  },
  {
    name: 'frames that waited are lost',
    file: 'core/stream/hold-buffer.ts',
    from: '      return taken;',
    to: '      return taken.slice(1);',
  },
  {
    name: 'a discarded tool end is given out later',
    file: 'engine/pump-stream.ts',
    from: "else if (effect === 'discard_end') this.#held.take();",
    to: "else if (effect === 'discard_end') this.#giveHeld();",
  },
  {
    name: 'an answer with its end mark waits for the body',
    file: 'engine/pump-stream.ts',
    from: "    if (this.#isWhole) this.#step({ type: 'end', usage: this.#decoder.usage() });\n",
    to: '',
  },
  {
    name: 'a broken stream just ends',
    file: 'engine/answer-client.ts',
    from: 'relay.end(call.codec.encodeStreamError(error, where))',
    to: 'relay.end()',
  },
  {
    name: 'JSON clients get keepalives',
    file: 'engine/request-context.ts',
    from: 'if (keepalive === null || !call.request.stream || relay.isEnded',
    to: 'if (keepalive === null || relay.isEnded',
  },
  {
    name: 'a second head',
    file: 'engine/relay.ts',
    from: 'if (status !== null || isClosed) return;',
    to: 'if (isClosed) return;',
  },
  {
    name: 'of a large read only the first frames are given out',
    file: 'engine/answer-sink.ts',
    from: '      relay.write(concatBytes(frames.map((frame) => frame.bytes)));',
    to: '      relay.write(concatBytes(frames.slice(0, 9).map((frame) => frame.bytes)));',
  },
  {
    name: 'blank bytes in front are lost',
    file: 'engine/run-attempt.ts',
    from: 'for (const piece of this.#blank.splice(0)) this.#push(reader, piece);',
    to: 'this.#push(reader, chunk.subarray(0, chunk.length >> 1));',
  },
  {
    name: 'a provider’s word may hold our key',
    file: 'engine/settle-attempt.ts',
    from: 'reason: clean(failure.reason),',
    to: 'reason: failure.reason,',
  },
  {
    name: 'a failure behind the finish loses the end mark',
    file: 'engine/pump-stream.ts',
    from: "    if (this.#end?.type === 'complete' && !this.#state.isDone) this.#addEnd();\n",
    to: '',
  },
];
