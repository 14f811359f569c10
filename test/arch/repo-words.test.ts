import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listRepoFiles } from './files.ts';
import { TOP } from './source.ts';

/** This file has to spell out what it looks for; the lock file is full of hashes. */
const EXEMPT = ['test/arch/repo-words.test.ts', 'package-lock.json'];

const MACHINE_PATHS =
  /(?<![\w.~}])(\/work\/|\/root\/|\/home\/(?!me\/|you\/)\w+\/|\/Users\/\w+\/)|[A-Z]:\\Users\\|\.\.\/shared\/(?:design|cases|clients|background)\b/;

/** The repository speaks of the product, not of how it came about. */
const MAKERS =
  /\b(sub-?agents?|(this|the last|a previous|my) (session|conversation with)|as an ai\b|ai assistant|(generated|written|assisted) (by|with) (ai|an ai|claude|codex|copilot|chatgpt|gemini)\b|co-authored-by|(the|another|other|a) helpers? (writes?|wrote|owns?|builds?|does|session))/i;

const SECRETS = [
  /\bsk-(ant-|proj-|or-v1-)?[A-Za-z0-9_-]{24,}/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bAIza[0-9A-Za-z_-]{35}\b/,
  /\b(ghp|gho|ghs|github_pat|glpat|npm|hf|gsk|xai|nvapi)[_-][A-Za-z0-9_-]{30,}/,
  /\bxox[abprs]-[A-Za-z0-9-]{20,}/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  /\beyJ[A-Za-z0-9_-]{16,}\.eyJ[A-Za-z0-9_-]{16,}\./,
];
/** Made-up keys say so. */
const MADE_UP = /(example|planted|other|fake|dummy|test|secret|synthetic|0{6}|1234|abcdef)/i;

const findSecret = (text: string): string | undefined =>
  SECRETS.flatMap((pattern) => text.match(new RegExp(pattern, `${pattern.flags}g`)) ?? []).find(
    (hit) => !MADE_UP.test(hit),
  );

function findLines(matches: (line: string) => boolean): string[] {
  return listRepoFiles()
    .filter((file) => !EXEMPT.includes(file))
    .flatMap((file) =>
      readFileSync(join(TOP, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (matches(line) ? [`${file}:${index + 1}: ${line.trim().slice(0, 160)}`] : [])),
    );
}

describe('the repository', () => {
  it('names no path of a machine', () => {
    expect(findLines((line) => MACHINE_PATHS.test(line))).toEqual([]);
    expect(MACHINE_PATHS.test("readFile('/work/x')")).toBe(true);
    expect(MACHINE_PATHS.test('see ../shared/design')).toBe(true);
    expect(MACHINE_PATHS.test('https://example.test/root/x ~/work/x')).toBe(false);
  });

  it('does not speak of its makers', () => {
    expect(findLines((line) => MAKERS.test(line))).toEqual([]);
    expect(MAKERS.test('Co-authored-by: x')).toBe(true);
    expect(MAKERS.test('an assistant turn of this conversation; coding agents and their sessions')).toBe(false);
  });

  it('holds nothing that looks like a real secret', () => {
    expect(findLines((line) => findSecret(line) !== undefined)).toEqual([]);
    expect(findSecret(`key: sk-${'aB3dE9xQ'.repeat(4)}`)).toBeDefined();
    expect(findSecret('key: sk-planted-aB3dE9xQaB3dE9xQaB3dE9xQ')).toBeUndefined();
  });
});
