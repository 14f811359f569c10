import { describe, expect, it } from 'vitest';
import { createEngineBench } from '../../../test/kit/engine-bench.ts';
import { VOICED, viewOf } from '../../../test/kit/provider-bench.ts';
import { CODECS } from '../../protocol/index.ts';
import type { Behaviour, Fault, FaultPlace } from '../scenario/scenario.ts';
import { createChance } from '../world/chance.ts';
import { playOf } from './index.ts';

const FAULTS: readonly Fault[] = [
  'close',
  'end',
  'stall',
  'error',
  'damaged',
  'half',
  'noise',
  'html',
  'flood',
  'repeat',
  'unterminated',
];
const ENOUGH_FOR_JSON: readonly FaultPlace[] = ['head', 2, 'behind_end'];

const PLACES: readonly FaultPlace[] = [
  'head',
  'before_output',
  2,
  99,
  'in_tool',
  'behind_tool',
  'before_end',
  'behind_end',
];

/** The stream machine has more to decide than a codec: what waits for a proof, what is held, what a clock ends. */
describe.each(VOICED)('the engine, %s', (protocol) => {
  const codec = CODECS.get(protocol);
  if (codec === undefined) throw new Error(`no codec for ${protocol}`);
  const cases = [true, false].flatMap((stream) => FAULTS.map((kind) => [stream ? 'stream' : 'json', kind] as const));

  it.each(cases)('%s: calls an answer with %s whole if its truth does', async (shape, kind) => {
    const stream = shape === 'stream';
    for (const at of stream ? PLACES : ENOUGH_FOR_JSON) {
      for (const tools of stream && at !== 'head' ? [0, 2] : [1]) {
        const behaviour: Behaviour = { words: 4, tools, firstWordMs: 50, wordMs: 20, fault: { kind, at } };
        const { play, truth } = playOf(behaviour, viewOf(protocol, stream), createChance(1));
        const bench = createEngineBench({ targets: [{ id: 'a', protocol }], codec });
        bench.play('a', play);
        const contents = [{ parts: [{ text: 'hi' }] }];
        const input = { messages: [{ role: 'user', content: 'hi' }], input: 'hi', contents, max_tokens: 9 };
        const headers = { ':path': viewOf('gemini', stream).path };
        const asked = await bench.run({ stream, body: input, headers });
        expect(asked.outcome === 'ok', `${JSON.stringify(behaviour)} ${asked.outcome}`).toBe(truth?.isWhole);
      }
    }
  });
});
