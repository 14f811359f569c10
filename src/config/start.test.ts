import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configOf, fakeSecrets, loadText } from '../../test/kit/config-text.ts';
import { PRESETS } from '../provider/registry.ts';
import { findConfig } from './find.ts';
import { configFromEnvironment } from './from-environment.ts';
import { findStateDir } from './load.ts';
import { tellWarning } from './warning.ts';

describe('a start without a file', () => {
  const start = (env: Record<string, string>) => {
    const found = configFromEnvironment(fakeSecrets(env), PRESETS);
    return { found, config: configOf(found.text, { env, file: null, demoOrigin: 'http://127.0.0.1:4242' }) };
  };

  it('serves the vendors whose keys are there, in order', () => {
    const { found, config } = start({
      OPENROUTER_API_KEY: 'secret-1',
      GROQ_API_KEY: 'secret-2',
      OPENAI_API_KEY: 'secret-3',
      MISTRAL_API_KEY: '',
    });
    expect(found).toMatchObject({
      source: 'environment',
      presets: ['openai', 'openai-responses', 'groq', 'openrouter'],
    });
    expect(config.models.get('main')?.targets.map((target) => target.id)).toEqual([
      'openai/gpt-5.6',
      'groq/openai/gpt-oss-120b',
      'openrouter/openrouter/auto',
      'openai-responses/gpt-5.6',
    ]);
    expect(found.text).not.toContain('secret-');
    expect(config.auth.required).toBe(false);
    expect(config.file).toBeNull();
  });

  it('works with every vendor by itself', () => {
    for (const preset of PRESETS) {
      if (preset.keyVariable === null) continue;
      const { config } = start({ [preset.keyVariable]: 'k' });
      const ids = config.models.get('main')?.targets.map(({ id }) => id);
      expect(ids).toContain(`${preset.name}/${preset.models[0]}`);
      expect(ids).toHaveLength(PRESETS.filter(({ keyVariable }) => keyVariable === preset.keyVariable).length);
    }
  });

  it('serves the demo when there is none', () => {
    const { found, config } = start({});
    expect(found.source).toBe('demo');
    expect(config.models.get('main')?.targets.map((target) => target.id)).toEqual([
      'demo/error-503',
      'demo/ok',
      'demo-responses/error-503',
      'demo-responses/ok',
      'demo-messages/error-503',
      'demo-messages/ok',
      'demo-gemini/error-503',
      'demo-gemini/ok',
    ]);
    expect(config.providers.get('demo')).toMatchObject({ origin: 'http://127.0.0.1:4242', basePath: '/v1' });
  });

  it('names the command as it is called, where a hint does', () => {
    const refused = loadText('server: { host: 0.0.0.0 }', { file: null, command: './bin/understudy' });
    expect(refused.ok ? '' : refused.problems.map(({ hint }) => hint).join()).toContain('"./bin/understudy init"');
  });

  it('warns of a key that can be guessed', () => {
    const warningsOf = (key: string) => start({ UNDERSTUDY_KEY: key }).config.warnings.map(tellWarning).join();
    expect(warningsOf('hunter2')).toContain('fewer than 16 characters');
    expect(warningsOf('hunter2')).not.toContain('hunter2');
    expect(warningsOf('0123456789abcdef')).not.toContain('characters');
  });

  it('asks for the key that the environment names', () => {
    const { config } = start({ UNDERSTUDY_KEY: 'mine', UNDERSTUDY_ADMIN_TOKEN: 'boss' });
    expect(config.auth.required).toBe(true);
    expect(config.auth.keys[0]?.secret.reveal()).toBe('mine');
    expect(config.auth.adminToken?.reveal()).toBe('boss');
  });
});

describe('the file', () => {
  let home: string;
  let cwd: string;
  beforeEach(() => {
    const root = mkdtempSync(join(tmpdir(), 'understudy-find-'));
    home = join(root, 'home');
    cwd = join(root, 'work');
    mkdirSync(join(home, '.config', 'understudy'), { recursive: true });
    mkdirSync(cwd);
  });
  afterEach(() => rmSync(join(home, '..'), { recursive: true }));

  const write = (...parts: string[]): string => {
    const file = join(...parts);
    writeFileSync(file, `# ${file}\n`);
    return file;
  };
  const find = (flag?: string, variable?: string) =>
    findConfig({ flag, cwd, env: { HOME: home, UNDERSTUDY_CONFIG: variable } });

  it('is found in its order', () => {
    expect(find()).toMatchObject({ kind: 'none' });
    const inHome = write(home, '.config', 'understudy', 'understudy.yml');
    expect(find()).toMatchObject({ kind: 'found', file: { file: inHome, format: 'yaml', text: `# ${inHome}\n` } });
    const json = write(cwd, 'understudy.json');
    expect(find()).toMatchObject({ file: { file: json, format: 'json' } });
    const yaml = write(cwd, 'understudy.yaml');
    expect(find()).toMatchObject({ file: { file: yaml } });
    const named = write(home, 'other.yaml');
    expect(find(undefined, named)).toMatchObject({ file: { file: named } });
    expect(find('understudy.json', named)).toMatchObject({ file: { file: json } });
  });

  it('that is named must be there', () => {
    write(cwd, 'understudy.yaml');
    expect(find('none.yaml')).toMatchObject({
      kind: 'unreadable',
      file: join(cwd, 'none.yaml'),
      hint: expect.stringMatching(/^--config says .*: check the path$/),
    });
    expect(find(undefined, home)).toMatchObject({
      kind: 'unreadable',
      message: "the file can't be read: it is a folder",
    });
  });
});

describe('the state directory', () => {
  const stateDir = (text: string, overrides = {}, env: Record<string, string> = {}) =>
    findStateDir({
      text,
      file: '/etc/understudy.yaml',
      stateDirDefault: '/default',
      overrides,
      secrets: fakeSecrets({ HOME: '/home/me', ...env }),
    });

  it('is known before the rest', () => {
    expect(stateDir('')).toBe('/default');
    expect(stateDir('stateDir: ~/x')).toBe('/home/me/x');
    expect(stateDir('stateDir: x')).toBe('/etc/x');
    expect(stateDir('stateDir: "${D}"', {}, { D: '/d' })).toBe('/d');
    expect(stateDir('stateDir: /x', { stateDir: '/flag' })).toBe('/flag');
    for (const wrong of ['stateDir: 5', 'stateDir: "${NOPE}"', '{', '[]']) expect(stateDir(wrong)).toBe('/default');
  });
});
