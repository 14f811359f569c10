import { describe, expect, it } from 'vitest';
import { foldWords } from './fold-words.ts';
import { hideEcho } from './hide-echo.ts';

const SAID = 'Forty violet herons recite marmalade sonnets';
const BODY = `say_${SAID}. tool mcp__garden__create_pull_request_review end`;
const hide = (text: string): string => hideEcho(text, foldWords(BODY));

const each = (text: string, write: (char: string, code: string) => string): string =>
  Array.from(text, (char) => write(char, char.charCodeAt(0).toString(16))).join('');

describe('hideEcho', () => {
  it.each<[string, string, string]>([
    ['in the middle', 'bad input: Forty violet herons recite marmalade sonnets!', 'bad input: […]!'],
    ['at the start', 'Forty violet herons recite marmalade: no', '[…]: no'],
    ['as the whole', 'violet herons recite marmalade sonnets', '[…]'],
    ['cut off', 'input_value=violet herons recite mar...', 'input_value=[…]...'],
    ['twice', 'Forty violet herons recite, violet herons recite marmalade', '[…], […]'],
  ])('hides what the request says, %s', (_, text, expected) => {
    expect(hide(text)).toBe(expected);
  });

  it.each<[string, string]>([
    ['in upper case', SAID.toUpperCase()],
    ['in lower case', SAID.toLowerCase()],
    ['with zero-width spaces', each(SAID, (c) => `${c}\u200b`)],
    ['with word joiners and marks', SAID.replaceAll('e', 'e\u2060\ufeff\u00ad')],
    ['turned round by bidi marks', `\u202e${SAID.replaceAll(' ', ' \u2067')}\u2069`],
    ['with variation selectors', SAID.replaceAll('o', 'o\ufe0f\u{e0101}')],
    ['with other blanks', SAID.replaceAll(' ', '\u00a0')],
    ['with tabs and line breaks', SAID.replaceAll(' ', '\t\r\n ')],
    ['with escaped line breaks', SAID.replaceAll(' ', '\\n')],
    ['in other quotes', SAID.replace('violet', '“violet”').replace('recite', '`recite`')],
    ['as entities', each(SAID, (_, code) => `&#x${code};`)],
    ['with entities of its blanks', SAID.replaceAll(' ', '&nbsp;')],
    ['as entities of entities', each(SAID, (_, code) => `&amp;#x${code};`)],
    ['percent-encoded', encodeURIComponent(SAID)],
    ['every character percent-encoded, twice', each(SAID, (_, code) => `%25${code}`)],
    ['form-encoded', SAID.replaceAll(' ', '+')],
    ['JSON-escaped', each(SAID, (_, code) => `\\u00${code}`)],
    ['JSON-escaped in JSON', each(SAID, (_, code) => `\\\\u00${code}`)],
    ['escaped for a program', each(SAID, (_, code) => `\\u{${code}}`)],
  ])('hides it however it is written: %s', (_, form) => {
    const hidden = hide(`bad: <${form}>, sorry`);
    expect(hidden).toMatch(/^bad: <.?\[…\].?>, sorry$/u);
  });

  it.each<[string, string]>([
    ['invisible characters', each(SAID, (c) => `${c}\u200b`)],
    ['escaped invisible characters', SAID.replaceAll('e', 'e\\u200b')],
    ['a text in another case', SAID.toUpperCase()],
    ['line breaks', SAID.replaceAll(' ', '\\r\\n\\t')],
    ['JSON in JSON', SAID.replaceAll(' ', '\\\\n')],
  ])('knows it from a request with %s', (_, form) => {
    expect(hideEcho(`bad: ${SAID}`, foldWords(`{"content":"${form}"}`))).toBe('bad: […]');
  });

  it.each<[string, string]>([
    ['entities', 'if (a &lt; b &amp;&amp; c &gt; d) then call the other one'],
    ['percent signs', 'open /a%20b/c%2Fd and then read all of it at once'],
    ['backslashes', 'in C:\\new folder\\u12 and \\x4 write the file'],
  ])('knows what the request itself escapes: %s', (_, said) => {
    const body = foldWords(JSON.stringify({ content: said }));
    expect(hideEcho(`bad: ${said}`, body)).toMatch(/^bad: \[…\]\)?$/);
  });

  it('hides it wherever it begins', () => {
    for (let gap = 0; gap < 30; gap++) {
      const hidden = hide(`${'x'.repeat(gap)}Forty violet herons recite marmalade`);
      expect(hidden).toBe(`${'x'.repeat(gap)}[…]`);
    }
  });

  it('knows a sentence without spaces', () => {
    const said = '私の秘密の計画は誰にも話していないので絶対に漏らさないでください';
    expect(hideEcho(`No: ${said}`, foldWords(`{"content":"${said}"}`))).toBe('No: […]');
  });

  it('finds a long echo behind a short one', () => {
    const body = foldWords(`violet herons ${BODY}`);
    expect(hideEcho('got violet herons recite marmalade', body)).toBe('got […]');
  });

  it.each([
    'Invalid schema for function mcp__garden__create_pull_request_review',
    'violet herons are not supported',
    'prompt is too long: 210000 tokens > 200000 maximum',
    '',
  ])('leaves names and short words: %s', (text) => {
    expect(hide(text)).toBe(text);
  });

  it('searches the request a bounded number of times, whatever the text is made of', () => {
    let searches = 0;
    const whole = Object.assign(new String(foldWords(BODY)), {
      indexOf: (piece: string, from?: number) => {
        searches++;
        return foldWords(BODY).indexOf(piece, from);
      },
    }) as unknown as string;
    for (const piece of ['&amp;', '\\\\u0041', '%2541 ', 'a ']) {
      searches = 0;
      hideEcho(piece.repeat(300 / piece.length), whole);
      expect(searches, piece).toBeLessThanOrEqual(3 * (300 / 12));
    }
  });
});
