import { describe, expect, it } from 'vitest';
import { configOf } from '../../test/kit/config-text.ts';
import { HEALTH } from '../../test/kit/health-fixtures.ts';
import { createMemoryHealthStore } from '../adapter/store-memory/health-store.ts';
import { createMemoryLedgerStore } from '../adapter/store-memory/ledger-store.ts';
import { configChange, configVersionList, modelEntry, modelEntryList, providerEntryList } from './config-contract.ts';
import type { ConfigEdit, ConfigEditAnswer, ConfigEditor } from './config-editor.ts';
import { problemView } from './contract.ts';
import { createManagement } from './management.ts';

const config = configOf(`
providers:
  a: { preset: openai, apiKey: sk-fake-a-1234567890 }
models:
  main: { aliases: [gpt-*], targets: [a/m], default: true }
`);
const DONE: ConfigEditAnswer = {
  ok: true,
  version: 'abc123',
  changed: true,
  warnings: [],
  needsRestart: ['server.port'],
};

function setUp(answer: ConfigEditAnswer = DONE, isThere = true) {
  const edits: [ConfigEdit, string | null][] = [];
  const editor: ConfigEditor = {
    read: () => ({
      version: 'v1',
      entries: {
        models: new Map([['main', { targets: ['a/m'] }]]),
        providers: new Map([['a', { preset: 'openai', apiKey: null }]]),
      },
    }),
    versions: () => [
      { version: 'v1', savedAt: 2, bytes: 10 },
      { version: 'v0', savedAt: 1, bytes: 9 },
    ],
    async edit(edit, expected) {
      edits.push([edit, expected]);
      return answer;
    },
  };
  const management = createManagement({
    ledger: createMemoryLedgerStore(),
    health: createMemoryHealthStore({ settings: () => HEALTH }),
    clock: { now: () => 0, setTimer: () => ({ cancel() {} }) },
    planning: { readRequest: () => null, plan: () => expect.fail('no plan is asked for') },
    ...(isThere ? { editor } : {}),
  });
  const ask = async (method: string, path: string, body = '', headers: Record<string, string> = {}) => {
    const bytes = new TextEncoder().encode(body);
    return await management.handle({ method, path, query: new URLSearchParams(), headers, body: bytes, config });
  };
  return { ask, edits };
}

const bodyOf = (answer: Awaited<ReturnType<ReturnType<typeof setUp>['ask']>>): unknown =>
  answer.ok ? answer.body : expect.fail(answer.problem.message);

describe('models and providers of the configuration', () => {
  it('are listed as they serve, with what the file says and its version', async () => {
    const { ask } = setUp();
    const models = await ask('GET', '/models');
    expect(models).toMatchObject({ headers: { etag: '"v1"' } });
    expect(modelEntryList.parse(bodyOf(models))).toMatchObject({
      data: [{ name: 'main', aliases: ['gpt-*'], default: true, targets: ['a/m'], config: { targets: ['a/m'] } }],
      version: 'v1',
    });
    const providers = providerEntryList.parse(bodyOf(await ask('GET', '/providers')));
    expect(providers.data).toMatchObject([{ name: 'a', preset: 'openai', models: ['main'], config: { apiKey: null } }]);
    expect(JSON.stringify(providers)).not.toContain('sk-fake');
    expect(modelEntry.parse(bodyOf(await ask('GET', '/models/main'))).strategy).toBe('failover');
    expect(await ask('GET', '/models/nobody')).toMatchObject({ ok: false, problem: { status: 404 } });
  });

  it('are shown without a file, too, and can not be changed then', async () => {
    const { ask } = setUp(DONE, false);
    expect(modelEntryList.parse(bodyOf(await ask('GET', '/models')))).toMatchObject({
      data: [{ config: null }],
      version: null,
    });
    expect(configVersionList.parse(bodyOf(await ask('GET', '/config/versions'))).data).toEqual([]);
    expect(await ask('PUT', '/models/x', '{}')).toMatchObject({
      ok: false,
      problem: { status: 409, code: 'config_unavailable' },
    });
  });

  it('are put, taken away and rolled back by the version that the client has seen', async () => {
    const { ask, edits } = setUp();
    const put = await ask('PUT', '/models/org%2Fnew', '{"targets":["a/m"]}', { 'if-match': '"v1"' });
    expect(configChange.parse(bodyOf(put))).toEqual({
      version: 'abc123',
      changed: true,
      warnings: [],
      needs_restart: ['server.port'],
    });
    expect(put).toMatchObject({ headers: { etag: '"abc123"' } });
    await ask('DELETE', '/providers/a');
    await ask('POST', '/config/rollback', '{"version":"v0"}', { 'if-match': '*' });
    expect(edits).toEqual([
      [{ kind: 'put', section: 'models', name: 'org/new', value: { targets: ['a/m'] } }, 'v1'],
      [{ kind: 'delete', section: 'providers', name: 'a' }, null],
      [{ kind: 'rollback', version: 'v0' }, null],
    ]);
  });

  it.each([
    ['PUT', '/models/x', '[]', {}],
    ['PUT', '/models/x', 'no JSON', {}],
    ['POST', '/config/rollback', '{}', {}],
    ['PUT', '/models/x', '{}', { 'if-match': '"a b"' }],
  ])('%s %s refuses %j with %j', async (method, path, body, headers) => {
    const { ask, edits } = setUp();
    expect(await ask(method, path, body, headers)).toMatchObject({ ok: false, problem: { status: 400 } });
    expect(edits).toEqual([]);
  });

  it.each([
    ['no_file', 409, 'config_unavailable'],
    ['not_writable', 409, 'config_unavailable'],
    ['not_taken', 503, 'config_unavailable'],
    ['conflict', 412, 'config_changed'],
    ['missing', 404, 'not_found'],
    ['invalid', 422, 'config_invalid'],
  ] as const)('tells %s as %i %s', async (why, status, code) => {
    const problems = [{ path: 'models.x', line: 1, column: 2, message: 'is wrong', hint: null }];
    const answer = await setUp({ ok: false, why, message: 'No.', problems }).ask('PUT', '/models/x', '{}');
    expect(answer).toMatchObject({ ok: false, problem: { status, code, message: 'No.' } });
    if (why !== 'invalid') return;
    const told = {
      type: 'x',
      title: 'x',
      status,
      detail: 'x',
      code,
      request_id: 'x',
      problems: answer.ok ? [] : answer.problem.problems,
    };
    expect(problemView.parse(told).problems).toEqual(problems);
  });

  it('has the versions, and which of them is in the file', async () => {
    const { data } = configVersionList.parse(bodyOf(await setUp().ask('GET', '/config/versions')));
    expect(data.map(({ version, is_current }) => [version, is_current])).toEqual([
      ['v1', true],
      ['v0', false],
    ]);
  });
});
