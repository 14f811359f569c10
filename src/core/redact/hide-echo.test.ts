import { describe, expect, it } from 'vitest';
import { hideEcho } from './hide-echo.ts';

const BODY = 'say_Forty violet herons recite marmalade sonnets. tool mcp__garden__create_pull_request_review end';
const hide = (text: string): string => hideEcho(text, BODY);

describe('hideEcho', () => {
  it.each<[string, string, string]>([
    ['in the middle', 'bad input: Forty violet herons recite marmalade sonnets!', 'bad input: […]!'],
    ['at the start', 'Forty violet herons recite marmalade: no', '[…]: no'],
    ['as the whole', 'violet herons recite marmalade sonnets', '[…]'],
    ['cut off', 'input_value=violet herons recite mar...', 'input_value=[…]...'],
    ['twice', 'Forty violet herons recite, violet herons recite marmalade', '[…],[…]'],
  ])('hides what the request says, %s', (_, text, expected) => {
    expect(hide(text)).toBe(expected);
  });

  it('hides it wherever it begins', () => {
    for (let gap = 0; gap < 30; gap++) {
      const hidden = hide(`${'x'.repeat(gap)}Forty violet herons recite marmalade`);
      expect(hidden).toBe(`${'x'.repeat(gap)}[…]`);
    }
  });

  it('knows a sentence without spaces', () => {
    const said = '私の秘密の計画は誰にも話していないので絶対に漏らさないでください';
    expect(hideEcho(`Invalid content: ${said}`, `{"content":"${said}"}`)).toBe('Invalid content: […]');
  });

  it('finds a long echo behind a short one', () => {
    const body = `violet herons ${BODY}`;
    expect(hideEcho('got violet herons recite marmalade', body)).toBe('got[…]');
  });

  it.each([
    'Invalid schema for function mcp__garden__create_pull_request_review',
    'violet herons are not supported',
    'prompt is too long: 210000 tokens > 200000 maximum',
    '',
  ])('leaves names and short words: %s', (text) => {
    expect(hide(text)).toBe(text);
  });
});
