import { array, boolean, constantFrom, integer, oneof, property, record } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../test/kit/assert-property.ts';
import { createJournal, type JournalOptions } from './journal.ts';
import type { JournalFiles } from './journal-files.ts';
import { decodeLine } from './journal-line.ts';

/** What the disk says to a call: takes so many bytes, or refuses with a code. */
type Answer = number | 'ENOSPC' | 'EIO';

/** Files in memory on a disk that answers by a script, and takes all when the script is over. */
function createScriptedDisk(script: readonly Answer[] = []) {
  const answers = [...script];
  const files: Buffer[] = [];
  const names: string[] = [];
  const next = (): number => {
    const answer = answers.shift() ?? Number.POSITIVE_INFINITY;
    if (typeof answer === 'string') throw Object.assign(new Error('refused'), { code: answer });
    return answer;
  };
  const disk: JournalFiles = {
    open(path) {
      names.push(path);
      return files.push(Buffer.alloc(0)) - 1;
    },
    write(fd, bytes, offset) {
      const taken = Buffer.from(bytes.subarray(offset, offset + Math.max(1, next())));
      files[fd] = Buffer.concat([files[fd] ?? Buffer.alloc(0), taken]);
      return taken.length;
    },
    close() {},
  };
  return {
    disk,
    names,
    push: (...more: Answer[]) => void answers.push(...more),
    /** Whole lines in the order of files, headers left out. */
    lines: () =>
      files
        .flatMap((file) => file.toString().split('\n').slice(0, -1))
        .filter((line) => decodeLine(line)?.type !== 'journal'),
  };
}

const LIMITS = { maxFileBytes: 10_000, maxPendingBytes: 100_000 };

function open(script: readonly Answer[] = [], change: Partial<JournalOptions> = {}) {
  const disk = createScriptedDisk(script);
  const told: string[] = [];
  const journal = createJournal({
    folder: '/state/journal',
    owner: { boot: 'b', worker: 0 },
    files: disk.disk,
    ...LIMITS,
    onFile: (_name, seq) => void told.push(`file ${seq}`),
    onFailure: (error) => void told.push((error as { code: string }).code),
    onRecovery: (lost) => void told.push(`recovered ${lost}`),
    ...change,
  });
  return { journal, told, ...disk };
}

const line = (text: string): string => `"${text}"\n`;

