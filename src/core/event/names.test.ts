import { describe, expect, it } from 'vitest';
import { HONEST_NAMES } from '../../../test/fault/hostile-log.ts';
import { isNameOf, NAMES, type NameKind } from './names.ts';

/** In a form that nobody takes for a key. */
const longText = (length: number): string => `${'so.'.repeat(100).slice(0, length - 1)}s`;

const LONGEST: { readonly [K in NameKind]: (more: number) => string } = {
  request: (more) => `req_0${'1'.repeat(25 + more)}`,
  model: (more) => longText(160 + more),
  provider: (more) => longText(64 + more),
  target: (more) => `${longText(64)}/${longText(160 + more)}`,
  credential: (more) => longText(64 + more),
  route: (more) => `${longText(64)}/${longText(160)}#${longText(64 + more)}`,
  endpoint: (more) => `${longText(253 + more)}:65535`,
  scope: (more) => `${longText(64)}/${longText(160)}#${longText(64 + more)}`,
  client: (more) => longText(64 + more),
  trace: (more) => 'a1'.repeat(16) + 'a'.repeat(more),
};

describe('isNameOf', () => {
  it.each(Object.keys(NAMES) as NameKind[])('takes a %s as long as its bound says, and no longer', (kind) => {
    const longest = LONGEST[kind](0);
    expect(longest.length).toBe(NAMES[kind].maxLength);
    expect(isNameOf(kind, longest)).toBe(true);
    expect(isNameOf(kind, LONGEST[kind](1))).toBe(false);
  });

  it.each(HONEST_NAMES)('takes a %s: %s', (kind, name) => expect(isNameOf(kind, name)).toBe(true));

  it.each([
    ['model', ''],
    ['model', '-x'],
    ['target', 'main'],
    ['route', 'a/m'],
    ['endpoint', 'host'],
    ['endpoint', 'user@host:1'],
    ['scope', 'main'],
    ['provider', 'a/b'],
    ['request', 'req_8MS841BBW20Y4VK3CPK1Y9S111'],
  ] as const)('takes no %s that is %j', (kind, name) => expect(isNameOf(kind, name)).toBe(false));
});
