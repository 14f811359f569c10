import { describe, expect, it } from 'vitest';
import { askRow, doesAs, playScenario, scenarioOf, twoProviders } from '../../../test/kit/simulation.ts';
import { decodeUtf8 } from '../../protocol/json/index.ts';
import { decodeAsk } from '../client/decode-ask.ts';
import type { Behaviour, ClientManner } from '../scenario/scenario.ts';

/** What a client sends, try for try, to a gateway whose providers do this. */
async function triesOf(retries: NonNullable<ClientManner['retries']>, does: Behaviour) {
  const run = await playScenario(
    scenarioOf({
      config: twoProviders('anthropic-messages'),
      asks: [askRow({ protocol: 'anthropic-messages', client: { retries } })],
      providers: [doesAs('*', does)],
    }),
  );
  return run.requests.map(({ ask, client }) => ({
    stream: ask.stream,
    asksForStream: (JSON.parse(decodeUtf8(ask.body)) as { stream?: boolean }).stream,
    count: ask.headers['x-stainless-retry-count'],
    type: client.headers['content-type'],
  }));
}

it('keeps what a request says for those who check the run: the engine empties its own', async () => {
  const run = await playScenario(scenarioOf());
  const [request] = run.requests;
  if (request === undefined) throw new Error('nobody asked');
  expect(request.servedAt).not.toBeNull();
  expect(decodeAsk(request.ask)).toMatchObject({ ok: true, request: { original: request.ask.body } });
});

describe('a client that asks again', () => {
  it('counts its tries in its headers', async () => {
    const tries = await triesOf('claude-code', { status: 429, retryAfterMs: 2000 });
    expect(tries.slice(0, 3).map(({ count }) => count)).toEqual(['0', '1', '2']);
    expect(tries.every(({ stream, asksForStream }) => stream && asksForStream === true)).toBe(true);
  });

  it('turns to JSON as Claude Code does behind an error in its stream', async () => {
    const tries = await triesOf('claude-code', { words: 4, fault: { kind: 'error', at: 2 } });
    expect(tries.length).toBeGreaterThan(1);
    expect(tries.map(({ stream }) => stream)).toEqual(tries.map((_, i) => i === 0));
    expect(tries.map(({ asksForStream }) => asksForStream)).toEqual(tries.map((_, i) => i === 0));
    expect(tries[0]?.type).toContain('event-stream');
    expect(tries[1]?.type).toContain('json');
  });
});
