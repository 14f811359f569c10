import type { Behaviour, DelayForm, ProviderRow } from '../scenario/scenario.ts';
import type { Chance } from '../world/chance.ts';
import { between, spread, type Weighted, weigh } from './dice.ts';
import { drawAnswer } from './draw-behaviour.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** Where a story plays, and in how long a world. */
export type Scene = {
  readonly forMs: number;
  readonly routes: string;
};

type Story = (chance: Chance, scene: Scene) => readonly ProviderRow[];

/** Troubles of one provider that only together, or at the right moment, put a rule to the test. */
const STORIES: Weighted<Story> = [
  [3, askForPeace],
  [2, tellTwoWords],
  [4, comeBack],
  [2, leaveSockets],
  [2, breakAtEnd],
  [2, shutBehindWord],
];

export const drawStory: Story = (chance, scene) => weigh(chance, STORIES)(chance, scene);

const ALWAYS = { fromMs: 0, untilMs: null } as const;

const HEAD_FORMS: Weighted<DelayForm> = [
  [3, 'ms'],
  [3, 'date'],
  [2, 'seconds'],
];

/** Some sends are told a delay within which there are others. */
function askForPeace(chance: Chance, { forMs, routes }: Scene): readonly ProviderRow[] {
  const from = chance.happens(0.6) ? 0 : chance.below(4);
  const does: Behaviour = {
    status: chance.pick([429, 429, 503]),
    retryAfterMs: spread(chance, 300, Math.max(301, forMs)),
    toldAs: weigh(chance, HEAD_FORMS),
  };
  return [{ ...ALWAYS, routes, sends: { from, to: from + between(chance, 1, 4) }, does }];
}

/** A limit of which some are told a long delay, and others, a little later, a short one. */
function tellTwoWords(chance: Chance, { forMs, routes }: Scene): readonly ProviderRow[] {
  const headMs = spread(chance, 1, 300);
  const limit = (retryAfterMs: number, ms: number): Behaviour => ({ status: 429, retryAfterMs, headMs: ms });
  const long = limit(spread(chance, 10 * SECOND, Math.max(11 * SECOND, forMs)), headMs);
  const short = limit(spread(chance, 500, 3 * SECOND), headMs + spread(chance, 1, SECOND));
  return [
    { ...ALWAYS, routes, share: 0.5, does: long },
    { ...ALWAYS, routes, sends: { from: 0, to: spread(chance, 2, 30) }, does: short },
  ];
}

/** Down for a part of the time, then back with answers that take long enough for others to come meanwhile. */
export function comeBack(chance: Chance, { forMs, routes }: Scene): readonly ProviderRow[] {
  const downMs = Math.round(forMs * (0.05 + chance.next() * 0.3));
  const down: Behaviour = chance.pick([{ status: 500 }, { status: 503 }, { refuses: 'refused' }, { status: 502 }]);
  const slow: Behaviour = {
    words: between(chance, 10, 40),
    wordMs: Math.min(5 * SECOND, Math.round(forMs / between(chance, 20, 200))),
    firstWordMs: Math.min(MINUTE, Math.round(forMs / between(chance, 8, 40))),
  };
  return [
    { fromMs: 0, untilMs: downMs, routes, does: { ...down, headMs: spread(chance, 1, SECOND) } },
    { ...ALWAYS, routes, does: slow },
  ];
}

/** Kept connections that were closed before the request arrived. */
function leaveSockets(chance: Chance, { routes }: Scene): readonly ProviderRow[] {
  const does: Behaviour = { status: null, reused: true, headMs: spread(chance, 1, 5 * SECOND) };
  return [{ ...ALWAYS, routes, share: chance.pick([0.2, 0.5, 0.9]), does }];
}

/** Some sends are told when to come back, others that their key, account or model is of no use: then nobody may. */
function shutBehindWord(chance: Chance, { forMs, routes }: Scene): readonly ProviderRow[] {
  const shut = chance.pick<Behaviour>([
    { status: 401, error: { code: 'invalid_api_key' } },
    { status: 402, error: { message: 'Payment required.' } },
    { status: 403, error: { code: 'unsupported_country_region_territory' } },
  ]);
  const told: Behaviour = { status: chance.pick([429, 503]), retryAfterMs: spread(chance, 300, Math.max(301, forMs)) };
  const to = spread(chance, 1, 20);
  return [
    { ...ALWAYS, routes, sends: { from: 0, to }, share: 0.5, does: shut },
    { ...ALWAYS, routes, sends: { from: 0, to }, does: told },
  ];
}

/** Something comes behind an answer that has said how it ended. */
function breakAtEnd(chance: Chance, { routes }: Scene): readonly ProviderRow[] {
  const kind = chance.pick(['error', 'error', 'damaged', 'close', 'stall', 'half'] as const);
  const does: Behaviour = { ...drawAnswer(chance), fault: { kind, at: 'behind_finish' } };
  return [{ ...ALWAYS, routes, share: chance.pick([0.3, 0.7]), does }];
}
