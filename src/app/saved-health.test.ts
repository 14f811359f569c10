import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeRoute, SECOND, watchHealth } from '../../test/kit/health-fixtures.ts';
import { makeStateDir } from '../../test/kit/state-dir.ts';
import { createVirtualClock } from '../../test/kit/virtual-clock.ts';
import { createSavedHealth } from './saved-health.ts';

const A = makeRoute('p/a');

function open(folder = makeStateDir()) {
  const clock = createVirtualClock();
  const notices: string[] = [];
  const telemetry = { notice: (_level: string, message: string) => void notices.push(message) };
  return {
    folder,
    file: join(folder, 'health.json'),
    clock,
    notices,
    saved: createSavedHealth(folder, { clock, telemetry }),
  };
}

describe('health in the state directory', () => {
  it('is what the next process begins with', () => {
    const first = open();
    expect(first.saved).toMatchObject({ first: null, savedAt: null });
    const health = watchHealth();
    health.fails('notFound', A, first.clock.now());
    first.saved.keep(health.state);
    first.saved.close();
    const second = open(first.folder);
    expect(second.saved.first?.scopes).toEqual(health.state().scopes);
    expect(second.saved.savedAt).toBe(first.clock.now());
    expect([...first.notices, ...second.notices]).toEqual([]);
    expect(statSync(first.file).mode & 0o777).toBe(0o600);
  });

  it('is not younger than now, whatever the calendar was', () => {
    const { folder, file, clock } = open();
    const scopes = { route: {}, target: {}, credential: {}, endpoint: {} };
    const ahead = clock.now() + 24 * 60 * 60 * SECOND;
    writeFileSync(file, JSON.stringify({ contract: 'understudy-health-v1', saved_at: ahead, scopes }));
    expect(open(folder).saved.savedAt).toBe(clock.now());
  });

  it('is written while the process lives, for the day that it is killed, and only when it has changed', async () => {
    const { clock, saved, file } = open();
    const health = watchHealth();
    saved.keep(health.state);
    health.fails('serverError', A, clock.now());
    await clock.advanceAsync(15 * SECOND);
    expect(readFileSync(file, 'utf8')).toContain(A.id);
    writeFileSync(file, 'somebody else');
    await clock.advanceAsync(60 * SECOND);
    expect(readFileSync(file, 'utf8')).toBe('somebody else');
    saved.close();
    expect(clock.pending).toBe(0);
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"contract":"understudy-health-v1"}',
    '{"contract":"another","saved_at":1,"scopes":{}}',
    '\u0000',
  ])('what is no health costs the memory and nothing else: %j', (text) => {
    const folder = makeStateDir();
    writeFileSync(join(folder, 'health.json'), text);
    const { saved, notices } = open(folder);
    expect(saved.first).toBeNull();
    expect(notices).toHaveLength(1);
  });

  it('says once that it can not be written, and goes on', async () => {
    const { folder, file, clock, saved, notices } = open();
    mkdirSync(`${file}.new`);
    const health = watchHealth();
    saved.keep(health.state);
    for (let n = 0; n < 3; n++) {
      health.fails('serverError', A, clock.now());
      await clock.advanceAsync(15 * SECOND);
    }
    expect(notices).toEqual(['health could not be written down']);
    expect(existsSync(file)).toBe(false);
    chmodSync(folder, 0o700);
    saved.close();
  });
});
