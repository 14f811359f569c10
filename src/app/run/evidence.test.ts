import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeStateDir } from '../../../test/kit/state-dir.ts';
import { GROWING_FILES, openEvidence, WHOLE_FILES } from './evidence.ts';

const scrub = (text: string): string => text.replaceAll('sk-real', '[secret]');

describe('evidence', () => {
  it('is whole or growing, and free of secrets', () => {
    const folder = join(makeStateDir(), 'a', 'b');
    const evidence = openEvidence(folder, { scrub });
    const read = (file: string): string => readFileSync(join(folder, file), 'utf8');
    evidence.put('verdict.json', { outcome: 'unfinished', note: 'sk-real' });
    evidence.append('requests.jsonl', { id: 'r1', reason: 'the key sk-real is bad' });
    evidence.append('requests.jsonl', { id: 'r2', ms: 1 });
    expect(readdirSync(folder).toSorted()).toEqual(
      [...GROWING_FILES.map((file) => `${file}.part`), 'verdict.json'].toSorted(),
    );
    expect(read('requests.jsonl.part')).toBe('{"id":"r1","reason":"the key [secret] is bad"}\n{"id":"r2","ms":1}\n');
    evidence.put('verdict.json', { outcome: 'ok' });
    evidence.put('summary.md', '# sk-real');
    evidence.finish();
    expect(JSON.parse(read('verdict.json'))).toEqual({ outcome: 'ok' });
    expect(read('summary.md')).toBe('# [secret]\n');
    expect(readdirSync(folder).toSorted()).toEqual([...GROWING_FILES, 'summary.md', 'verdict.json'].toSorted());
    expect(evidence.trouble()).toBeNull();
  });

  it('takes out what an earlier run left, and nothing else', () => {
    const folder = makeStateDir();
    for (const file of [...WHOLE_FILES, ...GROWING_FILES, 'notes.txt', 'requests.jsonl.part']) {
      writeFileSync(join(folder, file), 'old');
    }
    openEvidence(folder, { scrub }).finish();
    expect(readFileSync(join(folder, 'notes.txt'), 'utf8')).toBe('old');
    expect(readFileSync(join(folder, 'requests.jsonl'), 'utf8')).toBe('');
    expect(WHOLE_FILES.filter((file) => existsSync(join(folder, file)))).toEqual([]);
  });

  it('says that something is missing, and goes on', () => {
    const folder = makeStateDir();
    const evidence = openEvidence(folder, { scrub });
    mkdirSync(join(folder, 'summary.md'));
    evidence.put('summary.md', 'x');
    evidence.put('verdict.json', {});
    expect(evidence.trouble()).toMatch(/EISDIR|ENOTEMPTY/);
    expect(existsSync(join(folder, 'verdict.json'))).toBe(true);
  });

  it('refuses a place that is no folder', () => {
    const file = join(makeStateDir(), 'file');
    writeFileSync(file, '');
    chmodSync(file, 0o600);
    expect(() => openEvidence(join(file, 'x'), { scrub })).toThrow('ENOTDIR');
  });
});
