import { createParser } from 'eventsource-parser';
import { describe, expect, it } from 'vitest';
import type { FeedReader } from '../../port/event-feed.ts';
import { createEventRing, type LiveDraft } from './event-ring.ts';

const change = (to: string): LiveDraft => ({
  name: 'route_state_changed',
  fields: { at: 1_700_000_000_000, scope: 'route', id: 'a/m#k', from: 'ready', to },
});
const config: LiveDraft = { name: 'config_changed', fields: { result: 'in_force', models: 1, providers: 1 } };

type Read = {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: Record<string, unknown>;
};

function read(reader: FeedReader): readonly Read[] {
  const events: Read[] = [];
  const parser = createParser({
    onEvent: ({ id, event, data }) => void events.push({ id, event, data: JSON.parse(data) }),
  });
  for (let piece = reader.take(); piece !== null; piece = reader.take()) parser.feed(new TextDecoder().decode(piece));
  return events;
}

const setUp = (size = 8) => {
  const ring = createEventRing({ size, mark: 'boot' });
  const open = (after: string | null = null, types: readonly string[] | null = null) => {
    let news = 0;
    const onNews = (): void => {
      news += 1;
    };
    const reader = ring.open({ after, types: types === null ? null : new Set(types), onNews });
    return { reader, news: () => news };
  };
  return { ring, open };
};
const names = (events: readonly Read[]) => events.map(({ event }) => event);

describe('the ring of events', () => {
  it('begins with now, under an id that can be gone on from', () => {
    const { ring, open } = setUp();
    ring.add(change('open'));
    const { reader } = open();
    expect(read(reader)).toEqual([{ id: 'boot-1', event: 'opened', data: { event: 'opened', v: 1 } }]);
    ring.add(change('half_open'));
    expect(read(reader)).toMatchObject([
      { id: 'boot-2', event: 'route_state_changed', data: { to: 'half_open', v: 1 } },
    ]);
    expect(read(reader)).toEqual([]);
  });

  it('tells a reader of news once until it has taken them, and not in the same turn', async () => {
    const { ring, open } = setUp();
    const { reader, news } = open();
    read(reader);
    ring.add(change('open'));
    ring.add(change('ready'));
    expect(news()).toBe(0);
    await new Promise(setImmediate);
    ring.add(change('open'));
    await new Promise(setImmediate);
    expect(news()).toBe(1);
    expect(read(reader)).toHaveLength(3);
    ring.add(change('ready'));
    await new Promise(setImmediate);
    expect(news()).toBe(2);
  });

  it('goes on behind the event that was seen last', () => {
    const { ring, open } = setUp();
    for (const to of ['open', 'half_open', 'ready']) ring.add(change(to));
    expect(read(open('boot-1').reader).map(({ id }) => id)).toEqual(['boot-1', 'boot-2', 'boot-3']);
    // The oldest that is left stands behind one that is not.
    for (let n = 4; n <= 9; n++) ring.add(change('open'));
    expect(names(read(open('boot-1').reader))).toEqual(['opened', ...Array(8).fill('route_state_changed')]);
  });

  it.each([
    ['is forgotten', 'boot-0'],
    ['has not happened', 'boot-99'],
    ['another process gave', 'other-9'],
    ['is none', 'x'],
    ['is none at all', `boot-${'9'.repeat(40)}`],
  ])('resets a reader whose id %s, and begins with now', (_why, id) => {
    const { ring, open } = setUp();
    for (let n = 1; n <= 10; n++) ring.add(change('open'));
    const { reader } = open(id);
    expect(read(reader)).toMatchObject([{ id: 'boot-10', event: 'reset' }]);
    ring.add(config);
    expect(names(read(reader))).toEqual(['config_changed']);
  });

  it('tells a slow reader how much it has missed, and goes on with what is left', () => {
    const { ring, open } = setUp();
    const { reader } = open();
    read(reader);
    for (let n = 1; n <= 20; n++) ring.add(change('open'));
    const events = read(reader);
    expect(events[0]).toEqual({ id: 'boot-12', event: 'lagged', data: { event: 'lagged', v: 1, missed: 12 } });
    expect(events.slice(1).map(({ id }) => id)).toEqual([13, 14, 15, 16, 17, 18, 19, 20].map((n) => `boot-${n}`));
  });

  it('filters by type', () => {
    const { ring, open } = setUp();
    const { reader } = open(null, ['config_changed']);
    ring.add(change('open'));
    ring.add(config);
    expect(names(read(reader))).toEqual(['opened', 'config_changed']);
  });

  it('encodes an event once for all readers, and not at all for none', () => {
    let made = 0;
    const counted: LiveDraft = {
      name: 'config_changed',
      get fields() {
        made += 1;
        return config.fields;
      },
    };
    const { ring, open } = setUp();
    ring.add(counted);
    expect(made).toBe(0);
    const readers = [open('boot-0'), open('boot-0'), open('boot-0')];
    for (const { reader } of readers) expect(read(reader)).toHaveLength(2);
    expect(made).toBe(1);
  });

  it('gives pieces of bounded size', () => {
    const { ring, open } = setUp(4_096);
    const { reader } = open();
    reader.take();
    for (let n = 0; n < 4_096; n++) ring.add(change('open'));
    const sizes: number[] = [];
    for (let piece = reader.take(); piece !== null; piece = reader.take()) sizes.push(piece.length);
    expect(sizes.length).toBeGreaterThan(5);
    expect(Math.max(...sizes)).toBeLessThan(66 * 1024);
  });

  it('knows who reads', () => {
    const { ring, open } = setUp();
    const [one, other] = [open(), open()];
    expect(ring.readers()).toBe(2);
    one.reader.close();
    one.reader.close();
    expect(ring.readers()).toBe(1);
    ring.add(config);
    expect(one.reader.take()).toBeNull();
    other.reader.close();
    expect(ring.readers()).toBe(0);
  });
});
