import { describe, expect, it } from 'vitest';
import { createVirtualClock } from '../../../test/kit/virtual-clock.ts';
import { type ClientScript, createSimulatedClient } from './simulated-client.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function open(script: ClientScript = {}) {
  const clock = createVirtualClock(0);
  const client = createSimulatedClient(clock, script);
  const heard: string[] = [];
  client.listen({
    onDrain: () => heard.push(`${clock.now()} drain`),
    onClose: () => heard.push(`${clock.now()} close`),
  });
  return { clock, client, heard };
}

describe('createSimulatedClient', () => {
  it('says no above its window, and drains in its own time', () => {
    const { clock, client, heard } = open({ window: 5, drainMs: 10 });
    client.head(200, {});
    expect(client.write(bytes('12345'))).toBe(true);
    expect(client.write(bytes('6'))).toBe(false);
    expect(client.write(bytes('7'))).toBe(false);
    clock.advance(10);
    expect(heard).toEqual(['10 drain']);
    expect(client.write(bytes('8'))).toBe(true);
    expect(client.text).toBe('12345678');
    expect(client.wasBlocked).toBe(true);
  });

  it('leaves at its moment, or when it has read enough, once', () => {
    const soon = open({ leaveMs: 5 });
    soon.clock.advance(10);
    soon.client.close();
    expect(soon.heard).toEqual(['5 close']);
    const read = open({ leaveAfter: 'bye' });
    read.client.head(200, {});
    read.client.write(bytes('good'));
    read.client.write(bytes('bye'));
    expect(read.heard).toEqual([]);
    read.clock.advance(0);
    expect(read.heard).toEqual(['0 close']);
    read.client.write(bytes('more'));
    expect(read.client.text).toBe('goodbye');
  });

  it('notes what nobody may do', () => {
    const { client } = open();
    client.write(bytes('x'));
    client.head(200, {});
    client.head(200, {});
    client.end();
    client.write(bytes('y'));
    client.destroy();
    client.listen({ onDrain: () => {}, onClose: () => {} });
    expect(client.violations).toEqual([
      'write without a head',
      'second head',
      'write after end',
      'destroy after end',
      'second listener',
    ]);
    expect(client.ending).toBe('end');
  });

  it('keeps no timer behind an end', () => {
    const { clock, client } = open({ leaveMs: 1000 });
    client.head(200, {});
    client.end();
    expect(clock.pending).toBe(0);
  });
});
