import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeStateDir } from '../../../test/kit/state-dir.ts';
import type { AuditRecord } from '../../port/audit-log.ts';
import { createAuditFile } from './audit-file.ts';

const record = (n: number): AuditRecord => ({
  at: 1_700_000_000_000 + n,
  action: 'target_disable',
  subject: `a/m-${n}`,
  result: 'done',
  status: 200,
  by: 'token',
  address: '127.0.0.1',
  request: `req_${n}`,
});

const numbers = async (log: ReturnType<typeof createAuditFile>, limit = 100) =>
  (await log.list({ limit })).data.map(({ at }) => at - 1_700_000_000_000);

describe.each([
  ['in a file', () => createAuditFile({ stateDir: makeStateDir() })],
  ['in memory', () => createAuditFile({})],
])('the audit log %s', (_where, create) => {
  it('gives back what was added, newest first, page by page', async () => {
    const log = create();
    expect(await log.list({ limit: 10 })).toEqual({ data: [], next: null });
    for (let n = 1; n <= 5; n++) log.add(record(n));
    const first = await log.list({ limit: 2 });
    expect(first.data).toEqual([record(5), record(4)]);
    log.add(record(6));
    const second = await log.list({ limit: 2, cursor: first.next ?? '' });
    expect(second.data).toEqual([record(3), record(2)]);
    const third = await log.list({ limit: 2, cursor: second.next ?? '' });
    expect(third).toEqual({ data: [record(1)], next: null });
    expect(await log.list({ limit: 2, cursor: 'nobody knows' })).toEqual({ data: [], next: null });
  });
});

describe('the audit file', () => {
  it('has no secret that somebody wrote as a name', async () => {
    const log = createAuditFile({ clean: (name) => name.replace('fake-secret', '[secret]') });
    log.add({ ...record(1), subject: 'a/fake-secret' });
    expect((await log.list({ limit: 1 })).data[0]?.subject).toBe('a/[secret]');
  });

  it('outlives the process, and belongs to its owner alone', async () => {
    const stateDir = makeStateDir();
    createAuditFile({ stateDir }).add(record(1));
    const log = createAuditFile({ stateDir });
    log.add(record(2));
    expect(await numbers(log)).toEqual([2, 1]);
    const file = join(stateDir, 'audit.jsonl');
    expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it('is bounded: the file before is kept, those before it are not', async () => {
    const stateDir = makeStateDir();
    const log = createAuditFile({ stateDir, maxFileBytes: 1_000 });
    for (let n = 1; n <= 40; n++) log.add(record(n));
    const kept = await numbers(log);
    expect(kept[0]).toBe(40);
    expect(kept.length).toBeGreaterThan(4);
    expect(kept.length).toBeLessThan(15);
    expect(statSync(join(stateDir, 'audit.jsonl')).size).toBeLessThanOrEqual(1_000);
    expect(statSync(join(stateDir, 'audit.1.jsonl')).size).toBeLessThanOrEqual(1_000);
  });

  it('leaves out lines that are torn', async () => {
    const stateDir = makeStateDir();
    const log = createAuditFile({ stateDir });
    log.add(record(1));
    appendFileSync(join(stateDir, 'audit.jsonl'), '{"at": 17\n[]\nnull\n');
    log.add(record(2));
    expect(await numbers(log)).toEqual([2, 1]);
  });

  it('keeps what it can not write, tells it once, and writes it when it can', async () => {
    const stateDir = makeStateDir();
    const told: string[] = [];
    const log = createAuditFile({ stateDir, onTrouble: (code) => void told.push(code) });
    mkdirSync(join(stateDir, 'audit.jsonl'));
    log.add(record(1));
    log.add(record(2));
    expect(told).toEqual(['EISDIR']);
    expect(await numbers(log)).toEqual([2, 1]);
    rmSync(join(stateDir, 'audit.jsonl'), { recursive: true });
    log.add(record(3));
    expect(await numbers(createAuditFile({ stateDir }))).toEqual([3, 2, 1]);
  });
});
