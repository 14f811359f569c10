import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, openPage, type WatchedPage } from './browser.ts';
import { findRescued } from './pages.ts';
import { ADMIN_TOKEN, raiseStage, type Stage } from './stage.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await openBrowser();
}, 60_000);

afterAll(() => browser?.close());

/** What the management API says. */
async function read<T>(stage: Stage, path: string): Promise<T> {
  const response = await fetch(`${stage.url}/api/v1${path}`);
  return (await response.json()) as T;
}

type Scope = { readonly state: string };

const stateOf = async (stage: Stage, id: string): Promise<string> =>
  (await read<Scope>(stage, `/targets/${encodeURIComponent(id)}`)).state;

const seen = (what: Locator): Promise<boolean> => what.waitFor().then(() => true);

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe('every page', () => {
  let stage: Stage;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    stage = await raiseStage();
    watched = await openPage(browser, { url: stage.url });
    ({ page } = watched);
  }, 60_000);

  afterAll(async () => {
    await watched?.context.close();
    stage?.close();
  });

  const go = async (name: string): Promise<void> => {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).first().click();
  };

  it('shows a failover with one press', async () => {
    await page.goto('/');
    await page.getByRole('button', { name: 'Send a request' }).click();
    expect(
      await seen(
        page
          .getByText('acme/large answered, after')
          .or(page.getByText(/of \d+ requests|no client saw one/))
          .first(),
      ),
    ).toBe(true);
    expect(await seen(page.getByRole('heading', { level: 1, name: /no client saw one/ }))).toBe(true);
  });

  it('answers what is broken, who is affected, and whether it is us', async () => {
    await stage.play(2);
    expect(await seen(page.getByRole('heading', { level: 1, name: /requests failed/ }))).toBe(true);
    const glance = page.getByRole('region', { name: 'At a glance' });
    expect(await seen(glance.getByText('demo/error-503').first())).toBe(true);
    expect(await seen(glance.getByText('brittle'))).toBe(true);
    expect(await seen(glance.getByText('No, providers fail'))).toBe(true);
    expect(await seen(card(page, 'Out of service now').getByRole('link', { name: 'acme/team' }))).toBe(true);
    await page.getByRole('button', { name: '1h', exact: true }).click();
    expect(await seen(page.getByRole('button', { name: '1h', exact: true, pressed: true }))).toBe(true);
  });

  it('shows who waits, as it happens', async () => {
    const slow = stage.ask('slow', { stream: true, leaveMs: 3000 });
    expect(await seen(card(page, 'Under way').getByRole('link', { name: 'slow' }))).toBe(true);
    await slow;
    expect(await seen(card(page, 'Under way').getByText('Nobody waits.'))).toBe(true);
  });

  it('lists requests live, pauses, and narrows them', async () => {
    await go('Requests');
    const rows = page.getByRole('row');
    await rows.nth(1).waitFor();
    const count = await rows.count();
    await stage.ask('retired');
    await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(count + 1);
    await page.getByRole('button', { name: 'Pause' }).click();
    await stage.ask('retired');
    await page.getByLabel('Outcome').selectOption('interrupted');
    await page.waitForURL(/outcome=interrupted/);
    await expect.poll(() => rows.filter({ hasText: 'brittle' }).count(), { timeout: 10_000 }).toBeGreaterThan(0);
    await expect.poll(() => rows.filter({ hasText: 'retired' }).count(), { timeout: 10_000 }).toBe(0);
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByRole('combobox', { name: 'Model' }).fill('agent');
    await page.waitForURL(/model=agent/);
    await expect.poll(() => rows.filter({ hasText: 'chat' }).count(), { timeout: 10_000 }).toBe(0);
    await page.getByLabel('Since').selectOption('last hour');
    await page.waitForURL(/since=/);
    await page.getByRole('button', { name: 'Go on live' }).click();
  });

  it('tells of one request what the client saw, who was asked and who was passed over', async () => {
    await page.goto(`/requests/${await findRescued(stage.url)}`);
    expect(await seen(page.getByRole('heading', { level: 1, name: /failures? that the client never saw/ }))).toBe(true);
    expect(await seen(page.getByText('200: the whole answer.'))).toBe(true);
    expect(await seen(page.getByRole('list', { name: 'Legend' }).getByText('answer bound to it'))).toBe(true);
    expect(await seen(page.getByText(/^sent .* head .* bound .* end /).first())).toBe(true);
    await page.goto('/requests?model=agent');
    await page.getByRole('row').nth(1).getByRole('link').click();
    expect(await seen(card(page, 'Who was passed over').getByText('skipped: on hold'))).toBe(true);
    expect(await seen(card(page, 'Why in this order').getByText('held by the word of its server'))).toBe(true);
  });

  it('tells until when a key is on hold, disables a route only when that is confirmed, and resets it', async () => {
    await go('Targets');
    await page.getByRole('heading', { level: 1, name: /routes are out of service/ }).waitFor();
    await page
      .locator('li[id="acme/team"]')
      .getByText(/back in 1 h/)
      .waitFor();
    await page.getByRole('button', { name: 'Disable demo/ok#default' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await stateOf(stage, 'demo/ok#default')).toBe('ready');
    await page.getByRole('button', { name: 'Disable demo/ok#default' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('button', { name: 'Enable demo/ok#default' }).click();
    await page.getByRole('button', { name: 'Disable demo/ok#default' }).waitFor();
    expect(await stateOf(stage, 'demo/ok#default')).toBe('ready');
    await page.getByRole('button', { name: 'Reset acme/team' }).click();
    await expect.poll(() => stateOf(stage, 'acme/team')).toBe('ready');
    await page.getByRole('button', { name: 'out of service' }).click();
    await expect.poll(() => page.locator('li[id="demo/ok#default"]').count()).toBe(0);
  });

  it('drags a target to another place', async () => {
    await go('Models');
    const agent = card(page, 'agent');
    await card(page, 'slow').getByText('ready').waitFor();
    await agent.getByRole('listitem').nth(2).dragTo(agent.getByRole('listitem').nth(0));
    expect(await agent.getByText('demo/ok is now 1 of 3.').textContent()).toBe('demo/ok is now 1 of 3.');
    await agent.getByRole('button', { name: 'Discard' }).click();
  });

  it('changes the order of a model in the file', async () => {
    const summary = card(page, 'summary');
    await summary.getByRole('button', { name: 'Move demo/ok up' }).click();
    await summary.getByText('demo/ok is now 1 of 3.').waitFor({ state: 'attached' });
    await summary.getByLabel('Weight of demo/ok').fill('5');
    await summary.getByRole('button', { name: 'file', exact: true }).click();
    await summary.getByText('{ provider: demo, model: ok, weight: 5 }').waitFor();
    await summary.getByRole('button', { name: 'Write to the file' }).click();
    await summary.getByRole('button', { name: 'Write to the file' }).waitFor({ state: 'hidden' });
    const file = readFileSync(stage.gateway.file, 'utf8');
    expect(file).toContain('weight: 5');
    expect(file).toContain('# The one that limits us comes first on purpose.');
  });

  it('plays what would happen', async () => {
    const chat = card(page, 'chat');
    await chat.getByRole('button', { name: 'what if' }).click();
    await chat.getByRole('button', { name: 'Play it' }).click();
    expect(await seen(chat.getByText('120 of 120 requests are answered'))).toBe(true);
    expect(await seen(chat.getByText('All clients see a whole answer'))).toBe(true);
  });

  it('probes with its steps in sight', async () => {
    await go('Readiness');
    await page.getByRole('button', { name: 'Probe now' }).click();
    await page.getByRole('heading', { name: /^Probed: \d+/ }).waitFor({ timeout: 120_000 });
    expect(await seen(page.getByRole('progressbar'))).toBe(true);
    expect(
      await seen(
        page
          .getByText(/brittle.*nobody can serve/)
          .or(page.getByText(/models? (?:are|has)/))
          .first(),
      ),
    ).toBe(true);
  });

  it('sums up what failed sends used', async () => {
    await go('Usage');
    const used = page.getByText('Used by failed sends').first().locator('xpath=..');
    await expect.poll(() => used.textContent(), { timeout: 10_000 }).toMatch(/[1-9]00/);
    await page.getByRole('button', { name: 'target', exact: true }).click();
    await page.getByRole('rowheader', { name: 'acme/mute' }).waitFor();
  });

  it('streams an answer, and shows attempts while the client still waits', async () => {
    await go('Playground');
    await page.getByLabel('Model, or a fault to try').selectOption('slow');
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await seen(card(page, 'Who is asked').getByText('demo/slow-first-token'))).toBe(true);
    await page.getByRole('button', { name: 'Stop' }).click();
    expect(await seen(page.getByText('You stopped it.'))).toBe(true);
    for (const protocol of ['chat', 'messages', 'responses', 'gemini']) {
      await page.getByRole('button', { name: protocol, exact: true }).click();
      await page.getByLabel('Model, or a fault to try').selectOption('demo/ok');
      await page.getByRole('button', { name: 'Send' }).click();
      expect(await seen(card(page, 'What the client gets').getByText(/understudy/i))).toBe(true);
      expect(await seen(page.getByRole('button', { name: 'Send', disabled: false }))).toBe(true);
    }
    await page.getByRole('button', { name: 'chat', exact: true }).click();
    await page.getByLabel('Model, or a fault to try').selectOption('demo/html-200');
    await page.getByRole('button', { name: 'Send' }).click();
    expect(await seen(card(page, 'What the client gets').getByText('502'))).toBe(true);
  });

  it('keeps who changed what, and goes back', async () => {
    await go('Settings');
    await card(page, 'Who changed what').getByText('changed a model').first().waitFor();
    const versions = card(page, 'Versions of the configuration');
    await versions
      .getByRole('button', { name: /^Go back to/ })
      .first()
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Go back' }).click();
    await expect.poll(() => readFileSync(stage.gateway.file, 'utf8'), { timeout: 10_000 }).not.toContain('weight: 5');
  });

  it('goes on by asking where nobody tells what happens', async () => {
    await page.route('**/api/v1/events', (route) => route.abort());
    await page.goto('/requests');
    await page.getByText('Polling').first().waitFor();
    const rows = page.getByRole('row');
    await rows.nth(1).waitFor();
    const count = await rows.count();
    await stage.ask('retired');
    await expect.poll(() => rows.count(), { timeout: 10_000 }).toBe(Math.min(51, count + 1));
    await page.unroute('**/api/v1/events');
  });

  it('had no trouble on the way', () => {
    // The answers that were meant to fail, and the feed that was taken away.
    const meant = /Failed to load resource: (?:the server responded with a status of 502|net::ERR_FAILED)/;
    expect(watched.troubles.filter((trouble) => !meant.test(trouble))).toEqual([]);
  });
});

