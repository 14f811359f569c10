import type { Protocol } from '../../core/model/protocol.ts';
import type { AskRow, AskShape, ClientManner } from '../scenario/scenario.ts';
import type { Chance } from '../world/chance.ts';
import { between, perhaps, spread, times, type Weighted, weigh } from './dice.ts';
import { PROTOCOLS } from './draw-config.ts';
import type { Layout } from './layout.ts';
import type { Pace, Temper } from './temper.ts';

const SECOND = 1000;

/** When and how many. */
type Load = Pick<AskRow, 'perSecond' | 'count' | 'arrival' | 'fromMs' | 'untilMs'>;

export type AsksParts = {
  readonly layout: Layout;
  readonly forMs: number;
  readonly temper: Temper;
  /** Moments at which something changes. */
  readonly edges: readonly number[];
};

/** Who asks: loads by the pace of the world, each of one shape and manner. */
export function drawAsks(chance: Chance, { layout, forMs, temper, edges }: AsksParts): readonly AskRow[] {
  const loads = temper.isReturn
    ? [rush(chance, between(chance, 10, 20), [0], forMs)]
    : LOADS[temper.pace.name](chance, forMs, edges);
  const sessions = times(2, (n) => `session-${n + 1}`);
  return loads.map((load) => {
    const model = drawModel(chance, layout);
    const client = drawClient(chance, model.protocol);
    const shape = drawShape(chance, { layout, model, session: chance.pick(sessions) });
    return { ...load, model: model.name, protocol: model.protocol, shape, client };
  });
}

const LOADS: Readonly<
  Record<Pace['name'], (chance: Chance, forMs: number, edges: readonly number[]) => readonly Load[]>
> = {
  single: (chance, _forMs, edges) => times(between(chance, 1, 2), () => together(chance, 1, edges)),
  burst: (chance, forMs, edges) => [
    ...times(between(chance, 1, 2), () =>
      (chance.happens(0.5) ? rush : together)(chance, spread(chance, 1, 22), edges, forMs),
    ),
    ...(chance.happens(0.3) ? [steady(chance, between(chance, 4, 14), forMs)] : []),
  ],
  minutes: (chance, forMs, edges) => [
    ...times(between(chance, 1, 2), () => steady(chance, spread(chance, 2, 13), forMs)),
    ...(chance.happens(0.4) ? [together(chance, spread(chance, 1, 10), edges)] : []),
  ],
  hours: (chance, forMs, edges) => [
    ...times(between(chance, 1, 3), () => steady(chance, spread(chance, 3, 13), forMs)),
    ...times(between(chance, 0, 3), () => together(chance, between(chance, 1, 4), edges)),
  ],
};

/** Some at once, often just when something changes. */
function together(chance: Chance, count: number, edges: readonly number[]): Load {
  const fromMs = Math.max(0, chance.pick(edges) + (chance.happens(0.5) ? 0 : chance.pick([-1, 1, 500])));
  return { perSecond: null, count, arrival: 'even', fromMs, untilMs: null };
}

/** One after another, from a moment on at which something changes: streams of those before are still under way. */
function rush(chance: Chance, count: number, edges: readonly number[], forMs: number): Load {
  const fromMs = chance.pick(edges);
  const lastsMs = (forMs - fromMs) * (0.1 + chance.next() * 0.9);
  const perSecond = Number((count / (Math.max(1, lastsMs) / SECOND)).toPrecision(3));
  return { perSecond, count, arrival: 'random', fromMs, untilMs: null };
}

/** So many over the time, or over a part of it. */
function steady(chance: Chance, count: number, forMs: number): Load {
  const fromMs = chance.happens(0.6) ? 0 : chance.below(forMs);
  const perSecond = Number((count / ((forMs - fromMs) / SECOND)).toPrecision(3));
  return { perSecond, count, arrival: chance.pick(['even', 'random']), fromMs, untilMs: null };
}

const FOREIGN = 0.12;

type Named = { readonly name: string; readonly protocol: Protocol };

/** A virtual model, by its name or an alias, or a target by its own. */
function drawModel(chance: Chance, { models, providers }: Layout): Named {
  const model = chance.pick(models);
  if (chance.happens(0.07)) {
    const target = chance.pick(model.targets);
    const owner = providers.find(({ name }) => target.startsWith(`${name}/`));
    if (owner !== undefined) return { name: target, protocol: owner.protocol };
  }
  // Some ask in a protocol that none of its targets may speak.
  const protocol = chance.happens(FOREIGN) ? weigh(chance, PROTOCOLS) : chance.pick(model.protocols);
  return { name: chance.pick(model.names), protocol };
}

type ClientName = NonNullable<ClientManner['retries']>;

const CLIENTS: Readonly<Partial<Record<Protocol, readonly ClientName[]>>> = {
  'openai-chat': ['opencode', 'openai-sdk'],
  'openai-responses': ['codex', 'opencode', 'openai-sdk'],
  'anthropic-messages': ['claude-code', 'opencode'],
  gemini: ['opencode'],
};

function drawClient(chance: Chance, protocol: Protocol): ClientManner {
  return {
    ...perhaps(chance, 0.3, () => ({ retries: chance.pick(CLIENTS[protocol] ?? []) })),
    ...perhaps(chance, 0.1, () => ({ leavesAfterMs: spread(chance, 1, 60 * SECOND) })),
    ...perhaps(chance, 0.08, () => ({ leavesAfterWords: between(chance, 1, 8) })),
    ...perhaps(chance, 0.12, () => ({ windowBytes: spread(chance, 16, 4096), drainMs: drawDrain(chance) })),
  };
}

const drawDrain = (chance: Chance): number | null => (chance.happens(0.2) ? null : spread(chance, 1, 30 * SECOND));

const BYTES: Weighted<readonly [least: number, most: number]> = [
  [6, [10, 400]],
  [3, [400, 5000]],
  [1, [5000, 60_000]],
];

type ShapeParts = { readonly layout: Layout; readonly model: Named; readonly session: string };

function drawShape(chance: Chance, { layout, model, session }: ShapeParts): AskShape {
  const tools = chance.happens(0.45);
  const turns = chance.happens(0.3) ? between(chance, 1, 6) : 0;
  return {
    ...perhaps(chance, 0.25, () => ({ stream: false })),
    ...perhaps(chance, 0.3, () => ({ bytes: spread(chance, ...weigh(chance, BYTES)) })),
    ...(turns === 0 ? {} : { turns }),
    ...(tools ? { tools } : {}),
    ...(tools && chance.happens(0.2) ? { endsWithToolResult: true } : {}),
    ...(model.protocol === 'openai-responses' && chance.happens(0.4) ? { textTool: true } : {}),
    ...perhaps(chance, 0.18, () => ({ unsafe: true })),
    ...(turns > 0 && chance.happens(0.3) ? { foreignState: true } : {}),
    ...perhaps(chance, 0.15, () => ({ maxOutputTokens: spread(chance, 10, 10_000) })),
    ...(model.protocol === 'openai-chat' && chance.happens(0.4) ? { asksUsage: true } : {}),
    ...(layout.keys.length > 0 ? { key: chance.pick(layout.keys) } : {}),
    ...perhaps(chance, 0.3, () => ({ session })),
    ...perhaps(chance, 0.05, () => ({ failover: false })),
    ...perhaps(chance, 0.12, () => ({ timeoutMs: spread(chance, 20, Math.max(21, layout.totalMs)) })),
  };
}
