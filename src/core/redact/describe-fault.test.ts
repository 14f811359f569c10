import { describe, expect, it } from 'vitest';
import { describeFault, faultWords } from './describe-fault.ts';

const SECRET = 'sk-PLANTED-0a1b2c3d4e5f';

const thrownBy = (make: () => unknown): unknown => {
  try {
    throw make();
  } catch (error) {
    return error;
  }
};

describe('describeFault', () => {
  it('tells the kind and the place', () => {
    const fault = thrownBy(() => Object.assign(new TypeError(SECRET), { code: 'ERR_INVALID_ARG_TYPE' }));
    const { name, code, at } = describeFault(fault);
    expect([name, code]).toEqual(['TypeError', 'ERR_INVALID_ARG_TYPE']);
    expect(at.split('\n')[0]).toMatch(/^at .*describe-fault\.test\.ts:\d+:\d+\)?$/);
    expect(at).not.toContain('PLANTED');
    expect(faultWords(fault)).toBe('TypeError ERR_INVALID_ARG_TYPE');
  });

  it.each<[string, string, object?]>([
    ['in one line', SECRET],
    ['in several', `a\nb ${SECRET}\nc`],
    ['in lines that look like frames', `x\n    at ${SECRET} (file:///a.js:1:1)\n    at f (${SECRET}:1:2)`],
    ['as name and code', 'x', { name: SECRET, code: SECRET }],
    ['in a message that was changed later', 'x', { message: `y ${SECRET}` }],
  ])('never says the message: %s', (_, message, more = {}) => {
    const fault = Object.assign(new Error(message), more);
    expect(JSON.stringify([describeFault(fault), faultWords(fault)])).not.toContain('PLANTED');
  });

  it.each([
    ['a text', SECRET, 'string'],
    ['nothing', undefined, 'undefined'],
    ['null', null, 'Error'],
    ['an object', { message: SECRET }, 'Error'],
    [
      'a proxy that throws',
      new Proxy(
        {},
        {
          get() {
            throw new Error(SECRET);
          },
        },
      ),
      'Error',
    ],
  ])('knows what to say of %s', (_, thrown, name) => {
    expect(describeFault(thrown)).toEqual({ name, code: null, at: '' });
  });

  it('is short, however deep the stack was', () => {
    const fault = Object.assign(new Error('x'), {
      stack: `Error: x\n${`    at ${'f'.repeat(1000)} (file:///a.js:1:1)\n`.repeat(1000)}`,
    });
    expect(describeFault(fault).at.length).toBeLessThan(2100);
  });
});
