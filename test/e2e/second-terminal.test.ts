import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chat, cleanUp, type RunningGateway, runCommand, scratchFolder, startGateway } from './gateway-process.ts';
import { runHere } from './run-here.ts';

afterAll(cleanUp);

const CONFIG = `
auth: { adminToken: "\${ADMIN:-}" }
providers:
  demo: { preset: demo, apiKey: "\${ONLY_THERE}" }
models:
  main: { aliases: [other, "gpt-*"], targets: [demo/error-503, demo/ok] }
`;

describe('a second terminal, where the keys of providers are not set', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    gateway = await startGateway(CONFIG, { ONLY_THERE: 'a-key-of-a-provider' });
    // The file says where it listens, as it would for somebody who did not use --port.
    gateway.configure(`server: { port: ${gateway.port} }\n${CONFIG}`);
    await chat(gateway.url, 'other');
  }, 60_000);
  const run = (...args: string[]) => runHere(args, { home: gateway.home });

  it('requests, targets and explain ask the gateway of the file', { timeout: 60_000 }, async () => {
    const requests = await run('requests');
    expect(requests).toMatchObject({ code: 0, err: '' });
    const id = /req_\S+/.exec(requests.out)?.[0] ?? '';
    expect((await run('targets')).out).toMatch(/demo\/error-503#default +Chat +ready/);
    expect((await run('explain', id.slice(-8))).out).toContain(id);
    expect(await run('models')).toMatchObject({ code: 0, out: expect.stringMatching(/demo\/ok +Chat/) });
    expect((await run('plan')).out).toContain(gateway.url);
    // What is to run needs all of them.
    expect(await run('check')).toMatchObject({ code: 1, err: expect.stringContaining('ONLY_THERE') });
  });

  it('replays what is on record with another configuration', { timeout: 60_000 }, async () => {
    const { writeFileSync } = await import('node:fs');
    writeFileSync(`${gateway.home}/new.yaml`, CONFIG.replace('demo/error-503, demo/ok', 'demo/ok'));
    const { out, code, err } = await run('replay', '--since', '1h', '--config', 'new.yaml', '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({
      source: gateway.url,
      truncated: false,
      replay: { replayed: 1, changes: { same_target: 1 }, sends: { before: 2, after: 1, unknown: 0 }, leftovers: [] },
    });
    const told = await run('replay', '--config', 'new.yaml');
    expect(told.out).toMatch(/^1 request replayed[\s\S]*1 {2}answered by the same target[\s\S]*demo\/ok +1 +1 +0/);
    expect(await run('replay', '--since', 'yesterday')).toMatchObject({ code: 2 });
    expect(await run('replay', '--state-dir', 'nowhere')).toMatchObject({ code: 2 });
  });

  it('requests are found by an alias and by their age; where none match it says so', { timeout: 60_000 }, async () => {
    expect((await run('requests', '--model', 'gpt-x', '--since', '1h')).out).toContain('demo/ok');
    expect((await run('requests', '--model', 'elsewhere')).out).toMatch(/^None of the requests on record match/);
    expect((await run('requests', '--since', '1ms')).out).toMatch(/match/);
  });

  it('takes a target out of service, and back', { timeout: 60_000 }, async () => {
    expect((await run('targets', 'disable', 'demo/error-503')).out).toMatch(/demo\/error-503#default +Chat +disabled/);
    expect((await run('targets', 'enable', 'demo/error-503', '--json')).out).toContain('"state": "ready"');
    expect((await run('targets', 'reset', 'demo/ok#default')).out).toMatch(/demo\/ok#default +Chat +ready/);
    expect(await run('targets', 'reset', 'demo/nobody')).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        /^understudy: There is no [^:]*"demo\/nobody"\.\nSee which there are: \S+ targets --json\.\n$/,
      ),
    });
  });

  it('names a variable that is needed, and the port where nobody answers', { timeout: 60_000 }, async () => {
    const [home, port] = [scratchFolder(), gateway.port];
    const { writeFileSync } = await import('node:fs');
    writeFileSync(`${home}/understudy.yaml`, `server: { port: ${port} }\nauth: { adminToken: "\${BOSS}" }\n`);
    const without = await runHere(['targets'], { home });
    expect(without).toMatchObject({ code: 3, err: expect.stringMatching(/auth\.adminToken {2}the variable BOSS/) });
    expect((await runHere(['targets'], { home, env: { UNDERSTUDY_ADMIN_TOKEN: 'x' } })).code).toBe(0);
    writeFileSync(`${home}/understudy.yaml`, 'server: { port: 9 }\n');
    expect((await runHere(['targets'], { home })).err).toMatch(/127\.0\.0\.1:9 [\s\S]*server\.port was changed/);
  });
});

describe('a start without a file', () => {
  it('says who answers, by protocol, and what would open it to others', { timeout: 60_000 }, async () => {
    const gateway = await startGateway(null, { OPENAI_API_KEY: 'sk-made-up-1', ANTHROPIC_API_KEY: 'sk-made-up-2' });
    expect(gateway.err()).toMatch(
      /Chat +openai\/\S+; then the others, translated\n +Responses +openai-responses\/.*\n +Messages +anthropic\//,
    );
    const open = await runCommand(['serve', '--host', '0.0.0.0'], { home: scratchFolder() }).ended;
    expect(open.code).toBe(3);
    expect(open.err).toMatch(/no configuration file {2}auth\.keys [\s\S]*UNDERSTUDY_KEY[\s\S]* init"/);
    expect(open.err).not.toMatch(/1:1/);
  });
});
