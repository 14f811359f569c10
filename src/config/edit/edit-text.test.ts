import { describe, expect, it } from 'vitest';
import { editText } from './edit-text.ts';
import { readEntries } from './written-entries.ts';

const FILE = `# top
stateDir: /var/lib/x   # where it is
providers:
  a: { preset: openai, apiKey: "\${A_KEY}" } # the main one
  b:
    protocol: openai-chat
    baseUrl: 'https://b.test/v1'
    apiKey: sk-fake-literal

# what clients ask for
models:
  # about main
  main:   # beside main
    targets: [a/m,
      b/m]   # beside targets
    timeouts: { total: 5m }
    # behind main

  # about other
  other: { targets: [a/m] } # beside other
  third:
    targets:
      - a/m # one
      - b/m # two
    # behind third
# end
health: { breaker: { failures: 4 } }
`;

const put = (section: string, name: string, value: unknown, text = FILE): string => {
  const result = editText(text, 'yaml', { section, name, value });
  return result.ok ? result.text : expect.fail(result.message);
};

/** Lines that are gone, and lines that are new. */
function difference(before: string, after: string): { readonly gone: string[]; readonly made: string[] } {
  const [old, now] = [before.split('\n'), after.split('\n')];
  return { gone: old.filter((line) => !now.includes(line)), made: now.filter((line) => !old.includes(line)) };
}

describe('an entry in the file', () => {
  it('is as it was when nothing changes', () => {
    expect(put('models', 'third', { targets: ['a/m', 'b/m'] })).toBe(FILE);
    expect(put('models', 'other', { targets: ['a/m'] })).toBe(FILE);
    expect(
      put('providers', 'b', { protocol: 'openai-chat', baseUrl: 'https://b.test/v1', apiKey: 'sk-fake-literal' }),
    ).toBe(FILE);
  });

  it('changes alone: what is around it stays byte for byte', () => {
    const third = put('models', 'third', { targets: ['b/m', 'a/m', 'a/n'], sticky: 2 });
    expect(difference(FILE, third)).toEqual({ gone: [], made: ['      - a/n', '    sticky: 2'] });
    expect(third.indexOf('- b/m # two')).toBeLessThan(third.indexOf('- a/m # one'));
    expect(difference(FILE, put('models', 'other', { targets: ['a/m', 'b/m'] }))).toEqual({
      gone: ['  other: { targets: [a/m] } # beside other'],
      made: ['  other: { targets: [a/m, b/m] } # beside other'],
    });
  });

  it('keeps quotes and order of what stays', () => {
    const made = put('providers', 'b', {
      apiKey: 'sk-fake-literal',
      baseUrl: 'https://c.test/v1',
      protocol: 'openai-chat',
      pinned: 'any',
    });
    expect(difference(FILE, made)).toEqual({
      gone: ["    baseUrl: 'https://b.test/v1'"],
      made: ["    baseUrl: 'https://c.test/v1'", '    pinned: any'],
    });
  });

  it('keeps the comments in it, those beside it and those behind it', () => {
    const made = put('models', 'main', { targets: ['a/m'], timeouts: { total: '6m' } });
    for (const words of [
      '# about main',
      '# beside main',
      '# beside targets',
      '# behind main',
      '# about other',
      '# end',
    ]) {
      expect(made.split(words), words).toHaveLength(2);
    }
    expect(made.slice(made.indexOf('\n  # about other'))).toBe(FILE.slice(FILE.indexOf('\n  # about other')));
  });

  it('is added behind the last one, or in a section of its own', () => {
    const made = put('models', 'new', { targets: ['a/m'], aliases: ['gpt-*'] });
    expect(made).toContain(
      '      - b/m # two\n  new:\n    targets:\n      - a/m\n    aliases:\n      - gpt-*\n    # behind third',
    );
    const bare = put('models', 'main', { targets: ['a/m'] }, 'providers:\n    a: { preset: openai }\n');
    expect(bare).toBe(
      'providers:\n    a: { preset: openai }\n\nmodels:\n    main:\n        targets:\n            - a/m\n',
    );
  });

  it('is taken away with the comment right above it', () => {
    const made = put('models', 'other', undefined);
    expect(difference(FILE, made)).toEqual({
      gone: ['  # about other', '  other: { targets: [a/m] } # beside other'],
      made: [],
    });
    expect(difference(FILE, put('models', 'main', undefined)).gone).not.toContain('  # about main');
    expect(put('models', 'nobody', undefined)).toBe(FILE);
  });

  it.each([
    [
      'a flow map',
      'models: { main: { targets: [a/m] } }\n',
      '{ main: { targets: [ a/m ] }, new: { targets: [ a/m ] } }',
    ],
    ['an empty section', 'models:\nproviders: {}\n', 'new:'],
    ['an empty file', '', 'new:'],
    ['a file of comments', '# nothing yet\n', 'new:'],
    ['no line end', 'models:\n  main: {}', 'new:'],
    ['Windows line ends', 'models:\r\n  main: {}\r\n', 'new:'],
    ['an anchor', 'models:\n  main: &m { targets: [a/m] }\n  other: *m\n', 'new:'],
    ['a key that is a number', 'models:\n  1.0: { targets: [a/m] }\n', '1.0:'],
  ])('comes into %s', (_what, text, wanted) => {
    expect(put('models', 'new', { targets: ['a/m'] }, text).replace(/\[a\/m\]/g, '[ a/m ]')).toContain(wanted);
  });

  it('says what it should, however that has to be written', () => {
    for (const name of [
      '[ x ]',
      '# no comment',
      '- no item',
      '{ a: 1 }',
      '*no-alias',
      'yes',
      '1.0',
      '',
      ' a ',
      'a: b',
      '"',
    ]) {
      const made = put('models', 'new', { targets: [name, 'a/m'], aliases: [name] });
      expect(readEntries(made, 'models').get('new'), name).toEqual({ targets: [name, 'a/m'], aliases: [name] });
      expect(put('models', 'new', undefined, made), name).toBe(FILE);
    }
  });

  it('takes the place of an alias, and leaves the anchor alone', () => {
    const text = 'models:\n  main: &m { targets: [a/m] }\n  other: *m\n';
    const made = put('models', 'other', { targets: ['b/m'] }, text);
    expect(made.startsWith('models:\n  main: &m { targets: [a/m] }\n')).toBe(true);
    expect(made).toContain('b/m');
    // Somebody else still needs what would go.
    expect(editText(text, 'yaml', { section: 'models', name: 'main', value: undefined }).ok).toBe(false);
  });

  it('stays JSON in JSON', () => {
    const text = '{\n\t"models": {\n\t\t"main": { "targets": ["a/m"] }\n\t}\n}\n';
    const result = editText(text, 'json', { section: 'models', name: 'main', value: { targets: ['b/m'] } });
    expect(result.ok && JSON.parse(result.text)).toEqual({ models: { main: { targets: ['b/m'] } } });
    expect(result.ok && result.text).toContain('\n\t"models"');
  });

  it.each(['models: [', 'models: {a: 1}\n---\nx: 1\n', '- a\n- b\n'])(
    'is refused where the file is broken: %j',
    (text) => {
      expect(editText(text, 'yaml', { section: 'models', name: 'x', value: {} }).ok).toBe(false);
    },
  );
});
