import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DemoServer, startDemoServer } from '../../src/app/demo-server.ts';
import { type Gateway, wireGateway } from '../../src/app/wire.ts';
import { DEMO_MODELS } from '../../src/simulate/demo-script.ts';
import { configOf } from '../kit/config-text.ts';
import { type CurlRequest, fitsSample, listFences, readCurl } from '../kit/page.ts';
import { runCurl } from '../kit/run-curl.ts';
import { listRepoFiles } from './files.ts';
import { TOP } from './source.ts';

const read = (file: string): string => readFileSync(join(TOP, file), 'utf8');
const pages = listRepoFiles().filter((file) => /^(README|docs\/.*)\.md$/.test(file));

/** Loads a sample with every variable set and every secret file there. */
function load(text: string) {
  const env = Object.fromEntries(
    [...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => [name, `made-up-${name}-1234567890`]),
  );
  const files = Object.fromEntries(
    [...text.matchAll(/\$\{file:([^}]+)\}/g)].map(([, path]) => [path, `fake-${path}-1234567890`]),
  );
  return configOf(text, { env, files, demoOrigin: 'http://127.0.0.1:1' });
}

describe('the configurations in the pages', () => {
  const samples = pages.flatMap((page) =>
    listFences(read(page))
      .filter(({ lang, isFragment }) => lang === 'yaml' && !isFragment)
      .map(({ text, line }) => ({ place: `${page}:${line}`, text })),
  );

  it('are many', () => expect(samples.length).toBeGreaterThanOrEqual(4));

  it.each(samples)('$place loads', ({ text }) => {
    const { models } = load(text);
    expect(models.size).toBeGreaterThan(0);
  });

  it('the first one of docs/configuration.md runs as it is', () => {
    const [first] = listFences(read('docs/configuration.md')).filter(({ lang }) => lang === 'yaml');
    expect(configOf(first?.text ?? '', { demoOrigin: 'http://127.0.0.1:1' }).models.has('main')).toBe(true);
  });

  it('the variables of the second one are those that its page says to export', () => {
    const page = read('docs/configuration.md');
    const second = listFences(page).filter(({ lang }) => lang === 'yaml')[1]?.text ?? '';
    const [, told = ''] = /`export` the variables([\s\S]*?) first/.exec(page) ?? [];
    const names = (text: string, pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([, name]) => name));
    expect(names(told, /`(\w+)`/g)).toEqual(names(second, /\$\{(\w+)\}/g));
  });

  it('would be red for a wrong one', () => {
    expect(() => load('models: { main: { targets: [nobody/x] } }')).toThrow('nobody');
  });

  it('docs/demo.yaml is the one that its page shows', () => {
    expect(listFences(read('docs/demo.md')).find(({ lang }) => lang === 'yaml')?.text).toBe(read('docs/demo.yaml'));
  });
});

/** So many times as fast as the page says: its whole story would take two minutes. */
const PACE = 40;

/** Times of a file or a header at that pace: `2s` is `50ms`. */
const hurry = (text: string): string =>
  text.replaceAll(/\b(\d+)s\b/g, (_, seconds) => `${(Number(seconds) * 1000) / PACE}ms`);

