import { existsSync, lstatSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { jsonSchemaText } from '../../config/json-schema.ts';
import { scriptJsonSchemaText } from '../../simulate/script/index.ts';
import { runCommandLine } from '../command-line.ts';
import { createTerminal } from '../terminal.ts';

const FOLDER = mkdtempSync(join(tmpdir(), 'understudy-simulate-'));
const at = (name: string): string => join(FOLDER, name);
const write = (name: string, content: string | Uint8Array): string => {
  writeFileSync(at(name), content);
  return at(name);
};

const KEY = 'made-up-key-of-somebody-4711';
const CONFIG = write(
  'a.yaml',
  `providers: { a: { preset: openai-compatible, baseUrl: "https://a.test/v1", apiKey: ${KEY} } }\nmodels: { main: { targets: [a/x] }, second: { targets: [a/y] } }\n`,
);
const OTHER = write(
  'b.yaml',
  'providers: { b: { preset: openai-compatible, baseUrl: "https://b.test/v1", apiKey: k } }\nmodels: { main: { targets: [b/x] } }\n',
);

async function run(...args: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = createTerminal({ write: (text) => out.push(text) }, { write: (text) => err.push(text) }, {});
  const code = await runCommandLine(args, terminal, { HOME: '/nowhere' });
  return { code, out: out.join(''), err: err.join('').replaceAll(`${FOLDER}/`, '') };
}

const play = (script: string | Uint8Array, ...more: readonly string[]) =>
  run('simulate', '--config', CONFIG, '--model', 'main', '--script', write('s.yaml', script), ...more);

const SHORT = 'for: 2s\nasks: [{ rate: 2/s }]\n';

describe('understudy simulate', () => {
  const refused: readonly (readonly [string, string | Uint8Array, readonly string[], string])[] = [
    ['no map', '[]', [], 's.yaml:1:1  must be a map of keys'],
    [
      'too many requests',
      'asks: [{ rate: 1/s }, { rate: 1e9/s }]',
      [],
      's.yaml:1:23  asks[1]  the script asks for 60,000,000,060 requests; 100,000 is the most here\n    → lower',
    ],
    ['a whole year', 'for: 365d', [], '315,360,000 requests'],
    ['an endless rate', 'asks: [{ rate: 1e300/s }]', [], 'countless requests'],
    ['too many at once', 'asks: [{ count: 9999 }, { count: 9999 }]', [], '19,998 requests at one moment'],
    [
      'too many words',
      'providers: [{ routes: "*", does: { words: 100000 } }]',
      [],
      's.yaml:1:13  providers[0]  the script asks for 60,000,000 words',
    ],
    ['a longer script', `#${'x'.repeat(2 ** 20)}`, [], 's.yaml is longer than a script may be (1024 KiB)'],
    ['no text', new Uint8Array([0x61, 0xff, 0xfe]), [], 's.yaml is no text in UTF-8'],
    ['many mistakes', `asks:\n${'  - { rate: x }\n'.repeat(50)}`, [], 'and 30 more'],
    [
      'an unknown model',
      'asks: [{ model: constructor }]',
      [],
      's.yaml:1:17  asks[0].model  the configuration has no model "constructor"\n',
    ],
    ['a key that objects have', 'asks: [{ __proto__: { model: main } }]', [], 's.yaml:1:10  asks[0].__proto__'],
    [
      'a model that the other does not have',
      'asks: [{ model: second }]',
      ['--compare', OTHER],
      's.yaml:1:17  asks[0].model  the configuration has no model "second"\n    → the configuration is b.yaml',
    ],
    ['a picture where none may be', SHORT, ['--svg', FOLDER], "it can't be written (EISDIR)"],
    ['a request that there is not', SHORT, ['--show', '5'], '--show 5: there are 4 requests.'],
    ['no number', SHORT, ['--seed', '-1'], 'a whole number from 0'],
  ];

  it.each(refused)('refuses %s, and says where and what to do', async (_, script, more, wanted) => {
    const { code, out, err } = await play(script, ...more);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(wanted);
  });

  it('plays what is left, with a note on rows that do nothing', async () => {
    const { code, err, out } = await play(
      `${SHORT}providers: [{ routes: "первый/*", does: down }]`,
      '--svg',
      at('o.svg'),
    );
    expect(code).toBe(0);
    expect(err).toContain('s.yaml:3:23  providers[0].routes  no route of the configuration is "первый/*"');
    expect(out).toContain('4 requests · 2.0 s of virtual time · seed 1');
    expect(readFileSync(at('o.svg'), 'utf8')).toContain('<svg');
  });

  it('writes no picture where nothing was played', async () => {
    await play('for: 10', '--svg', at('none.svg'));
    expect(existsSync(at('none.svg'))).toBe(false);
    expect((await play(SHORT, '--svg', at('none.svg'), '--show', '9999')).code).toBe(2);
    expect(existsSync(at('none.svg'))).toBe(false);
    symlinkSync(at('none.svg'), at('link.svg'));
    expect((await play(SHORT, '--svg', at('link.svg'), '--show', '9999')).code).toBe(2);
    expect([existsSync(at('none.svg')), lstatSync(at('link.svg')).isSymbolicLink()]).toEqual([false, true]);
    writeFileSync(at('old.svg'), 'as it was');
    expect((await play(SHORT, '--svg', at('old.svg'), '--show', '9999')).code).toBe(2);
    expect(readFileSync(at('old.svg'), 'utf8')).toBe('as it was');
  });

  it.each([[[]], [['--json']]])('tells no secret (%j)', async (more) => {
    const { out, err } = await play(
      `${SHORT}providers: [{ routes: "*", does: { status: 401, echoes: true } }]`,
      ...more,
    );
    expect(out + err).not.toContain(KEY);
  });
});

describe('understudy schema', () => {
  it.each([
    [[], jsonSchemaText()],
    [['config'], jsonSchemaText()],
    [['simulate'], scriptJsonSchemaText()],
  ])('%j prints the schema', async (args, wanted) => {
    const { code, out } = await run('schema', ...args);
    expect([code, out]).toEqual([0, wanted]);
  });

  it('knows no other', async () => {
    expect(await run('schema', 'script')).toMatchObject({ code: 2, err: expect.stringContaining('config, simulate') });
  });
});
