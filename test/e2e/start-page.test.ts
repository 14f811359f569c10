import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fitsSample, listFences, readCurl } from '../kit/page.ts';
import { PAGE_ORIGIN, runCurl } from '../kit/run-curl.ts';
import { cleanUp, type Ended, type RunningGateway, runCommand, startGateway } from './gateway-process.ts';
import { sleep } from './server-kit.ts';

const read = (file: string): string => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await startGateway(null);
}, 30_000);
afterAll(cleanUp);

type Command = { readonly line: number; readonly text: string; readonly sample: string | null };

/** The commands of a page, and what must be printed if the next block says it. */
function listCommands(page: string): readonly Command[] {
  const fences = listFences(page);
  return fences.flatMap((fence, i) => {
    if (fence.lang !== 'sh') return [];
    const texts = fence.text.replaceAll('\\\n', ' ').trim().split('\n');
    const next = fences[i + 1];
    const sample = texts.length === 1 && next?.lang === 'text' ? next.text : null;
    return texts.map((text) => ({ line: fence.line, text, sample }));
  });
}

/** Nothing leaves this machine; the port of the page may be taken; and the demo, which the page stops, still runs. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  doctor: ['--offline', '--port', '0'],
  serve: ['--port', '0', '--state-dir', 'state'],
};

/** `A=… B=… bin/understudy words`: with made-up values, in a home of its own. */
function runOurs(text: string): Promise<Ended> {
  const words = text.replace(/\s+#.*$/, '').split(/\s+/);
  const at = words.indexOf('bin/understudy');
  const env = Object.fromEntries(words.slice(0, at).map((word) => [word.split('=')[0], 'made-up-1234567890']));
  const [command = '', ...args] = words.slice(at + 1);
  const live = ['requests', 'explain', 'targets'].includes(command) ? { UNDERSTUDY_URL: gateway.url } : {};
  const more = ELSEWHERE[command] ?? [];
  const started = runCommand([command, ...args, ...more], { home: gateway.home, env: { ...env, ...live } });
  if (command === 'serve') void stopWhenUp(started);
  return started.ended;
}

/** An answer tells that the process has come round once since it said where it listens, and so hears signals. */
async function stopWhenUp({ child, err }: ReturnType<typeof runCommand>): Promise<void> {
  const place = () => /is listening on (\S+)/.exec(err())?.[1];
  while (child.exitCode === null && place() === undefined) await sleep(25);
  await fetch(`${place()}/livez`).then((response) => response.arrayBuffer());
  child.kill('SIGINT');
}

async function run(text: string): Promise<string> {
  if (text.startsWith('curl')) return runCurl(readCurl(text), gateway.url);
  const ended = await runOurs(text);
  expect(ended.code, `${text}\n${ended.out}${ended.err}`).toBe(0);
  return ended.out;
}

describe('docs/start.md', () => {
  const page = read('docs/start.md');
  const commands = listCommands(page).filter(({ text }) => text !== 'npm ci && npm start');

  it('begins with the command of the README, and has a use for each that follows', () => {
    expect(listCommands(page)[0]?.text).toBe('npm ci && npm start');
    expect(commands.length).toBeGreaterThan(8);
  });

  // In the order of the page: what one does, the next one finds.
  it.each(commands)('line $line: $text', { timeout: 60_000 }, async ({ text, sample }) => {
    const printed = await run(text);
    expect(printed).not.toBe('');
    if (sample !== null) expect(fitsSample(sample, printed), `${sample}\n— but it printed —\n${printed}`).toBe(true);
  });
});

// The rest needs no order, and its time is that of the words of the demo.
describe.concurrent('docs/clients.md', () => {
  const commands = listCommands(read('docs/clients.md')).filter(({ text }) => text.startsWith('curl'));

  it.each(commands)('line $line is answered', async ({ text }) => {
    expect(await run(text)).toContain('data: [DONE]');
  });
});

describe.concurrent.each(['openai-sdk', 'gemini'])('docs/clients/%s.md', (name) => {
  const samples = listFences(read(`docs/clients/${name}.md`)).filter(({ lang }) => lang === 'js');

  // Run as a program, which finds its packages from the top of the repository.
  it.each(samples)('the program in line $line prints the answer', { timeout: 60_000 }, async ({ text }) => {
    const { execFile } = await import('node:child_process');
    const program = text.replaceAll(PAGE_ORIGIN, gateway.url);
    const cwd = new URL('../../', import.meta.url);
    const printed = await new Promise<string>((resolve, reject) => {
      execFile(process.execPath, ['--input-type=module', '-e', program], { cwd }, (error, out, err) =>
        error ? reject(new Error(err)) : resolve(out),
      );
    });
    expect(program).toContain(gateway.url);
    expect(printed).toMatch(/^An understudy .*\S$/s);
  });
});
