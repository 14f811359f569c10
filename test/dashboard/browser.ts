import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export type Theme = 'dark' | 'light';

/** The Chromium of this machine, or that of `UNDERSTUDY_CHROMIUM`. */
export function openBrowser(): Promise<Browser> {
  const executablePath = process.env['UNDERSTUDY_CHROMIUM'] ?? PLACES.find((place) => existsSync(place));
  if (executablePath === undefined)
    throw new Error('There is no Chromium: apt-get install chromium, or name one in UNDERSTUDY_CHROMIUM.');
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] });
}

/** A page and all that went wrong on it: errors of its console, violations of its policy, requests to elsewhere. */
export type WatchedPage = {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly troubles: readonly string[];
};

export type PageOptions = {
  readonly url: string;
  readonly width?: number;
  readonly height?: number;
  readonly theme?: Theme;
};

export async function openPage(browser: Browser, options: PageOptions): Promise<WatchedPage> {
  const { url, width = 1440, height = 900, theme = 'dark' } = options;
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(`console: ${message.text()}`);
  });
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== new URL(url).origin) troubles.push(`elsewhere: ${request.url()}`);
  });
  await page.addInitScript(`addEventListener('securitypolicyviolation', (event) =>
    console.error('policy: ' + event.violatedDirective + ' ' + event.blockedURI))`);
  return { page, context, troubles };
}

/** Pixels by which the page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
