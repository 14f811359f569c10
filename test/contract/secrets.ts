import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Secrets } from '../../src/port/secrets.ts';

export type SecretsSetting = {
  readonly variables: Readonly<Record<string, string>>;
  /** Two `Secrets` with the same one are of one gateway before and after a restart. */
  readonly stateDir: string;
};

export function secretsContract(name: string, create: (setting: SecretsSetting) => Secrets): void {
  describe(`Secrets: ${name}`, () => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'understudy-secrets-'));
    });
    afterEach(() => rmSync(folder, { recursive: true, force: true }));

    const setting = (variables: Record<string, string> = {}, state = 'state'): SecretsSetting => ({
      variables,
      stateDir: join(folder, state),
    });
    const fileOf = (content: string) => {
      const path = join(folder, 'secret');
      writeFileSync(path, content);
      return path;
    };

    it('gives variables as they are, and tells an empty one from one that is not set', () => {
      const secrets = create(setting({ KEY: 'a b\n', EMPTY: '' }));
      expect(secrets.variable('KEY')).toBe('a b\n');
      expect(secrets.variable('EMPTY')).toBe('');
      expect(secrets.variable('MISSING')).toBeUndefined();
    });

    it.each(['toString', '__proto__', 'constructor', ''])('knows no variable that nobody set (%s)', (variable) => {
      expect(create(setting()).variable(variable)).toBeUndefined();
    });

    it.each([
      ['k', 'k'],
      ['k\n', 'k'],
      ['k\r\n', 'k'],
      ['k\n\n', 'k\n'],
      [' k ', ' k '],
      ['a\nb\n', 'a\nb'],
      ['', ''],
      ['\n', ''],
    ])('reads a file without its last line end (%j)', (content, expected) => {
      expect(create(setting()).file(fileOf(content)).reveal()).toBe(expected);
    });

    it('reads a file that does not print', () => {
      const secret = create(setting()).file(fileOf('hunter2\n'));
      expect([String(secret), JSON.stringify({ secret }), inspect(secret)].join(' ')).not.toContain('hunter2');
    });

    it('throws where there is no file to read', () => {
      const secrets = create(setting());
      expect(() => secrets.file(join(folder, 'missing'))).toThrow(/.+/);
      expect(() => secrets.file(folder)).toThrow(/.+/);
    });

    it('reads nothing that has no end, or that is no secret', () => {
      const secrets = create(setting());
      const codeOf = (path: string): unknown => {
        try {
          secrets.file(path);
        } catch (error) {
          return (error as { code?: unknown }).code;
        }
        return 'read';
      };
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      expect(codeOf('/dev/zero')).toBe('not_regular');
      expect(codeOf(pipe)).toBe('not_regular');
      expect(codeOf(folder)).toBe('EISDIR');
      expect(codeOf(fileOf('x'.repeat(64 * 1024 + 1)))).toBe('too_large');
      expect(secrets.file(fileOf('x'.repeat(64 * 1024))).reveal()).toHaveLength(64 * 1024);
    });

    it('makes fingerprints that are hex, stable and tell nothing', () => {
      const secrets = create(setting());
      const mark = secrets.fingerprint(['hunter2', 'https://a.test']);
      expect(mark).toMatch(/^[0-9a-f]{32,}$/);
      expect(secrets.fingerprint(['hunter2', 'https://a.test'])).toBe(mark);
      expect(mark).not.toContain(Buffer.from('hunter2').toString('hex'));
    });

    it('tells parts apart, and where one ends and the next begins', () => {
      const secrets = create(setting());
      const marks = [
        ['ab', 'c'],
        ['a', 'bc'],
        ['abc'],
        ['abc', ''],
        ['', 'abc'],
        ['c', 'ab'],
        [],
        [''],
        ['1:a'],
        ['a', '1:'],
      ];
      expect(new Set(marks.map((parts) => secrets.fingerprint(parts))).size).toBe(marks.length);
    });

    it('keeps fingerprints over a restart, and they are keyed: another gateway has others', () => {
      const mark = create(setting()).fingerprint(['hunter2']);
      expect(create(setting()).fingerprint(['hunter2'])).toBe(mark);
      expect(create(setting({}, 'other')).fingerprint(['hunter2'])).not.toBe(mark);
    });
  });
}
