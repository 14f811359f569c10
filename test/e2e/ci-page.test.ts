import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { listFences } from '../kit/page.ts';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const fences = listFences(readFileSync(join(TOP, 'docs/ci.md'), 'utf8'));
/** The first is a run, the others are the steps of a gateway that stays. */
const [run = '', ...steps] = fences.filter(({ lang }) => lang === 'sh').map(({ text }) => text);
const hasTools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'understudy-ci-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function runShell(
  script: string,
  { cwd = TOP, env = {} }: { readonly cwd?: string; readonly env?: Readonly<Record<string, string>> } = {},
): Promise<{ readonly code: number | null; readonly text: string }> {
  const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`;
  const child = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', script], {
    cwd,
    env: { PATH: path, HOME: home, TMPDIR: home, ...env },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })));
}

type Action = {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly steps: readonly {
      readonly id?: string;
      readonly run?: string;
      readonly env?: Readonly<Record<string, string>>;
    }[];
  };
};

describe.skipIf(!hasTools)('docs/ci.md (needs bash and curl)', () => {
  it('has a run that does what it says', { timeout: 60_000 }, async () => {
    const { code, text } = await runShell(run);
    expect([code, text]).toEqual([0, expect.stringContaining('"object":"chat.completion"')]);
    expect(text).toMatch(/verdict: ok[\s\S]*waited .* for 1 of main[\s\S]*\| main \| 2 \| 1 \| 0 \| 1 \| 0 \| 0 \|/);
    expect(text).toMatch(/1 request: 1 served, 0 of them after a failure[\s\S]*\| demo\/ok \| 1 \| 1 \| – \|/);
    for (const name of readdirSync(home)) rmSync(join(home, name), { recursive: true });
  });

  it('has an action whose script does what it says', { timeout: 60_000 }, async () => {
    const action = parse(readFileSync(join(TOP, 'deploy/github-action/action.yml'), 'utf8')) as Action;
    const step = action.runs.steps.find(({ id }) => id === 'run');
    const given: Readonly<Record<string, string>> = {
      command: 'echo "$UNDERSTUDY_MODEL"; curl -fsS "$UNDERSTUDY_URL/livez" > /dev/null; false | true; exit 9',
      config: join(TOP, 'docs/demo.yaml'),
      model: 'main',
    };
    const env = Object.entries(step?.env ?? {}).map(([name, value]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1] ?? '';
      expect(Object.keys(action.inputs)).toContain(input);
      return [name, given[input] ?? action.inputs[input]?.default ?? ''];
    });
    const work = mkdtempSync(join(home, 'action-'));
    const { code, text } = await runShell(step?.run ?? '', {
      cwd: work,
      env: {
        ...Object.fromEntries(env),
        GITHUB_ACTION_PATH: join(TOP, 'deploy/github-action'),
        GITHUB_OUTPUT: join(work, 'output'),
        GITHUB_STEP_SUMMARY: join(work, 'summary'),
      },
    });
    // `pipefail` is on in the command too.
    expect([code, text]).toEqual([1, 'main\n']);
    expect(readFileSync(join(work, 'output'), 'utf8')).toBe('outcome=failed\ncomponent=command\n');
    expect(readFileSync(join(work, 'summary'), 'utf8')).toMatch(/^# understudy run\n/);
    expect(Object.values(action.outputs).map(({ value }) => value)).toEqual(
      ['outcome', 'component'].map((name) => `\${{ steps.run.outputs.${name} }}`),
    );
    rmSync(work, { recursive: true });
  });

  it('has steps that do what they say, one after the other', { timeout: 60_000 }, async () => {
    expect(steps.length).toBeGreaterThan(4);
    const { code, text } = await runShell([...steps, 'echo "stopped with $?"'].join('\n'));
    expect(text).toContain('stopped with 0');
    expect(code).toBe(0);
    const [work = ''] = readdirSync(home).filter((name) => name.startsWith('tmp.'));
    const read = (name: string): string => readFileSync(join(home, work, name), 'utf8');
    expect(JSON.parse(read('answer.json'))).toMatchObject({ object: 'chat.completion' });
    expect(JSON.parse(read('requests.json'))).toMatchObject({ data: [{ served_by: 'demo/ok', attempt_count: 2 }] });
    expect(JSON.parse(read('targets.json')).data.length).toBeGreaterThan(1);
    expect(read('explain.txt')).toMatch(/ok by demo\/ok[\s\S]*failover after overloaded/);
    expect(read('failed.txt').trim()).toBe('');
    expect(read('gateway.log')).toContain('drained');
  });
});
