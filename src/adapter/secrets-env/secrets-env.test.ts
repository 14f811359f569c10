import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEnvironmentSecrets } from './index.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'understudy-secrets-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const open = (stateDir: string | null, env: Record<string, string> = {}) =>
  createEnvironmentSecrets({ env, stateDir, makeFolder: (path, mode) => mkdirSync(path, { recursive: true, mode }) });

describe('secrets of the environment', () => {
  it('are variables, and nothing that objects have anyway', () => {
    const secrets = open(null, { A: 'x', EMPTY: '' });
    expect([secrets.variable('A'), secrets.variable('EMPTY'), secrets.variable('B')]).toEqual(['x', '', undefined]);
    expect(secrets.variable('constructor')).toBeUndefined();
  });

  it('are files without their last line end', () => {
    const file = join(folder, 'key');
    for (const [text, wanted] of [
      ['k\n', 'k'],
      ['k\r\n', 'k'],
      ['k', 'k'],
      ['k\n\n', 'k\n'],
      [' k ', ' k '],
    ] as const) {
      writeFileSync(file, text);
      expect(open(null).file(file).reveal()).toBe(wanted);
    }
    expect(() => open(null).file(join(folder, 'none'))).toThrow('ENOENT');
  });
});

describe('fingerprints', () => {
  const state = (): string => join(folder, 'state', 'deep');

  it('last as long as the state directory, whose key only its owner reads', () => {
    const first = open(state()).fingerprint(['a', 'b']);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(open(state()).fingerprint(['a', 'b'])).toBe(first);
    expect(open(join(folder, 'other')).fingerprint(['a', 'b'])).not.toBe(first);
    expect(statSync(join(state(), 'fingerprint.key')).mode & 0o777).toBe(0o600);
    expect(readdirSync(state())).toEqual(['fingerprint.key']);
  });

  it('last as long as the process where no folder can be made', () => {
    const secrets = createEnvironmentSecrets({ env: {}, stateDir: join(folder, 'no', 'parent') });
    expect(secrets.fingerprint(['a'])).toBe(secrets.fingerprint(['a']));
    expect(readdirSync(folder)).toEqual([]);
  });

  it('tell parts apart', () => {
    const secrets = open(null);
    const prints = [['ab', 'c'], ['a', 'bc'], ['abc'], ['abc', ''], ['', 'abc']].map((parts) =>
      secrets.fingerprint(parts),
    );
    expect(new Set(prints).size).toBe(prints.length);
    expect(secrets.fingerprint(['ab', 'c'])).toBe(prints[0]);
  });

  it('make no folder before they are asked for', () => {
    open(state());
    expect(readdirSync(folder)).toEqual([]);
  });

  it('do without a folder that can not be made', () => {
    const blocked = join(folder, 'file');
    writeFileSync(blocked, '');
    const secrets = open(join(blocked, 'state'));
    expect(secrets.fingerprint(['a'])).toBe(secrets.fingerprint(['a']));
  });

  it('replace a key that is damaged', () => {
    writeFileSync(join(folder, 'fingerprint.key'), 'half');
    const print = open(folder).fingerprint(['a']);
    expect(open(folder).fingerprint(['a'])).toBe(print);
    expect(readFileSync(join(folder, 'fingerprint.key'), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
    chmodSync(folder, 0o700);
  });
});
