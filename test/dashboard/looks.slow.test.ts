import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openPage, overflowOf, type Theme } from './browser.ts';
import { addressOf, findRescued, PAGE_NAMES } from './pages.ts';
import { raiseStage, type Stage } from './stage.ts';

const MAX_BYTES = 200 * 1024;
const ASSETS = fileURLToPath(new URL('../../dist/dashboard/assets/', import.meta.url));

let stage: Stage;
let browser: Browser;
let rescued: string;

beforeAll(async () => {
  stage = await raiseStage();
  await stage.play(3);
  rescued = await findRescued(stage.url);
  browser = await openBrowser();
}, 60_000);

afterAll(async () => {
  await browser?.close();
  stage?.close();
});

it('is small', () => {
  const sizes = readdirSync(ASSETS)
    .filter((name) => /\.(?:js|css)$/.test(name))
    .map((name) => gzipSync(readFileSync(`${ASSETS}${name}`)).length);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(MAX_BYTES);
});

describe.each<{ readonly theme: Theme; readonly width: number }>([
  { theme: 'dark', width: 1440 },
  { theme: 'light', width: 360 },
])('$theme, $width wide', ({ theme, width }) => {
  it.each(PAGE_NAMES)('%s can be read by all, fits and is at peace', async (name) => {
    const { page, context, troubles } = await openPage(browser, { url: stage.url, width, theme });
    await page.goto(addressOf(name, rescued));
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.getByText('Asking the gateway').first().waitFor({ state: 'hidden' });
    expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    const { violations } = await new AxeBuilder({ page }).analyze();
    const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
    expect(grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`)).toEqual(
      [],
    );
    expect(troubles).toEqual([]);
    await context.close();
  });
});
