import { describe, expect, it } from 'vitest';
import { fakeSecrets } from '../../test/kit/config-text.ts';
import { Interpolated, interpolate } from './interpolate.ts';

const sources = {
  secrets: fakeSecrets({ A: 'one', EMPTY: '', TRICKY: '${A} $& $1', B: 'two' }, { '/s/key': 'sekret' }),
  resolvePath: (path: string) => (path.startsWith('/') ? path : `/s/${path}`),
  unset: 'refuse' as const,
};

const valueIn = (text: string): string => {
  const result = interpolate(text, sources);
  if (!result.ok) throw new Error(result.problems.map((problem) => problem.message).join('; '));
  return result.value instanceof Interpolated ? `<${result.value.secret.reveal()}>` : result.value;
};

describe('interpolation', () => {
  it('puts something in for what is not set, where nothing comes of it', () => {
    const result = interpolate('Bearer ${NOPE} ${A} ${EMPTY} ${ALSO:-x}', { ...sources, unset: 'stand_in' });
    const value = result.ok ? result.value : null;
    expect(value instanceof Interpolated && value.secret.reveal()).toBe('Bearer not-set-in-this-terminal-NOPE one  x');
    expect(interpolate('${NO NAME}', { ...sources, unset: 'stand_in' }).ok).toBe(false);
  });

  it.each([
    ['plain $text with $ and {}', 'plain $text with $ and {}'],
    ['${A}', '<one>'],
    ['x${A}y${B}z', '<xoneytwoz>'],
    ['${EMPTY}', '<>'],
    ['${NOPE:-}', '<>'],
    ['${NOPE:-a:-b}', '<a:-b>'],
    ['${EMPTY:-x}', '<x>'],
    ['${A:-x}', '<one>'],
    ['${NOPE:-${ALSO:-${A}}!}', '<one!>'],
    ['${file:/s/key}', '<sekret>'],
    ['Bearer ${file:key}', '<Bearer sekret>'],
    ['$${A}', '${A}'],
    ['$${A} ${A}', '<${A} one>'],
    // What was put in is text, not a reference, and no replacement pattern.
    ['${TRICKY}', '<${A} $& $1>'],
  ])('%s', (text, wanted) => {
    expect(valueIn(text)).toBe(wanted);
  });

  it.each([
    ['${NOPE}', 'the variable NOPE is not set'],
    ['${A} ${N1} ${N2}', 'the variable N1 is not set; the variable N2 is not set'],
    ['${NOPE:-${DEEP}}', 'the variable DEEP is not set'],
    ['${A', '"${" is not closed'],
    ['${}', '"${}" is no reference'],
    ['${A-x}', '"${A-x}" is no reference'],
    ['${ A }', '"${ A }" is no reference'],
    ['${file:}', '"${file:}" names no file'],
    ['${file:/none}', 'the file "/none" can\'t be read: it does not exist'],
  ])('%s is refused', (text, wanted) => {
    expect(() => valueIn(text)).toThrow(wanted);
  });

  it('bounds what may be nested', () => {
    const nested = `${'${N:-'.repeat(50)}x${'}'.repeat(50)}`;
    expect(() => valueIn(nested)).toThrow('nested too deep');
  });

  it('knows no variables that objects have anyway', () => {
    expect(() => valueIn('${constructor}')).toThrow('the variable constructor is not set');
  });
});
