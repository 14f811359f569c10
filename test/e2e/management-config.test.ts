import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditList, overviewView, usageReport } from '../../src/management/activity-contract.ts';
import {
  configChange,
  configVersionList,
  modelEntryList,
  providerEntryList,
} from '../../src/management/config-contract.ts';
import { chat, cleanUp, type RunningGateway, startGateway } from './gateway-process.ts';

const FILE = `# ours
auth: { adminToken: fake-admin-token-1234567890 }
readiness: { probe: { mode: off } }
providers:
  demo: { preset: demo, pinned: any } # the fake ones
  real: { preset: openai, apiKey: sk-fake-literal-1234567890 }
models:
  main:
    targets: [demo/error-503, demo/ok] # in this order
`;

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway(FILE);
}, 30_000);
afterAll(cleanUp);

type Told = { readonly status: number; readonly body: unknown };

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Told> {
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    method,
    headers: { authorization: 'Bearer fake-admin-token-1234567890', 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

// In order: what one does, the next one finds.
describe('a gateway that is managed over its API', () => {
  it('serves a model as soon as its PUT is answered', async () => {
    const { version } = modelEntryList.parse((await ask('GET', '/models')).body);
    const put = await ask('PUT', '/models/quick', { targets: ['demo/ok'] }, { 'if-match': `"${version}"` });
    expect(put.status).toBe(200);
    expect(configChange.parse(put.body)).toMatchObject({ changed: true, warnings: [], needs_restart: [] });
    expect((await chat(gateway.url, 'quick')).status).toBe(200);
    expect(readFileSync(gateway.file, 'utf8')).toBe(`${FILE}  quick:\n    targets:\n      - demo/ok\n`);
    const late = await ask('PUT', '/models/quick', { targets: ['demo/ok'] }, { 'if-match': `"${version}"` });
    expect(late).toMatchObject({ status: 412, body: { code: 'config_changed' } });
  });

  it('goes on as it was after one that is not valid', async () => {
    const before = readFileSync(gateway.file, 'utf8');
    const answer = await ask('PUT', '/models/quick', { targets: ['nobody/m'] });
    expect(answer).toMatchObject({
      status: 422,
      body: { code: 'config_invalid', problems: [{ path: 'models.quick.targets[0]', line: 12 }] },
    });
    expect(readFileSync(gateway.file, 'utf8')).toBe(before);
    expect((await chat(gateway.url, 'quick')).status).toBe(200);
  });

  it('keeps a key that is in the file, and shows it to nobody', async () => {
    const put = await ask('PUT', '/providers/real', { preset: 'openai', pinned: 'off' });
    expect(put.status).toBe(200);
    expect(readFileSync(gateway.file, 'utf8')).toContain('apiKey: sk-fake-literal-1234567890');
    const providers = await ask('GET', '/providers');
    const real = providerEntryList.parse(providers.body).data.find(({ name }) => name === 'real');
    expect(real).toMatchObject({ pinned: 'off', config: { preset: 'openai', pinned: 'off', apiKey: null } });
    expect(JSON.stringify(providers)).not.toContain('sk-fake');
  });

  it('comes back to a version', async () => {
    const { data } = configVersionList.parse((await ask('GET', '/config/versions')).body);
    const first = data.at(-1)?.version;
    expect((await ask('POST', '/config/rollback', { version: first })).status).toBe(200);
    expect(readFileSync(gateway.file, 'utf8')).toBe(FILE);
    expect((await chat(gateway.url, 'quick')).status).toBe(404);
  });

  it('has all of it on record', async () => {
    await chat(gateway.url, 'main');
    const { data } = auditList.parse((await ask('GET', '/audit')).body);
    expect(data.map(({ action, status }) => `${action} ${status}`).reverse()).toEqual([
      'model_put 200',
      'model_put 412',
      'model_put 422',
      'provider_put 200',
      'config_rollback 200',
    ]);
    const overview = overviewView.parse((await ask('GET', '/overview')).body);
    expect(overview).toMatchObject({
      requests: { total: 4, ok: 3, first_ok: 2, saved: 1, rejected: 1 },
      unseen_failures: 1,
    });
    const { data: rows } = usageReport.parse((await ask('GET', '/usage?by=target')).body);
    expect(Object.fromEntries(rows.map((row) => [row.target, [row.requests, row.failed_attempts]]))).toEqual({
      null: [1, 0],
      'demo/error-503': [1, 1],
      'demo/ok': [3, 0],
    });
  });
});
