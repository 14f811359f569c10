import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { complaintOf, configOf, loadText } from '../../test/kit/config-text.ts';

/** The cases of the outside judge; what it writes as configuration must load, or be refused for a stated reason. */
const JUDGE = join(import.meta.dirname, '..', '..', 'test', 'conformance', 'judge');

type Target = { readonly id: string; readonly protocol: string };
type Case = {
  readonly id: string;
  readonly config: { readonly targets: readonly Target[] };
  readonly request: { readonly path: string };
  readonly expect: { readonly start?: string };
};
type Plan = { readonly name: string };
type ConfigModule = {
  readonly providerPlans: (c: Case) => readonly Plan[];
  readonly makeSecrets: () => object;
  readonly buildConfig: (c: Case, where: object) => unknown;
};

async function configTexts(): Promise<readonly (readonly [Case, string])[]> {
  const load = (name: string): Promise<unknown> => import(pathToFileURL(join(JUDGE, 'lib', name)).href);
  const { providerPlans, makeSecrets, buildConfig } = (await load('config.mjs')) as ConfigModule;
  const { toYaml } = (await load('yaml.mjs')) as { readonly toYaml: (value: unknown) => string };
  return readdirSync(join(JUDGE, 'open')).map((name) => {
    const read = JSON.parse(readFileSync(join(JUDGE, 'open', name), 'utf8')) as Case;
    const plans = providerPlans(read);
    const ports = new Map(plans.map((plan, index) => [plan.name, 5000 + index]));
    const where = { port: 4999, stateDir: '/tmp/state', secrets: makeSecrets(), plans, ports };
    return [read, toYaml(buildConfig(read, where))] as const;
  });
}

const cases = await configTexts();
const isChat = ({ config, request }: Case): boolean =>
  request.path === '/v1/chat/completions' &&
  config.targets.every(({ protocol }) => protocol === 'openai-chat' || protocol === 'virtual');

describe('configurations of cases', () => {
  it('load where only Chat is spoken', () => {
    const chat = cases.filter(([read]) => isChat(read) && read.expect.start === undefined);
    expect(chat.length).toBeGreaterThan(80);
    const refused = chat
      .filter(([, text]) => !loadText(text).ok)
      .map(([read, text]) => `${read.id}: ${complaintOf(text)}`);
    expect(
      refused.filter((complaint) => !complaint.includes('midStream  continuation by another target is not available')),
    ).toEqual([]);
    expect(refused.length).toBeLessThanOrEqual(1);
  });

  it('are refused where they must be', () => {
    const must = cases.filter(([read]) => isChat(read) && read.expect.start === 'must_refuse');
    expect(must.length).toBeGreaterThan(0);
    for (const [, text] of must)
      expect(complaintOf(text)).toContain('is a virtual model, and models can not be nested');
  });

  it('are refused elsewhere only for what is not available', () => {
    for (const [read, text] of cases.filter(([other]) => !isChat(other))) {
      const result = loadText(text);
      const other = result.ok
        ? []
        : result.problems.filter((problem) => !problem.message.includes('not available in this version'));
      expect(other, read.id).toEqual([]);
    }
  });

  it('say what they seem to say', () => {
    const [, text] = cases.find(([read]) => read.id === 'rr-01') ?? [];
    const model = configOf(text ?? '').models.get('v-main');
    expect(model).toMatchObject({ strategy: 'round-robin', affinity: false });
    expect(model?.targets.map(({ id, weight }) => [id, weight])).toEqual([
      ['a/m-a', 2],
      ['b/m-b', 1],
    ]);
    expect(model?.settings.keepalive).toBeNull();
  });
});