describe('createJournal', () => {
  it('writes what waits in order, behind a line that names the owner', () => {
    const { journal, lines, told, names } = open();
    journal.add('r1', line('a'), 'first');
    journal.add('r1', line('b'), 'last');
    expect(lines()).toEqual([]);
    expect(journal.flush()).toBe(true);
    expect(lines()).toEqual(['"a"', '"b"']);
    expect(told).toEqual(['file 1']);
    expect(names[0]).toMatch(/^\/state\/journal\/00000001\.b\.0\.[0-9a-f]{8}\.jsonl$/);
    expect(journal.pendingBytes()).toBe(0);
  });

  it('makes the lines of one request safe at once', () => {
    const { journal, lines } = open();
    journal.add('r1', line('start'), 'first');
    journal.add('r1', line('attempt'), 'middle');
    expect(journal.flushRequest('r1')).toBe(true);
    expect(lines()).toEqual(['"start"', '"attempt"']);
  });

  it('goes on in a new file when one is large', () => {
    const { journal, lines, told } = open([], { maxFileBytes: 200 });
    for (let n = 0; n < 10; n++) {
      journal.add(`r${n}`, line('x'.repeat(80)), 'only');
      journal.flush();
    }
    expect(lines()).toHaveLength(10);
    expect(told.length).toBeGreaterThan(3);
    expect(journal.position()).toEqual({ seq: told.length, offset: expect.any(Number) });
  });

  it('goes on within a torn line once the disk has room', () => {
    const { journal, lines, told } = open([1_000, 2, 'ENOSPC']);
    journal.add('r0', line('zero'), 'only');
    journal.flush();
    journal.add('r1', line('one'), 'only');
    expect(journal.flush()).toBe(false);
    expect(lines()).toEqual(['"zero"']);
    journal.add('r2', line('two'), 'only');
    expect(journal.flush()).toBe(false);
    expect(journal.flush(true)).toBe(true);
    expect(lines()).toEqual(['"zero"', '"one"', '"two"']);
    expect(told).toEqual(['file 1', 'ENOSPC', 'recovered 0']);
  });

  it('leaves a file that is broken, and begins the next with a whole line', () => {
    const { journal, lines, told } = open([1_000, 2, 'EIO']);
    journal.add('r0', line('zero'), 'only');
    journal.flush();
    journal.add('r1', line('one'), 'only');
    expect(journal.flush()).toBe(false);
    expect(journal.flush(true)).toBe(true);
    expect(lines()).toEqual(['"zero"', '"one"']);
    expect(told).toEqual(['file 1', 'EIO', 'file 2', 'recovered 0']);
  });

  it('does not try for every line while the disk refuses', () => {
    const { journal, told } = open(['ENOSPC', 'ENOSPC']);
    for (let n = 0; n < 100; n++) {
      journal.add(`r${n}`, line('x'), 'middle');
      journal.flushRequest(`r${n}`);
      journal.flush();
    }
    expect(told.filter((word) => word === 'ENOSPC')).toHaveLength(1);
  });

  it('gives up the oldest requests when memory is full, whole ones, and counts them', () => {
    const { journal, lines, told, push } = open([], { maxPendingBytes: 5_000 });
    journal.add('half', line('half-1'), 'first');
    journal.flush();
    push('ENOSPC');
    journal.add('half', line('half-2'), 'middle');
    journal.flush();
    for (let n = 0; n < 50; n++) {
      journal.add(`r${n}`, line(`r${n} ${'x'.repeat(50)}`), 'first');
      journal.add(`r${n}`, line(`r${n} end`), 'last');
    }
    expect(journal.pendingBytes()).toBeLessThanOrEqual(5_000);
    while (journal.pendingBytes() > 0) journal.flush(true);
    const kept = lines().filter((text) => text.startsWith('"r'));
    expect(kept.length).toBeGreaterThan(10);
    expect(kept.at(-1)).toBe('"r49 end"');
    // A request is there with all its lines or with none.
    for (const text of kept.filter((one) => one.endsWith(' end"'))) {
      expect(kept.some((other) => other.startsWith(text.slice(0, text.indexOf(' ') + 1)) && other !== text)).toBe(true);
    }
    expect(told.at(-1)).toBe(`recovered ${100 - kept.length}`);
  });

  it('says of a request that the disk has the beginning of that its end is lost', () => {
    const { journal, lines, push } = open([], { maxPendingBytes: 3_000 });
    journal.add('half', line('half-1'), 'first');
    journal.flush();
    push('ENOSPC');
    journal.add('other', line('x'), 'only');
    journal.flush();
    journal.add('half', line('half-2'), 'middle');
    for (let n = 0; n < 30; n++) journal.add(`r${n}`, line('x'.repeat(50)), 'only');
    journal.add('half', line('half-3'), 'last');
    while (journal.pendingBytes() > 0) journal.flush(true);
    expect(lines()).toContain('{"type":"lost","request":"half"}');
    expect(lines().filter((text) => text.startsWith('"half'))).toEqual(['"half-1"']);
    // The name is free again: nothing is remembered for ever.
    journal.add('half', line('half-4'), 'only');
    journal.flush();
    expect(lines()).toContain('"half-4"');
  });

  it('keeps every line, whole and in the order of its request, whatever the disk does', () => {
    const answer = oneof(integer({ min: 1, max: 30 }), constantFrom('ENOSPC' as const, 'EIO' as const));
    const step = record({ request: integer({ min: 0, max: 3 }), isSync: boolean(), isTick: boolean() });
    assertProperty(
      property(
        array(answer),
        array(step, { maxLength: 60 }),
        integer({ min: 20, max: 400 }),
        (script, steps, maxFileBytes) => {
          const { journal, lines } = open(script, { maxFileBytes });
          const wanted = new Map<string, string[]>();
          for (const [n, { request, isSync, isTick }] of steps.entries()) {
            const id = `r${request}`;
            const mine = wanted.get(id) ?? [];
            wanted.set(id, [...mine, `"${id}-${n}"`]);
            journal.add(id, line(`${id}-${n}`), mine.length === 0 ? 'first' : 'middle');
            if (isSync) journal.flushRequest(id);
            if (isTick) journal.flush(true);
          }
          for (let tries = 0; tries < 1_000 && !(journal.flush(true) && journal.pendingBytes() === 0); tries++);
          for (const [id, mine] of wanted) {
            // A line that a broken file has may be in the next one again; it is recorded once.
            const found = lines().filter((text) => text.startsWith(`"${id}-`));
            expect([...new Set(found)]).toEqual(mine);
          }
        },
      ),
    );
  });
});
