import { describe, expect, it } from 'vitest';
import { isLoopback, isNetwork, isOrigin, isPlainlyPrivate, parseBaseUrl } from './address.ts';
import { matchesGlob } from './glob.ts';
import { didYouMean, editDistance, nearestNames } from './nearest.ts';
import { formatPath, renderProblems } from './problem.ts';

describe('close names', () => {
  it('count edits, neighbours swapped as one', () => {
    expect(editDistance('abc', 'abc', 5)).toBe(0);
    expect(editDistance('abc', 'acb', 5)).toBe(1);
    expect(editDistance('kitten', 'sitting', 5)).toBe(3);
    expect(editDistance('a', 'abcdefgh', 3)).toBe(4);
    expect(editDistance('ABC', 'abc', 3)).toBe(0);
  });

  it('are few, closest first', () => {
    const names = ['claude-opus', 'gpt-main', 'gpt-mini', 'main', 'zebra'];
    expect(nearestNames('gpt-mian', names, 3).slice(0, 2)).toEqual(['gpt-main', 'gpt-mini']);
    expect(nearestNames('xxxxxxxx', names, 3)).toEqual([]);
    expect(nearestNames('claude-opus-4-8', names, 3)[0]).toBe('claude-opus');
    expect(didYouMean('stratgey', ['strategy', 'sticky'])).toBe('did you mean "strategy"?');
    expect(didYouMean('qqqqqqqq', ['strategy', 'sticky'])).toBeNull();
  });
});

describe('patterns', () => {
  it.each([
    ['main', 'main', true],
    ['main', 'mainx', false],
    ['*', '', true],
    ['*', 'a/b', true],
    ['claude-*haiku*', 'claude-3-haiku-x', true],
    ['claude-*haiku*', 'claude-opus', false],
    ['a*a', 'a', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*bc*c', 'a-bc', false],
    ['openai/*', 'openai/gpt-5', true],
    ['a.c', 'abc', false],
  ])('%s on %s', (pattern, name, wanted) => {
    expect(matchesGlob(pattern, name)).toBe(wanted);
  });

  it('take no time for a hostile one', () => {
    expect(matchesGlob(`${'a*'.repeat(60)}b`, 'a'.repeat(128))).toBe(false);
  });
});

describe('addresses', () => {
  it('split a base URL', () => {
    expect(parseBaseUrl('https://api.example.test/v1/')).toEqual({
      ok: true,
      value: {
        origin: 'https://api.example.test:443',
        basePath: '/v1',
        endpoint: 'api.example.test:443',
        host: 'api.example.test',
      },
    });
    expect(parseBaseUrl('http://[::1]:8080')).toMatchObject({
      value: { origin: 'http://[::1]:8080', basePath: '', endpoint: '[::1]:8080' },
    });
  });

  it.each(['', 'x', 'ftp://x/', 'https://u:p@x/', 'https://x/?a=b', 'https://x/#a', 'https://x/v1/models'])(
    'refuse %s',
    (text) => {
      expect(parseBaseUrl(text).ok).toBe(false);
    },
  );

  it('know what is private by its looks', () => {
    for (const host of [
      'localhost',
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '172.31.0.1',
      '192.168.1.1',
      '169.254.1.1',
      '100.64.0.1',
      '[::1]',
      '[fd00::1]',
      'vllm',
      'x.localhost',
    ]) {
      expect(isPlainlyPrivate(host), host).toBe(true);
    }
    for (const host of ['api.openai.com', '8.8.8.8', '172.32.0.1', '100.128.0.1', '[2001:db8::1]', '1.10.0.1']) {
      expect(isPlainlyPrivate(host), host).toBe(false);
    }
  });

  it('know loopback, networks and origins', () => {
    expect(
      ['localhost', '127.0.0.9', '::1', '[::1]', '0.0.0.0', '::', 'example.test', '127.evil.test'].map(isLoopback),
    ).toEqual([true, true, true, true, false, false, false, false]);
    expect(
      ['10.0.0.1', '10.0.0.0/8', '::1/128', '10.0.0.0/33', 'x', '10.0.0.0/8/8', '10.0.0.0/', 'fe80::1%1'].map(
        isNetwork,
      ),
    ).toEqual([true, true, true, false, false, false, false, false]);
    expect(['https://a.test', 'http://localhost:3000', 'https://a.test/', '*', 'null', 'a.test'].map(isOrigin)).toEqual(
      [true, true, false, false, false, false],
    );
  });
});

describe('problems', () => {
  it('name their path', () => {
    expect(formatPath(['models', 'gpt-5.6', 'targets', 0, 'weight'])).toBe('models["gpt-5.6"].targets[0].weight');
    expect(formatPath([])).toBe('');
  });

  it('are readable without a file', () => {
    const problem = { path: 'a', line: null, column: null, message: 'is wrong', hint: null };
    expect(renderProblems([problem], null)).toBe('no configuration file  a  is wrong');
  });
});
