import { describe, expect, it } from 'vitest';
import { hideSecrets, keepSecrets, readEntries } from './written-entries.ts';

const known = {
  protocol: 'openai-chat',
  apiKey: 'sk-fake-literal',
  headers: { authorization: 'Bearer ${TOKEN}', 'x-team': 'platform' },
};
const pool = {
  preset: 'openai',
  credentials: [
    { name: 'a', apiKey: '${A}' },
    { name: 'b', apiKey: 'sk-fake-b' },
  ],
};

describe('what a client is shown of a provider', () => {
  it('has references, and null for what stands in the file', () => {
    expect(hideSecrets(known)).toEqual({
      protocol: 'openai-chat',
      apiKey: null,
      headers: { authorization: 'Bearer ${TOKEN}', 'x-team': null },
    });
    expect(hideSecrets(pool)['credentials']).toEqual([
      { name: 'a', apiKey: '${A}' },
      { name: 'b', apiKey: null },
    ]);
  });

  it.each([
    ['${KEY:-sk-fake-default}', null],
    ['x${KEY}', null],
    ['${file:/run/secrets/key}', '${file:/run/secrets/key}'],
    [' ${KEY} ', ' ${KEY} '],
    [1234, null],
  ])('of %j: %j', (apiKey, shown) => {
    expect(hideSecrets({ apiKey })).toEqual({ apiKey: shown });
  });
});

describe('what is written of what a client sends', () => {
  it('keeps secrets that are not named, or null', () => {
    expect(keepSecrets({ protocol: 'openai-chat' }, known)).toEqual(known);
    expect(keepSecrets(hideSecrets(known), known)).toEqual(known);
    expect(keepSecrets(hideSecrets(pool), pool)).toEqual(pool);
  });

  it('takes new ones, and lets go of those that are said to be empty', () => {
    expect(keepSecrets({ apiKey: '${NEW}', headers: {} }, known)).toEqual({ apiKey: '${NEW}', headers: {} });
    expect(keepSecrets({ apiKey: '', headers: { 'x-team': null } }, known)).toEqual({
      headers: { 'x-team': 'platform' },
    });
    const next = keepSecrets({ preset: 'openai', credentials: [{ name: 'b' }, { name: 'c', apiKey: '${C}' }] }, pool);
    expect(next?.['credentials']).toEqual([
      { name: 'b', apiKey: 'sk-fake-b' },
      { name: 'c', apiKey: '${C}' },
    ]);
  });

  it('has nothing to put in the place of null where the file has nothing', () => {
    expect(keepSecrets({ credentials: [{ name: 'x', apiKey: null }] }, known)).toBeNull();
    expect(keepSecrets({ headers: { 'x-new': null } }, known)).toBeNull();
    expect(keepSecrets({ apiKey: null, preset: 'ollama' }, {})).toEqual({ preset: 'ollama' });
  });
});

describe('the entries of a file', () => {
  it('are read as they are written', () => {
    const entries = readEntries('providers:\n  a: { baseUrl: "${BASE}", apiKey: "${A}" }\n  1.0:\n', 'providers');
    expect([...entries]).toEqual([
      ['a', { baseUrl: '${BASE}', apiKey: '${A}' }],
      ['1.0', {}],
    ]);
    expect(readEntries('providers: [', 'providers').size).toBe(0);
    expect(readEntries('', 'models').size).toBe(0);
  });
});
