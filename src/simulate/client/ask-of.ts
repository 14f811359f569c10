import { encodeUtf8 } from '../../protocol/json/index.ts';
import type { AskRow } from '../scenario/scenario.ts';
import type { Chance } from '../world/chance.ts';
import type { Ask } from './ask.ts';
import { ASK_BODIES } from './ask-bodies.ts';
import { headersOf, sessionOf } from './ask-headers.ts';
import { tellStory } from './story.ts';

const HEX = 16;
const HALF = 2 ** 32;

/** A name that no other request of the world has. */
function nameTurn({ model }: AskRow, n: number, chance: Chance): string {
  const random = [chance.below(HALF), chance.below(HALF)].map((half) => half.toString(HEX).padStart(8, '0')).join('');
  return `turn-${model.replaceAll(/[^A-Za-z0-9]+/g, '-')}-${n}-${random}`;
}

/**
 * The `n`-th request of a row (from 0), as its client would send it. No client key stands in it, only the key's name
 * beside it. Throws a RangeError for a protocol that no simulated client speaks.
 */
export function askOf(row: AskRow, n: number, chance: Chance): Ask {
  const { shape, protocol, model } = row;
  const write = ASK_BODIES[protocol];
  if (write === undefined) throw new RangeError(`no simulated client speaks ${protocol}`);
  const stream = shape.stream ?? true;
  const turn = nameTurn(row, n, chance);
  const session = sessionOf(row, turn);
  const story = tellStory(row, session ?? turn, turn);
  return {
    row,
    model,
    protocol,
    stream,
    body: encodeUtf8(JSON.stringify(write({ row, stream, story, session }))),
    headers: headersOf(row, session, turn),
    key: shape.key ?? null,
    failover: shape.failover ?? true,
    timeoutMs: shape.timeoutMs ?? null,
    turn,
  };
}
