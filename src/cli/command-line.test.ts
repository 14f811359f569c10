import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { runCommandLine } from './command-line.ts';
import { createTerminal } from './terminal.ts';

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = createTerminal({ write: (text) => out.push(text) }, { write: (text) => err.push(text) }, {});
  const code = await runCommandLine(args, terminal, { HOME: '/nowhere', ...env });
  return { code, out: out.join(''), err: err.join('') };
}

describe('the command line', () => {
  it.each([
    [['sevre'], 'unknown command "sevre": did you mean "serve"?'],
    [['request', '--limit', '3'], 'did you mean "requests"?'],
    [['zzzzzzzz'], 'unknown command "zzzzzzzz": commands: serve, init,'],
    [['targets', '--jsn'], "understudy: unknown option '--jsn': did you mean --json?\nTry: understudy help targets"],
    [['--nonsense'], 'Try: understudy --help'],
    [
      ['serve', 'a.yaml'],
      'understudy: unknown argument "a.yaml": did you mean --config a.yaml?\nTry: understudy help serve',
    ],
    [['check', 'dir/a'], 'did you mean --config dir/a?'],
    [['simulate', 'a.yaml'], 'did you mean --script a.yaml, or --config a.yaml?'],
    [['check', 'word'], 'unknown argument "word"\nTry:'],
    [['plan', 'main'], 'unknown argument "main": did you mean --model main?'],
    [['a.yaml'], 'unknown command "a.yaml": did you mean --config a.yaml?'],
    [['help', 'sreve'], 'unknown command "sreve": did you mean "serve"?'],
    [['help', 'zzzzzzzz'], 'unknown command "zzzzzzzz": commands: serve, init,'],
    [['models', '--url', 'http://x.test'], 'leave out --url'],
    [['explain'], 'explain last'],
    [['targets', 'reset'], 'Which one?'],
    [['targets', '--url', 'http://'], 'is no URL'],
    [['targets', 'kill', 'x'], 'reset, disable, enable'],
    [['requests', '--limit', '1000'], '500 is the most'],
    [['requests', '--since', 'yesterday'], '1h'],
    [['plan', '--model', 'x', '--protocol', 'converse'], 'chat, responses, messages, gemini'],
  ])('%j ends with 2 and what was meant', async (args, said) => {
    const { code, err, out } = await run(args);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(said);
    expect(err).toMatch(/^understudy: /);
  });

  it('says what to do where no gateway answers', async () => {
    const { code, err } = await run(['requests', '--url', 'http://127.0.0.1:9']);
    expect(code).toBe(4);
    expect(err).toMatch(/No gateway answers at http:\/\/127\.0\.0\.1:9 .*\n.*understudy serve.*--url/);
  });

  it('names the variable that names a file which is not there', async () => {
    const { err } = await run(['targets'], { UNDERSTUDY_CONFIG: 'nope.yaml' });
    expect(err).toMatch(/nope\.yaml: the file can't be read: it does not exist\n.*UNDERSTUDY_CONFIG says nope\.yaml/);
  });

  it('says that the folder is gone, except where no folder matters', async () => {
    const gone = vi.spyOn(process, 'cwd').mockImplementation(() => {
      throw new Error('ENOENT: no such file or directory, uv_cwd');
    });
    onTestFinished(() => gone.mockRestore());
    for (const args of [['requests'], ['serve'], ['check'], ['init', '--yes']]) {
      const { code, err } = await run(args);
      expect([code, err]).toEqual([2, 'understudy: this folder is gone: cd into one that exists\n']);
    }
    expect((await run(['version'])).code).toBe(0);
    expect((await run(['--help'])).code).toBe(0);
  });

  it('tells the problems of a configuration each in lines of its own', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'understudy-wrong-')), 'a.yaml');
    onTestFinished(() => rmSync(dirname(file), { recursive: true }));
    writeFileSync(file, 'models: { main: { targts: [x] } }\nserver: { prot: 1 }\n');
    for (const command of ['serve', 'models']) {
      const { code, err } = await run([command, '--config', file]);
      expect(code).toBe(3);
      expect(err.split('\n')[0]).toBe('understudy: the configuration is not valid:');
      expect(err).toContain(`\n${file}:1:19  models.main.targts`);
    }
  });

  it.each([['--version'], ['version'], ['help'], ['help', 'serve']])('%j is fine', async (...args) => {
    expect((await run(args)).code).toBe(0);
  });
});