describe('by keyboard alone', () => {
  let stage: Stage;
  let watched: WatchedPage;
  let page: Page;

  beforeAll(async () => {
    stage = await raiseStage();
    await stage.play(1);
    watched = await openPage(browser, { url: stage.url });
    ({ page } = watched);
  }, 60_000);

  afterAll(async () => {
    await watched?.context.close();
    stage?.close();
  });

  const focused = (): Promise<string> =>
    page.evaluate<string>(`(() => {
      const { activeElement: at } = document;
      return (at.getAttribute('aria-label') ?? at.textContent ?? '').trim();
    })()`);

  /** Presses Tab until what has the focus is named so; the focus must be seen everywhere on the way. */
  const tabTo = async (name: string | RegExp, most = 120): Promise<void> => {
    for (let pressed = 0; pressed < most; pressed += 1) {
      await page.keyboard.press('Tab');
      const isSeen = await page.evaluate<boolean>(`(() => {
        const at = document.activeElement;
        return at === document.body || getComputedStyle(at).outlineStyle !== 'none' || at.matches('summary, dialog');
      })()`);
      expect(isSeen, `the focus on "${await focused()}" can be seen`).toBe(true);
      const now = await focused();
      if (typeof name === 'string' ? now === name : name.test(now)) return;
    }
    throw new Error(`Tab does not come to ${String(name)}`);
  };

  it('walks from page to page and does what there is to do', async () => {
    await page.goto('/');
    await page.getByRole('heading', { level: 1, name: /failed/ }).waitFor();
    await tabTo('Skip to the content');
    await page.keyboard.press('Enter');
    await tabTo('15m');
    await page.keyboard.press('Enter');

    await page.goto('/requests');
    await page.getByRole('row').nth(1).waitFor();
    await tabTo(/ago$|just now/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/requests\/req_/);
    await page.getByRole('heading', { name: 'Who was asked' }).waitFor();

    await page.keyboard.press('Home');
    await page.goto('/targets');
    await page.getByRole('button', { name: 'Disable demo/ok#default' }).waitFor();
    await tabTo('Disable demo/ok#default');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await focused()).toBe('Disable demo/ok#default');
    await page.keyboard.press('Enter');
    await tabTo('Disable', 4);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Enable demo/ok#default' }).waitFor();
    expect(await stateOf(stage, 'demo/ok#default')).toBe('disabled');

    await page.goto('/models');
    await page.getByRole('button', { name: 'Move acme/large up' }).first().waitFor();
    await tabTo('Move acme/large up');
    await page.keyboard.press('Enter');
    expect(await focused()).toBe('Move acme/large up');
    await tabTo('Write to the file');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => readFileSync(stage.gateway.file, 'utf8'), { timeout: 10_000 })
      .toMatch(/chat:.*\[ ?acme\/large, demo\/error-503 ?\]/);

    await page.goto('/playground');
    await page.getByRole('button', { name: 'Send', disabled: false }).waitFor();
    await tabTo('Send');
    await page.keyboard.press('Enter');
    await card(page, 'Who is asked').getByRole('link', { name: 'Explain' }).waitFor();
    await tabTo('Explain');
    await page.keyboard.press('Enter');
    await page.waitForURL(/requests\/req_/);
    expect(watched.troubles).toEqual([]);
  });
});

describe('with an admin token', () => {
  it('lets nobody in without it', async () => {
    const stage = await raiseStage({ needsToken: true });
    const { page, context } = await openPage(browser, { url: stage.url, width: 390, height: 844 });
    await page.goto('/targets');
    await page.getByLabel('Admin token').fill('not the token');
    await page.getByRole('button', { name: 'Log in' }).click();
    expect(await seen(page.getByRole('alert'))).toBe(true);
    await page.getByLabel('Admin token').fill(ADMIN_TOKEN);
    await page.getByRole('button', { name: 'Log in' }).click();
    expect(await seen(page.getByRole('heading', { level: 1, name: /target/ }))).toBe(true);
    expect(await seen(page.getByText('Live', { exact: true }).last())).toBe(true);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('navigation', { name: 'More pages' }).getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('button', { name: 'Log out' }).click();
    expect(await seen(page.getByLabel('Admin token'))).toBe(true);
    await context.close();
    stage.close();
  }, 60_000);
});
