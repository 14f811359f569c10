import type { AskRow, Scenario } from '../scenario/scenario.ts';
import { drawScenario } from './draw-scenario.ts';

/** Answers of which each is a world of its own would make a long one endless. */
const HEAVY = new Set(['flood', 'huge']);
const LONGEST_MS = 48 * 3_600_000;

/**
 * The world of a seed under a steady load of so many requests (what clients ask again comes on top), at the rate and for
 * the time that go with it.
 */
export function drawLongScenario(seed: number, requests: number): Scenario {
  const scenario = drawScenario(seed);
  const { forMs } = scenario;
  const lastsMs = Math.min(LONGEST_MS, Math.max(forMs, requests * 20));
  const each = Math.ceil(requests / scenario.asks.length);
  return {
    ...scenario,
    forMs: lastsMs,
    asks: scenario.asks.map((row) => steady(row, each, lastsMs)),
    providers: scenario.providers.filter(({ does }) => !HEAVY.has(does.fault?.kind ?? '') && does.reads !== 'bytes'),
    // The books of a gateway that was drained early are short.
    acts: scenario.acts.filter(({ does }) => does !== 'drain'),
  };
}

function steady(row: AskRow, count: number, lastsMs: number): AskRow {
  const { shape, client, model, protocol, arrival } = row;
  const { bytes, ...rest } = shape;
  const small = bytes === undefined ? {} : { bytes: Math.min(bytes, 2000) };
  const perSecond = Number(((count / lastsMs) * 1000).toPrecision(3));
  return { model, protocol, arrival, client, shape: { ...rest, ...small }, fromMs: 0, untilMs: null, count, perSecond };
}