describe('docs/demo.md', () => {
  const page = read('docs/demo.md');
  const fences = listFences(page);
  let demo: DemoServer;
  let gateway: Gateway;
  let origin: string;

  beforeAll(async () => {
    demo = await startDemoServer({ pace: PACE });
    const config = configOf(hurry(read('docs/demo.yaml')), { demoOrigin: demo.origin });
    gateway = wireGateway(config, { version: '0.0.0-test', log: { level: 'silent' } });
    origin = `http://127.0.0.1:${(await gateway.server.listen('127.0.0.1', 0)).port}`;
  });
  afterAll(async () => {
    gateway.server.close();
    gateway.server.destroy();
    await gateway.close();
    await demo.close();
  });

  /** As curl prints it. */
  function run(command: CurlRequest): Promise<string> {
    const headers = Object.fromEntries(Object.entries(command.headers).map(([name, text]) => [name, hurry(text)]));
    return runCurl({ ...command, headers }, origin);
  }

  const commands = fences.flatMap((fence, i) => {
    const next = fences[i + 1];
    return fence.lang === 'sh' && fence.text.startsWith('curl')
      ? [{ line: fence.line, text: fence.text, sample: next?.lang === 'text' ? next.text : '' }]
      : [];
  });

  // In the order of the page, since what happened before is remembered.
  it.each(commands)('the command in line $line prints what the page says', async ({ text, sample }) => {
    expect(sample, 'a block ```text must follow').not.toBe('');
    const printed = await run(readCurl(text));
    expect(fitsSample(sample, printed), `${sample}\n— but it printed —\n${printed}`).toBe(true);
  });

  const rows = [...page.matchAll(/^\| `([\w./-]+)` \| (?:`([\w-]+): (\w+)`)? ?\| (\d+) \| (?:`(\w+)`|none)/gm)].map(
    ([, model, header, value, status, code]) => ({ model: model ?? '', header, value, status: Number(status), code }),
  );

  it.each(rows)('alone, $model ends as the table says', async ({ model, header, value, status, code }) => {
    const response = await fetch(`${origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(header && value ? { [header]: hurry(value) } : {}) },
      body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content: 'hi' }] }),
    });
    expect(response.status).toBe(status);
    expect(/"code":"(\w+)"/.exec(await response.text())?.[1]).toBe(code);
  });

  it('leaves out no model of the demo', () => {
    expect(commands.length).toBeGreaterThan(DEMO_MODELS.length);
    const shown = rows.flatMap(({ model }) => (model.startsWith('demo/') ? [model.slice('demo/'.length)] : []));
    expect(DEMO_MODELS.filter((model) => !shown.includes(model))).toEqual([]);
    const headings = page.split('\n').filter((line) => line.startsWith('## '));
    expect(DEMO_MODELS.filter((model) => !headings.includes(`## ${model}`))).toEqual([]);
  });
});

describe('docs/protocols.md', () => {
  const fences = listFences(read('docs/protocols.md'));
  const at = fences.findIndex(({ lang, text }) => lang === 'sh' && text.startsWith('curl'));
  const [file, command, sample] = fences.slice(at - 1, at + 2).map(({ text }) => text);

  it('moves a session as it says', async () => {
    const demo = await startDemoServer({ pace: PACE });
    const config = configOf(file ?? '', { demoOrigin: demo.origin });
    const gateway = wireGateway(config, { version: '0.0.0-test', log: { level: 'silent' } });
    const { port } = await gateway.server.listen('127.0.0.1', 0);
    const printed = await runCurl(readCurl(command ?? ''), `http://127.0.0.1:${port}`);
    expect(fitsSample(sample ?? '', printed), `${sample}\n— but it printed —\n${printed}`).toBe(true);
    gateway.server.close();
    gateway.server.destroy();
    await gateway.close();
    await demo.close();
  });
});

describe('a sample', () => {
  it('fits what it leaves things out of, and nothing else', () => {
    expect(fitsSample('a\n…\nc…', 'a\nb\nb\nc d')).toBe(true);
    expect(fitsSample('{"x":…}', '{"x":1}\n')).toBe(true);
    expect(fitsSample('a…c', 'a b')).toBe(false);
    expect(fitsSample('b…', 'a b')).toBe(false);
    expect(fitsSample('a', 'a b')).toBe(false);
  });

  it('of curl is read as a shell would', () => {
    expect(readCurl(`curl -i http://x/y \\\n -H 'a: b: c' -d '{"a":"b c"}'`)).toEqual({
      url: 'http://x/y',
      method: 'POST',
      headers: { a: 'b: c' },
      body: '{"a":"b c"}',
      showsHead: true,
    });
    expect(() => readCurl('curl --wild http://x')).toThrow('--wild');
  });
});
