import { describe, expect, it } from 'vitest';
import { runCommandLine } from './command-line.ts';
import { createTerminal } from './terminal.ts';

async function run(...args: readonly string[]) {
  const err: string[] = [];
  const ignored = { write: () => true };
  const terminal = createTerminal(ignored, { write: (text: string) => err.push(text) }, {});
  return { code: await runCommandLine(['run', ...args], terminal, { HOME: '/nowhere' }), err: err.join('') };
}

describe('understudy run', () => {
  it.each([
    [[], 'Which command? Options come first, then two dashes, then the command:'],
    [['--'], 'run -- npm test'],
    [['npm', 'ci'], 'run -- npm ci'],
    [['npm', '--', 'ci'], 'Which command?'],
    [['--nope', '--', 'true'], "unknown option '--nope'"],
    [['--min-ready', '-1', '--', 'true'], '--min-ready -1: it is a whole number from 0.'],
    [['--ready-timeout', '60', '--', 'true'], '--ready-timeout 60: write a number with a unit: 60s, 5m'],
    [['--port', '70000', '--', 'true'], 'a port is a number from 0 to 65535'],
  ])('%j ends with 2 and what was meant', async (args, said) => {
    const { code, err } = await run(...args);
    expect(code).toBe(2);
    expect(err).toContain(said);
  });
});
