import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { listFences } from '../kit/page.ts';
import { listRepoFiles } from './files.ts';
import { TOP } from './source.ts';

const read = (file: string): string => readFileSync(join(TOP, file), 'utf8');
const pages = listRepoFiles().filter((file) => file.startsWith('docs/clients/'));

const HEADINGS = ['Settings', 'Names of models', 'When something fails', 'Limits'];

/** Where these want the address without `/v1`: Anthropic's own clients add it. */
const ROOT_URL =
  /GOOGLE_GEMINI_BASE_URL|GoogleGenAI\(|genai\.Client\(|ANTHROPIC_BASE_URL|anthropicApiUrl|new Anthropic\(|Anthropic\(base_url|COPILOT_PROVIDER_TYPE=anthropic|`anthropic-messages`/;

describe('a page of a client', () => {
  it('stands in the index and in the table of contents', () => {
    expect(pages.length).toBeGreaterThanOrEqual(12);
    for (const index of ['docs/clients.md', 'docs/README.md']) {
      const text = read(index);
      expect(pages.filter((page) => !text.includes(`(${page.replace('docs/', '')})`))).toEqual([]);
    }
  });

  it.each(pages)('%s tells settings, names, failures and limits', (page) => {
    const headings = [...read(page).matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(HEADINGS);
  });

  it.each(pages)('%s has JSON that parses', (page) => {
    const texts = listFences(read(page)).flatMap(({ lang, text }) => (lang === 'json' ? [text] : []));
    expect(texts.map((text) => typeof JSON.parse(text))).toEqual(texts.map(() => 'object'));
  });

  it.each(pages)('%s names one address, with /v1 where the client does not add it', (page) => {
    const statements = read(page).replaceAll('\\\n', ' ').split('\n');
    for (const line of statements) {
      for (const [url] of line.matchAll(/https?:\/\/(?:127\.0\.0\.1|localhost)[^\s"'`)]*/g)) {
        expect(url, line).toBe(ROOT_URL.test(line) ? 'http://127.0.0.1:4180' : 'http://127.0.0.1:4180/v1');
      }
    }
  });
});
