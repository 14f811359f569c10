import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listFences } from '../kit/page.ts';

const TOP = fileURLToPath(new URL('../../', import.meta.url));
const fences = listFences(readFileSync(join(TOP, 'docs/ci.md'), 'utf8'));
const steps = fences.filter(({ lang }) => lang === 'sh').map(({ text }) => text);
const hasTools = ['bash', 'curl'].every((tool) => spawnSync(tool, ['--version']).status === 0);

let home = '';
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'understudy-ci-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function runShell(script: string): Promise<{ readonly code: number | null; readonly text: string }> {
  const env = { PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH']}`, HOME: home, TMPDIR: home };
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], { cwd: TOP, env });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  }
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, text })));
}

describe.skipIf(!hasTools)('docs/ci.md (needs bash and curl)', () => {
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
