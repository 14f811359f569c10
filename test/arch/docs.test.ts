import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listRepoFiles } from './files.ts';
import { TOP } from './source.ts';

const pages = listRepoFiles().filter((file) => file.endsWith('.md'));
const read = (file: string): string => readFileSync(join(TOP, file), 'utf8');

/** Markdown without code, where brackets are no links. */
const prose = (text: string): string => text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').replace(/`[^`\n]*`/g, '');

/** As GitHub makes an anchor of a heading: lower case, no punctuation, dashes for spaces. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

const anchorsOf = (text: string): string[] =>
  [...text.replace(/^(```|~~~)[\s\S]*?^\1/gm, '').matchAll(/^#+\s+(.*)$/gm)].map((match) => anchorOf(match[1] ?? ''));

function findBrokenLinks(page: string, text: string): string[] {
  const inline = [...prose(text).matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)];
  const named = [...prose(text).matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)];
  return [...inline, ...named].flatMap((match) => {
    const link = match[1] ?? '';
    if (/^[a-z]+:/i.test(link)) return [];
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    if (!existsSync(join(TOP, target))) return [`${page}: ${link} leads nowhere`];
    if (anchor === undefined || statSync(join(TOP, target)).isDirectory() || !target.endsWith('.md')) return [];
    const there = target === page ? text : read(target);
    return anchorsOf(there).includes(anchor) ? [] : [`${page}: ${link} names no heading`];
  });
}

describe('the pages', () => {
  it('lead nowhere that does not exist', () => {
    expect(pages.length).toBeGreaterThan(5);
    expect(pages.flatMap((page) => findBrokenLinks(page, read(page)))).toEqual([]);
  });

  it('would be red for a dead link or anchor', () => {
    expect(findBrokenLinks('README.md', '[x](docs/none.md)')).toHaveLength(1);
    expect(findBrokenLinks('CONTRIBUTING.md', '# A b\n[x](#a-b) [y](#c) `[z](none)`')).toHaveLength(1);
  });

  it('begin with the two commands that start it and test it', () => {
    const top = read('README.md').split('\n').slice(0, 40);
    const start = top.findIndex((line) => line.includes('npm ci && npm start'));
    const test = top.findIndex((line) => line.includes('npm ci && npm test'));
    expect(start).toBeGreaterThan(0);
    expect(test).toBeGreaterThan(start);
  });

  it('name every command of package.json that people run', () => {
    const scripts = Object.keys(JSON.parse(read('package.json')).scripts);
    const text = `${read('README.md')}\n${read('CONTRIBUTING.md')}`;
    expect(scripts.filter((name) => !new RegExp(`npm (run )?${name}\\b`).test(text))).toEqual([]);
  });

  it('number the decisions without a gap', () => {
    const numbers = pages.flatMap((page) => page.match(/^docs\/adr\/(\d{4})-[a-z0-9-]+\.md$/)?.[1] ?? []);
    expect(numbers.length).toBeGreaterThan(0);
    expect(numbers.map(Number)).toEqual(numbers.map((_, index) => index + 1));
    for (const page of pages.filter((name) => /^docs\/adr\/\d/.test(name))) {
      expect(read(page), page).toMatch(/^# \d{4} /);
      for (const part of ['Context', 'Decision', 'Consequences']) expect(read(page), page).toContain(`\n## ${part}\n`);
    }
  });
});
