import { describe, expect, it } from 'vitest';
import { resolveModel } from '../../config/resolve.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { loadWorldConfig } from '../world/world-config.ts';
import { drawScenario } from './draw-scenario.ts';

const SEEDS = Array.from({ length: 500 }, (_, n) => n + 1);
const worlds = SEEDS.map(drawScenario);

describe('drawn worlds', () => {
  it('have configurations that load, and ask for models that these have', () => {
    for (const { seed, config, asks } of worlds) {
      const loaded = loadWorldConfig(config ?? {});
      expect(loaded.ok ? [] : loaded.problems, `seed ${seed}`).toEqual([]);
      if (!loaded.ok) continue;
      for (const { model } of asks) expect(resolveModel(loaded.config, model), `seed ${seed}: ${model}`).toBeDefined();
    }
  });

  it('are the same for the same seed, and others for others', () => {
    expect(SEEDS.slice(0, 50).map(drawScenario)).toEqual(worlds.slice(0, 50));
    expect(new Set(worlds.map((world) => JSON.stringify({ ...world, seed: 0 }))).size).toBe(SEEDS.length);
  });

  it('survive being written down', () => {
    expect(JSON.parse(JSON.stringify(worlds))).toEqual(worlds);
  });

  it('reach all that matters', () => {
    const text = JSON.stringify(worlds);
    const missing = WORDS.filter((word) => !text.includes(word));
    expect(missing).toEqual([]);
  });

  it('have loads from one request to bursts, and last from seconds to many hours', () => {
    const counts = worlds.map(countOf);
    expect(Math.min(...counts)).toBe(1);
    expect(Math.max(...counts)).toBeGreaterThan(35);
    expect(counts.toSorted((a, b) => a - b)[250]).toBeLessThan(30);
    const lengths = worlds.map(({ forMs }) => forMs);
    expect(Math.min(...lengths)).toBeLessThan(10_000);
    expect(Math.max(...lengths)).toBeGreaterThan(20 * 3_600_000);
  });
});

const countOf = ({ asks }: Scenario): number => asks.reduce((sum, { count }) => sum + (count ?? 0), 0);

/** A sample of each part of the vocabulary. */
const WORDS = [
  '"preset":"resilient" "preset":"strict" "sameTarget":3 "preferSameTarget":true "waitForCooldown" "maxAttempts":1',
  '"commitOn":"answer" "onEmpty":"accept" "holdToolEnd":"all" "onMalformed":"drop" "onContentPolicy":"next"',
  '"keepalive":"off" "replay":"safe" "exhausted":"status" "usage":"client" "responseModel":"virtual" "preflight"',
  '"strategy":"weighted" "strategy":"round-robin" "sticky": "affinity":"off" "tier":2 "weight":5 "contextWindow"',
  '"concurrency" "queue" "credentialStrategy" "breaker" "cooldown" shared.test "pinned" "aliases" "clientStall"',
  '"leavesAfterMs" "leavesAfterWords" "drainMs":null "retries":"codex" "retries":"claude-code" "unsafe" "session"',
  '"stall" "reset" "flood" "huge" "half" "damaged" "repeat" "unterminated" "behind_tool" "quirks" "parallel":true',
  '"refuses":"dns" "headMs":null "status":null "reused":true "body":"html" "words":0 "echoes" "otherShape"',
  '"behind_finish" "toldAs":"ms" "toldAs":"date" "flap" "sends" "share" "disable" "drain" "claims" "ledger" "foreignState" "perMinute" "total" "timeoutMs"',
  '"mode":"off" "mode":"recovery" "mode":"full" "every" "targetReady" "maxProbes" "maxTime" "maxTokens" "slowAfter" "escalatedTokens" "maxEscalations" "needsTokens"',
].flatMap((line) => line.split(' '));
