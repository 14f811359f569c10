import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadText } from '../../test/kit/config-text.ts';
import { makeStateDir } from '../../test/kit/state-dir.ts';
import { createConfigFileEditor, NO_CONFIG_FILE } from './config-editor.ts';
import { createConfigVersions } from './config-versions.ts';

const FILE = `# ours
providers:
  a: { preset: openai, apiKey: "\${A_KEY}" }
  b:
    preset: openai
    apiKey: sk-fake-b-1234567890 # literal
models:
  main: { targets: [a/m] } # the one
`;
const ENV = { A_KEY: 'sk-fake-a-1234567890' };

function setUp(text: string | null = FILE, isTaken = true) {
  const folder = makeStateDir();
  const file = join(folder, 'understudy.yaml');
  if (text !== null) writeFileSync(file, text, { mode: 0o640 });
  const taken: string[] = [];
  let now = 1_700_000_000_000;
  const editor = createConfigFileEditor({
    file,
    format: 'yaml',
    versions: createConfigVersions(folder),
    now: () => {
      now += 10;
      return now;
    },
    load: async (changed) => loadText(changed, { env: ENV }),
    takeNow: async () => {
      taken.push(readFileSync(file, 'utf8'));
      return isTaken;
    },
    needsRestart: () => [],
  });
  const put = (name: string, value: unknown, expected: string | null = null) =>
    editor.edit({ kind: 'put', section: 'models', name, value }, expected);
  return { folder, file, editor, taken, put, read: () => readFileSync(file, 'utf8') };
}

