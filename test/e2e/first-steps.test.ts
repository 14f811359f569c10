import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Finding } from '../../src/app/doctor/examine.ts';
import { planAnswer } from '../../src/management/contract.ts';
import { cleanUp, scratchFolder, startGateway } from './gateway-process.ts';
import { runHere } from './run-here.ts';

afterAll(cleanUp);

type Env = Readonly<Record<string, string>>;
const run = (home: string, args: readonly string[], env: Env = {}) => runHere(args, { home, env });

describe('init', () => {
  const keys = { OPENAI_API_KEY: 'sk-made-up-1234567890', GROQ_API_KEY: 'gsk-made-up-1234567890' };

  it('--yes writes a file that is right, and never a key', async () => {
    const home = scratchFolder();
    const written = await run(home, ['init', '--yes'], keys);
    expect(written).toMatchObject({ code: 0, err: '' });
    expect(written.out).toMatch(
      /understudy\.yaml is written.*\n\n +Chat +openai\/\S+, then groq\/.*\n +Responses +openai-responses\/\S+; then the others, translated\n/,
    );
    const text = readFileSync(join(home, 'understudy.yaml'), 'utf8');
    expect(text).toContain('${OPENAI_API_KEY}');
    expect(text).not.toContain('made-up');
    expect(written.out).toMatch(/export OPENAI_API_KEY=… +# is set here[\s\S]*export GROQ_API_KEY=… /);
    expect(written.out).not.toContain('made-up');
    expect(await run(home, ['check'], keys)).toMatchObject({ code: 0, err: '' });
    expect((await run(home, ['check'])).err).toContain('OPENAI_API_KEY');
  });

  it('replaces nothing but with --force, and says what is missing', async () => {
    const home = scratchFolder();
    const file = join(home, 'understudy.yaml');
    writeFileSync(file, 'mine');
    expect(await run(home, ['init', '--yes'], keys)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--force'),
    });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    const forced = await run(home, ['init', '--yes', '--force', '--json'], keys);
    expect(JSON.parse(forced.out)).toMatchObject({
      file,
      targets: ['openai/', 'groq/', 'openai-responses/'].map((name) => expect.stringContaining(name)),
    });
    const elsewhere = await run(home, ['init', '--yes', '--config', 'a/b.yaml'], {
      ...keys,
      UNDERSTUDY_KEY: 'k-1234567890',
    });
    expect(elsewhere.code).toBe(0);
    expect(readFileSync(join(home, 'a/b.yaml'), 'utf8')).toContain('required: true');
  });

  it('asks nobody who is not there, and makes up no provider', async () => {
    const home = scratchFolder();
    expect(await run(home, ['init'])).toMatchObject({ code: 2, err: expect.stringContaining('--yes') });
    expect(await run(home, ['init', '--yes'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('OPENAI_API_KEY'),
    });
    expect(existsSync(join(home, 'understudy.yaml'))).toBe(false);
  });
});

describe('probe', () => {
  it('says so where there is nobody to ask, and does not ask the demo instead', async () => {
    expect(await run(scratchFolder(), ['probe', '--offline'])).toMatchObject({
      code: 3,
      out: '',
      err: expect.stringMatching(/neither a configuration nor a key of a provider[\s\S]*--config[\s\S]*OPENAI_API_KEY/),
    });
  });
});

describe('plan', () => {
  const CONFIG = `
providers: { demo: { preset: demo, pinned: any } }
models:
  main:
    preset: strict
    targets: [demo/error-503, { provider: demo, model: ok, tier: 1, capabilities: { images: false } }]
`;

  it('without a model takes the only one, or the default; else it says which there are', async () => {
    const home = scratchFolder();
    writeFileSync(join(home, 'understudy.yaml'), `server: { port: 9 }\n${CONFIG}`);
    expect((await run(home, ['plan'])).out).toContain('main  Chat · JSON');
    const two = join(home, 'two.yaml');
    writeFileSync(two, `${CONFIG}  other: { targets: [demo/ok] }\n`);
    const which = await run(home, ['plan', '--offline', '-c', two]);
    expect(which).toMatchObject({ code: 2, err: expect.stringContaining('main, other') });
    writeFileSync(two, `${CONFIG}  other: { targets: [demo/ok], default: true }\n`);
    expect((await run(home, ['plan', '--offline', '-c', two])).out).toContain('other  Chat · JSON');
  });

  it('without a gateway tells what the configuration makes', async () => {
    const home = scratchFolder();
    writeFileSync(join(home, 'understudy.yaml'), `server: { port: 9 }\n${CONFIG}`);
    const told = await run(home, ['plan', '--model', 'main']);
    expect(told).toMatchObject({ code: 0, err: '' });
    expect(told.out).toMatch(/1 {2}demo\/error-503#default[\s\S]*2 {2}demo\/ok#default[\s\S]*holdToolEnd +all/);
    expect(await run(home, ['plan', '-m', 'mian'])).toMatchObject({ code: 1, err: expect.stringContaining('main') });
    expect((await run(home, ['plan', '-m', 'main', '--url', 'http://127.0.0.1:9'])).code).toBe(4);
    expect((await run(home, ['plan', '-m', 'main', '--protocol', 'telegraph'])).code).toBe(2);
    expect((await run(home, ['plan', '-m', 'main', '--protocol', 'gemini'])).out).toMatch(
      /^main {2}Gemini[\s\S]*2 {2}demo\/ok/,
    );
    expect((await run(home, ['plan', '-r', 'nothing.json'])).code).toBe(2);
  });

  it('asks the running one, which sends nothing', async () => {
    const gateway = await startGateway(CONFIG);
    const at = ['--url', gateway.url, '--json'];
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };
    const body = { model: 'demo/ok', messages: [{ role: 'user', content: [image] }] };
    writeFileSync(join(gateway.home, 'request.json'), JSON.stringify(body));
    const own = JSON.parse((await run(gateway.home, ['plan', '-r', 'request.json', ...at])).out);
    expect(planAnswer.parse(own.plan)).toMatchObject({ asked: 'demo/ok', needs: ['images'] });
    const other = JSON.parse((await run(gateway.home, ['plan', '-r', 'request.json', '-m', 'main', ...at])).out);
    expect(other.gateway).toBe(gateway.url);
    expect(planAnswer.parse(other.plan).candidates.map(({ target, rank }) => [target, rank])).toEqual([
      ['demo/error-503', 1],
      ['demo/ok', null],
    ]);
    const requests = await (await fetch(`${gateway.url}/api/v1/requests`)).json();
    expect(requests).toMatchObject({ data: [] });
    const wrong = await fetch(`${gateway.url}/api/v1/plan`, { method: 'POST', body: '{}' });
    expect(wrong.status).toBe(403);
  });
});

describe('doctor', () => {
  const servers: ReturnType<typeof createServer>[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });

  const provider = (listener: RequestListener): Promise<number> =>
    new Promise((resolve) => {
      const server = createServer(listener).listen(0, '127.0.0.1', () =>
        resolve((server.address() as AddressInfo).port),
      );
      servers.push(server);
    });

  const list =
    (key: string, ids: readonly string[], more: Env = {}): RequestListener =>
    (req, res) => {
      const isIn = req.headers.authorization === `Bearer ${key}` && req.url === '/v1/models';
      res.writeHead(isIn ? 200 : 401, { 'content-type': 'application/json', ...more });
      res.end(JSON.stringify(isIn ? { object: 'list', data: ids.map((id) => ({ id })) } : { error: {} }));
    };

  const KEY = 'sk-made-up-1234567890';

  async function examine(configuration: string, args: readonly string[] = []) {
    const home = scratchFolder();
    writeFileSync(join(home, 'understudy.yaml'), configuration);
    const ended = await run(home, ['doctor', '--json', '--port', '0', ...args], { KEY });
    const { ok, findings } = JSON.parse(ended.out) as { ok: boolean; findings: Finding[] };
    expect(ended.out).not.toContain(KEY);
    const find = (subject: string) => findings.find((finding) => [finding.check, finding.subject].includes(subject));
    return { ok, code: ended.code, findings, find };
  }

  const config = (providers: Readonly<Record<string, string>>): string =>
    [
      'providers:',
      ...Object.entries(providers).map(([name, text]) => `  ${name}: { protocol: openai-chat, ${text} }`),
      `models: { main: { targets: [${Object.keys(providers)
        .map((name) => `${name}/m`)
        .join(', ')}] } }`,
    ].join('\n');

  it('finds keys, models and clocks as they are', async () => {
    const good = await provider(list(KEY, ['m', 'n']));
    const other = await provider(list('another', ['m']));
    const without = await provider(list(KEY, ['n']));
    const moved = await provider((_req, res) => void res.writeHead(404).end('{}'));
    const silent = await provider(() => {});
    const at = (port: number): string => `baseUrl: "http://127.0.0.1:${port}/v1", apiKey: "\${KEY}"`;
    const { ok, code, find } = await examine(
      config({
        good: at(good),
        refused: at(other),
        unlisted: at(without),
        moved: at(moved),
        silent: at(silent),
        down: at(9),
        nameless: 'baseUrl: "https://no-such-host.invalid/v1"',
      }),
    );
    expect([ok, code]).toEqual([false, 1]);
    expect(find('good')).toMatchObject({ status: 'ok', detail: expect.stringContaining('2 models') });
    expect(find('refused')).toMatchObject({ status: 'broken', remedy: expect.stringContaining('apiKey') });
    expect(find('unlisted')).toMatchObject({ status: 'warning', detail: expect.stringContaining('m is not among') });
    expect(find('moved')).toMatchObject({ status: 'warning', remedy: expect.stringContaining('baseUrl') });
    expect(find('silent')).toMatchObject({ status: 'broken', detail: expect.stringContaining('answers nothing') });
    expect(find('down')).toMatchObject({ status: 'broken', detail: expect.stringContaining('refused') });
    expect(find('nameless')).toMatchObject({ status: 'broken', detail: expect.stringContaining('does not resolve') });
    expect(find('clock')).toMatchObject({ status: 'ok' });
    expect(find('node')).toMatchObject({ status: 'ok' });
    expect(find('state')).toMatchObject({ status: 'ok' });
  });

  it("knows Google's list, and its word for a wrong key", async () => {
    const port = await provider((req, res) => {
      const isIn = req.headers['x-goog-api-key'] === KEY && req.url?.startsWith('/v1beta/models?') === true;
      const wrong = { error: { code: 400, status: 'INVALID_ARGUMENT', details: [{ reason: 'API_KEY_INVALID' }] } };
      res.writeHead(isIn ? 200 : 400, { 'content-type': 'application/json' });
      res.end(JSON.stringify(isIn ? { models: [{ name: 'models/m' }] } : wrong));
    });
    const at = (key: string): string =>
      `{ protocol: gemini, baseUrl: "http://127.0.0.1:${port}/v1beta", apiKey: ${key} }`;
    const { find } = await examine(`
providers: { good: ${at('"${KEY}"')}, refused: ${at('another')} }
models: { main: { targets: [good/m, refused/m] } }
`);
    expect(find('good')).toMatchObject({ status: 'ok', detail: expect.stringContaining('1 model') });
    expect(find('refused')).toMatchObject({ status: 'broken', detail: expect.stringContaining('the key is refused') });
  });

  it('sees a clock that is wrong', async () => {
    const late = new Date(Date.now() - 3_600_000).toUTCString();
    const port = await provider(list(KEY, ['m'], { date: late }));
    const { find, code } = await examine(config({ a: `baseUrl: "http://127.0.0.1:${port}/v1", apiKey: "\${KEY}"` }));
    expect(find('clock')).toMatchObject({ status: 'broken', detail: expect.stringMatching(/^3\d{3} s ahead/) });
    expect(code).toBe(1);
  });

  it('tells the keys of a pool apart', async () => {
    const port = await provider(list(KEY, ['m']));
    const pool = 'credentials: [{ name: one, apiKey: "${KEY}" }, { name: two, apiKey: another }]';
    const { find } = await examine(config({ a: `baseUrl: "http://127.0.0.1:${port}/v1", ${pool}` }));
    expect(find('a#one')).toMatchObject({ status: 'ok' });
    expect(find('a#two')).toMatchObject({ status: 'broken' });
  });

  it('asks nobody with --offline, and says what is wrong with a file', async () => {
    const fine = await examine(config({ a: 'baseUrl: "https://no-such-host.invalid/v1"' }), ['--offline']);
    expect(fine.find('a')).toMatchObject({ status: 'skipped' });
    expect(fine.code).toBe(0);
    const wrong = await examine('models: { main: { targets: [nobody/x] } }');
    expect(wrong.find('configuration')).toMatchObject({ status: 'broken', detail: expect.stringContaining('nobody') });
    expect(wrong.code).toBe(1);
  });

  it('knows its own gateway from another program', async () => {
    const gateway = await startGateway(null);
    const port = String(gateway.port);
    const same = await run(gateway.home, ['doctor', '--port', port]);
    expect(same.out).toContain('a gateway of this version');
    expect(same.code).toBe(0);
    const taken = String(await provider((_req, res) => void res.end('hello')));
    const other = await run(gateway.home, ['doctor', '--port', taken]);
    expect(other.out).toContain('another program listens');
    expect(other.code).toBe(1);
  });
});

describe('drill', () => {
  it('shows what a client saw, for people and for machines', async () => {
    const home = scratchFolder();
    const [told, json] = await Promise.all([
      run(home, ['drill', '--only', 'error-503', 'cut-after-20-words', 'stream']),
      run(home, ['drill', '--only', 'empty,json', '--json']),
    ]);
    expect(told).toMatchObject({ code: 0, err: '' });
    expect(told.out).toMatch(/✓ +error-503 +stream +backup +2 .* the whole answer/);
    expect(told.out).toMatch(/✓ +cut-after-20-words +stream +lead .* half, then stream_interrupted/);
    expect(told.out).not.toContain('\u001b');
    const { ok, results } = JSON.parse(json.out);
    expect(ok).toBe(true);
    expect(results[0]).toMatchObject({ fault: 'empty', shape: 'json', seen: 'whole', served_by: 'backup' });
    expect(await run(home, ['drill', '--only', 'silnt'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('silent'),
    });
  });
});
