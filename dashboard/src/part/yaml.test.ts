import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { toYaml } from './yaml.ts';

it('writes a model as people do', () => {
  const model = {
    aliases: ['main'],
    default: true,
    targets: ['demo/error-503', { provider: 'spare', model: 'ok', weight: 3, timeouts: { idle: '2s' } }],
    retry: { sameTarget: 'auto', maxAttempts: 8 },
  };
  expect(toYaml({ models: { chat: model } })).toBe(`models:
  chat:
    aliases:
      - main
    default: true
    targets:
      - demo/error-503
      - { provider: spare, model: ok, weight: 3, timeouts: { idle: 2s } }
    retry:
      sameTarget: auto
      maxAttempts: 8`);
});

it.each<unknown>([
  {
    a: '',
    b: 'yes',
    c: 'null',
    d: '12',
    e: '1e3',
    f: 'a: b',
    g: 'a #b',
    h: '# a',
    i: ' a',
    j: 'a ',
    k: '{x}',
    l: '"q"',
    m: '-',
    n: '0x1f',
    o: '2026-01-31',
  },
  { a: null, b: [], c: {}, d: [[1, 2], ['x']], e: [{ f: [1] }], g: [{ h: { i: { j: 'k' } } }] },
  { 'a b': 1, '1': 2, 'gpt-5.6': '${KEY}', true: false, long: [{ a: 'x'.repeat(120), b: 1 }] },
  ['a', 1.5, -2, true],
  {
    n: 'No',
    y: 'Y',
    on: 'ON',
    t: '~',
    dash: '- a',
    star: '*a',
    amp: '&a',
    at: '@a',
    percent: '%a',
    tick: '`a',
    colon: 'a:',
    comma: 'a, b',
    bracket: 'a]',
    brace: 'a}',
  },
  [
    {
      comma: 'a, b',
      bracket: 'a]',
      brace: 'a}',
      slash: 'a/b',
      plus: '+1',
      dot: '.5',
      dots: '...',
      inf: '.inf',
      nan: '.NaN',
    },
  ],
])('says what YAML reads: %j', (value) => {
  expect(parse(toYaml(value))).toEqual(value);
});
