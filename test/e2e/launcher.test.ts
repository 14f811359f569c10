import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const BIN = fileURLToPath(new URL('../../bin/understudy', import.meta.url));

/** Stands in for the command: tells what it got, then does what its first argument says. */
const MAIN = `
const [task, ...rest] = process.argv.slice(2);
if (task === 'wait') {
  process.on('SIGTERM', () => process.exit(40));
  process.on('SIGHUP', () => process.exit(41));
  setInterval(() => undefined, 1000);
}
console.log(JSON.stringify({ pid: process.pid, ppid: process.ppid, rest, env: process.env.UNDERSTUDY_LAUNCHED ?? null }));
if (task === 'exit') process.exitCode = Number(rest[0]);
if (task === 'die') process.kill(process.pid, rest[0]);
if (task === 'throw') throw new Error('boom');
`;

type Told = { pid: number; ppid: number; rest: string[]; env: string | null };

const folders: string[] = [];
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A checkout of its own. `oldNode`: the door takes the Node that opens it for version 20. */
function checkout({ oldNode, pinned }: { oldNode: boolean; pinned: boolean }): string {
  const top = mkdtempSync(join(tmpdir(), 'understudy-launcher-'));
  folders.push(top);
  const put = (path: string, text: string, mode = 0o644) => writeFileSync(join(top, path), text, { mode });
  for (const folder of ['bin', 'src/cli']) mkdirSync(join(top, folder), { recursive: true });
  const asked = 'isNewEnough(process.versions.node)';
  const source = readFileSync(BIN, 'utf8');
  expect(source).toContain(asked);
  const faked = "isNewEnough(process.env.UNDERSTUDY_LAUNCHED ? '24.0.0' : '20.20.2')";
  put('bin/understudy', oldNode ? source.replace(asked, faked) : source, 0o755);
  for (const file of ['package.json', 'source-stamp.js']) {
    put(`bin/${file}`, readFileSync(join(dirname(BIN), file), 'utf8'));
  }
  put('package.json', '{ "type": "module" }');
  put('src/cli/main.ts', MAIN);
  if (pinned) {
    const bin = join(top, 'node_modules', `node-${process.platform}-${process.arch}`, 'bin');
    mkdirSync(bin, { recursive: true });
    symlinkSync(process.execPath, join(bin, 'node'));
  }
  return join(top, 'bin/understudy');
}

type Run = {
  child: ChildProcess;
  told: Promise<Told>;
  end: Promise<{ code: number; signal: string }>;
  errors: () => string;
};

function run(file: string, ...args: string[]): Run {
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  let errors = '';
  child.stderr.on('data', (data) => {
    errors += data;
  });
  const told = once(child.stdout, 'data').then(([data]): Told => JSON.parse(String(data)));
  const end = once(child, 'close').then(([code, signal]) => ({ code, signal }));
  return { child, told, end, errors: () => errors };
}

describe('bin/understudy', () => {
  it('can be started as it is', () => {
    expect(statSync(BIN).mode & 0o111).toBe(0o111);
    expect(readFileSync(BIN, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  });

  it('is the command itself on a new Node, no second process', async () => {
    const { child, told, end } = run(checkout({ oldNode: false, pinned: true }), 'exit', '5', 'a b');
    expect(await told).toMatchObject({ pid: child.pid, rest: ['5', 'a b'] });
    expect(await end).toEqual({ code: 5, signal: null });
  });

  it('hands over to the pinned Node on an old one, with arguments and exit code', async () => {
    const { child, told, end } = run(checkout({ oldNode: true, pinned: true }), 'exit', '7', 'a b', '--x', '');
    expect(await told).toMatchObject({ ppid: child.pid, rest: ['7', 'a b', '--x', ''], env: null });
    expect(await end).toEqual({ code: 7, signal: null });
  });

  it.each([
    ['SIGTERM', 40],
    ['SIGHUP', 41],
  ] as const)('passes %s on', async (signal, code) => {
    const { child, told, end } = run(checkout({ oldNode: true, pinned: true }), 'wait');
    await told;
    child.kill(signal);
    expect(await end).toEqual({ code, signal: null });
  });

  it('ends by the signal that ended the command', async () => {
    const { end } = run(checkout({ oldNode: true, pinned: true }), 'die', 'SIGKILL');
    expect(await end).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('leaves nobody behind when it is killed', async () => {
    const { child, told, end } = run(checkout({ oldNode: true, pinned: true }), 'wait');
    await told;
    child.kill('SIGKILL');
    // The command holds the output open as well: without its end there is no `close`.
    expect(await end).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('says what to do when there is no new Node', async () => {
    const { end, errors } = run(checkout({ oldNode: true, pinned: false }), 'exit', '0');
    expect(await end).toEqual({ code: 2, signal: null });
    expect(errors()).toMatch(/needs 22\.19 or newer[\s\S]*npm ci/);
  });

  it('does not hide a crash at start', async () => {
    const { end, errors } = run(checkout({ oldNode: true, pinned: true }), 'throw');
    expect(await end).toEqual({ code: 1, signal: null });
    expect(errors()).toContain('boom');
  });
});
