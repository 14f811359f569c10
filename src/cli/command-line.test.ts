import { describe, expect, it } from 'vitest';
import { runCommandLine } from './command-line.ts';
import { createTerminal } from './terminal.ts';

async function run(...args: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = createTerminal({ write: (text) => out.push(text) }, { write: (text) => err.push(text) }, {});
  const code = await runCommandLine(args, terminal, { HOME: '/nowhere' });
  return { code, out: out.join(''), err: err.join('') };
}

describe('the command line', () => {
  it.each([
    [['sevre'], 'unknown command "sevre": did you mean "serve"?'],
    [['request', '--limit', '3'], 'did you mean "requests"?'],
    [['zzzzzzzz'], 'unknown command "zzzzzzzz": commands: serve, init,'],
    [['targets', '--jsn'], 'Did you mean --json?'],
    [['models', '--url', 'http://x.test'], 'leave out --url'],
    [['explain'], 'explain last'],
    [['targets', 'reset'], 'Which one?'],
    [['targets', '--url', 'http://'], 'is no URL'],
    [['targets', 'kill', 'x'], 'reset, disable, enable'],
    [['requests', '--limit', '1000'], '500 is the most'],
    [['requests', '--since', 'yesterday'], '1h'],
    [['plan', '--model', 'x', '--protocol', 'gemini'], 'chat, responses, messages'],
  ])('%j ends with 2 and what was meant', async (args, said) => {
    const { code, err, out } = await run(...args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(said);
  });

  it('says what to do where no gateway answers', async () => {
    const { code, err } = await run('requests', '--url', 'http://127.0.0.1:9');
    expect(code).toBe(4);
    expect(err).toMatch(/No gateway answers at http:\/\/127\.0\.0\.1:9 .*\n.*understudy serve.*--url/);
  });

  it.each([['--version'], ['version'], ['help'], ['help', 'serve']])('%j is fine', async (...args) => {
    expect((await run(...args)).code).toBe(0);
  });
});