describe('an edit of the file', () => {
  it('is written, kept with what was before, and in force when it is answered', async () => {
    const { editor, put, read, taken, folder, file } = setUp();
    const before = editor.read()?.version ?? '';
    const answer = await put('new', { targets: ['a/n'] });
    expect(answer).toMatchObject({ ok: true, changed: true, version: editor.read()?.version });
    expect(taken).toEqual([read()]);
    expect(read()).toBe(`${FILE}  new:\n    targets:\n      - a/n\n`);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(editor.versions().map(({ version }) => version)).toEqual([editor.read()?.version, before]);
    for (const name of readdirSync(join(folder, 'config-versions'))) {
      const kept = join(folder, 'config-versions', name);
      expect(readFileSync(kept, 'utf8')).not.toContain('sk-fake');
      expect(statSync(kept).mode & 0o077).toBe(0);
    }
  });

  it('leaves everything as it is when it would not be valid, and says where', async () => {
    const { put, read, taken, editor } = setUp();
    const answer = await put('new', { targets: ['nobody/m'] });
    expect(answer).toMatchObject({
      ok: false,
      why: 'invalid',
      problems: [{ path: 'models.new.targets[0]', line: 11 }],
    });
    expect([read(), taken, editor.versions()]).toEqual([FILE, [], []]);
  });

  it('is refused when somebody else was faster', async () => {
    const { editor, put, read, file } = setUp();
    const seen = editor.read()?.version ?? '';
    writeFileSync(file, `${FILE}# by hand\n`);
    expect(await put('new', { targets: ['a/n'] }, seen)).toMatchObject({ ok: false, why: 'conflict' });
    expect(await put('new', { targets: ['a/n'] }, editor.read()?.version ?? '')).toMatchObject({ ok: true });
    expect(read()).toContain('# by hand');
  });

  it('waits for the one before', async () => {
    const { editor, put, read } = setUp();
    const seen = editor.read()?.version ?? '';
    const [one, other] = await Promise.all([
      put('one', { targets: ['a/1'] }, seen),
      put('two', { targets: ['a/2'] }, seen),
    ]);
    expect([one.ok, other]).toEqual([true, expect.objectContaining({ why: 'conflict' })]);
    expect(read()).not.toContain('two');
  });

  it('that changes nothing writes nothing', async () => {
    const { put, taken, editor } = setUp();
    expect(await put('main', { targets: ['a/m'] })).toMatchObject({ ok: true, changed: false });
    expect([taken, editor.versions()]).toEqual([[], []]);
  });

  it('keeps secrets that it does not name, and shows none', async () => {
    const { editor, read } = setUp();
    expect(editor.read()?.entries.providers.get('b')).toEqual({ preset: 'openai', apiKey: null });
    expect(editor.read()?.entries.providers.get('a')).toEqual({ preset: 'openai', apiKey: '${A_KEY}' });
    const edit = { kind: 'put', section: 'providers', name: 'b', value: { preset: 'openai', pinned: 'any' } } as const;
    expect(await editor.edit(edit, null)).toMatchObject({ ok: true });
    expect(read()).toContain('apiKey: sk-fake-b-1234567890 # literal\n    pinned: any\n');
    const hole = { ...edit, value: { preset: 'openai', headers: { 'x-team': null } } };
    expect(await editor.edit(hole, null)).toMatchObject({ ok: false, why: 'invalid' });
  });

  it('takes away what is there, and nothing that others need', async () => {
    const { editor, read } = setUp();
    const remove = (section: 'models' | 'providers', name: string) =>
      editor.edit({ kind: 'delete', section, name }, null);
    expect(await remove('models', 'nobody')).toMatchObject({ ok: false, why: 'missing' });
    expect(await remove('providers', 'a')).toMatchObject({ ok: false, why: 'invalid' });
    expect(await remove('providers', 'b')).toMatchObject({ ok: true });
    expect(read()).not.toContain('sk-fake');
  });

  it('can be rolled back, with the secrets of the file of now', async () => {
    const { editor, put, read } = setUp();
    const before = editor.read()?.version ?? '';
    await put('new', { targets: ['a/n'] });
    expect(await editor.edit({ kind: 'rollback', version: before }, null)).toMatchObject({ ok: true, version: before });
    expect(read()).toBe(FILE);
    expect(editor.versions()).toHaveLength(2);
    expect(await editor.edit({ kind: 'rollback', version: 'x' }, null)).toMatchObject({ ok: false, why: 'missing' });
    await put('new', { targets: ['a/n'] });
    await editor.edit({ kind: 'delete', section: 'providers', name: 'b' }, null);
    const lost = await editor.edit({ kind: 'rollback', version: before }, null);
    expect(lost).toMatchObject({ ok: false, why: 'invalid', message: expect.stringContaining('providers.b.apiKey') });
  });

  it('says so where the file was written and is not in force', async () => {
    expect(await setUp(FILE, false).put('new', { targets: ['a/n'] })).toMatchObject({ ok: false, why: 'not_taken' });
  });

  it('follows a link and leaves it one', async () => {
    const { folder, file } = setUp(null);
    mkdirSync(join(folder, 'real'));
    writeFileSync(join(folder, 'real', 'config.yaml'), FILE);
    symlinkSync(join('real', 'config.yaml'), file);
    const editor = createConfigFileEditor({
      file,
      format: 'yaml',
      versions: createConfigVersions(folder),
      now: () => 1_700_000_000_000,
      load: async (changed) => loadText(changed, { env: ENV }),
      takeNow: async () => true,
      needsRestart: () => [],
    });
    const edit = { kind: 'put', section: 'models', name: 'new', value: { targets: ['a/n'] } } as const;
    expect(await editor.edit(edit, null)).toMatchObject({ ok: true });
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'real', 'config.yaml'), 'utf8')).toContain('new:');
  });

  it('is refused without a file, or with one that is broken', async () => {
    expect(await setUp(null).put('new', {})).toMatchObject({ ok: false, why: 'no_file' });
    expect(setUp(null).editor.read()).toBeNull();
    expect(await setUp('models: [').put('new', {})).toMatchObject({ ok: false, why: 'not_writable' });
    const edit = { kind: 'delete', section: 'models', name: 'main' } as const;
    expect(await NO_CONFIG_FILE.edit(edit, null)).toMatchObject({ ok: false, why: 'no_file' });
  });

  it('keeps the last fifty versions', async () => {
    const { editor, put } = setUp();
    for (let n = 0; n < 40; n++) await put('new', { targets: [`a/${n}`] });
    expect(editor.versions()).toHaveLength(41);
    for (let n = 40; n < 60; n++) await put('new', { targets: [`a/${n}`] });
    expect(editor.versions()).toHaveLength(50);
    expect(editor.versions()[0]?.version).toBe(editor.read()?.version);
  });

  it('is refused where the file can not be written', async () => {
    const { file, put } = setUp();
    // Rights would not do: root may write everywhere.
    mkdirSync(`${file}.new`);
    const before = readFileSync(file, 'utf8');
    expect(await put('new', { targets: ['a/n'] })).toMatchObject({ ok: false, why: 'not_writable' });
    expect(readFileSync(file, 'utf8')).toBe(before);
  });
});
