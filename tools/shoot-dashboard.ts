// Makes the pictures of docs/dashboard.md: a real gateway with the demo's faults, some traffic, and a browser that looks.
//
//   npm run prepare && node tools/shoot-dashboard.ts [page …]
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { openBrowser, openPage, type Theme } from '../test/dashboard/browser.ts';
import { addressOf, findRescued, PAGE_NAMES, type PageName } from '../test/dashboard/pages.ts';
import { raiseStage, type Stage } from '../test/dashboard/stage.ts';
import { shrinkPng } from './shrink-png.ts';

const FOLDER = fileURLToPath(new URL('../docs/images/', import.meta.url));
const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
] as const;
const THEMES: readonly Theme[] = ['dark', 'light'];
/** For so long there is traffic before the first picture. */
const TRAFFIC_MS = 60_000;
const SETTLE_MS = 700;
const MAX_BYTES = 120 * 1024;

/** What is done on a page before its picture is taken. */
const BEFORE: Partial<Record<PageName, (page: Page, stage: Stage) => Promise<void>>> = {
  async models(page) {
    await page.getByRole('button', { name: 'what if' }).first().click();
    await page.getByRole('button', { name: 'Play it' }).first().click();
    await page.getByText('requests are answered').waitFor({ timeout: 60_000 });
  },
  async playground(page, { url }) {
    const id = encodeURIComponent('demo/rate-limited#default');
    await fetch(`${url}/api/v1/targets/${id}/reset`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    await page.getByLabel('Model, or a fault to try').selectOption('agent');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText(/^sent .* bound .* end /).waitFor();
  },
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function keepPlaying(stage: Stage, forMs: number): Promise<void> {
  const end = Date.now() + forMs;
  while (Date.now() < end) {
    await stage.play(1);
    await Promise.all([stage.ask('chat'), stage.ask('summary'), stage.ask('agent'), pause(1500 * Math.random())]);
  }
}

const asked = process.argv.slice(2);
const names = PAGE_NAMES.filter((name) => asked.length === 0 || asked.includes(name));
const stage = await raiseStage();
const browser = await openBrowser();
mkdirSync(FOLDER, { recursive: true });
await keepPlaying(stage, TRAFFIC_MS);
const rescued = await findRescued(stage.url);
for (const { width, height } of SIZES) {
  for (const theme of THEMES) {
    const { page, context } = await openPage(browser, { url: stage.url, width, height, theme });
    for (const name of names) {
      await stage.play(1);
      const waiting = stage.ask('slow', { stream: true, leaveMs: 4000 });
      await page.goto(addressOf(name, rescued));
      await page.getByRole('heading', { level: 1 }).waitFor();
      await BEFORE[name]?.(page, stage);
      await pause(SETTLE_MS);
      await page.mouse.move(0, 0);
      await page.evaluate('scrollTo(0, 0)');
      const file = `dashboard-${name}-${width}-${theme}.png`;
      const png = shrinkPng(await page.screenshot());
      if (png.length > MAX_BYTES) throw new Error(`${file} has ${png.length} bytes, and may have ${MAX_BYTES}.`);
      writeFileSync(`${FOLDER}${file}`, png);
      console.log(`${file} ${Math.ceil(png.length / 1024)} KiB`);
      await waiting;
    }
    await context.close();
  }
}
await browser.close();
stage.close();
