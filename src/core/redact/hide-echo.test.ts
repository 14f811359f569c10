import { describe, expect, it } from 'vitest';
import { foldWords } from './fold-words.ts';
import { hideEcho, isRepeated } from './hide-echo.ts';

const SAID = 'Forty violet herons recite marmalade sonnets';
const BODY = `say_${SAID}. tool mcp__garden__create_pull_request_review end`;
const bytesOf = (text: string): Uint8Array[] => [new TextEncoder().encode(text)];
const hide = (text: string): string => hideEcho(text, foldWords(BODY), { written: bytesOf(BODY) });

const each = (text: string, write: (char: string, code: string) => string): string =>
  Array.from(text, (char) => write(char, char.charCodeAt(0).toString(16))).join('');

describe('hideEcho', () => {
  it.each<[string, string, string]>([
    ['in the middle', 'bad input: Forty violet herons recite marmalade sonnets!', 'bad input: […]!'],
    ['at the start', 'Forty violet herons recite marmalade: no', '[…]: no'],
    ['as the whole', 'violet herons recite marmalade sonnets', '[…]'],
    ['cut off', 'input_value=violet herons recite mar...', 'input_value=[…]...'],
    ['twice', 'Forty violet herons recite, not: violet herons recite marmalade', '[…], not: […]'],
    ['piece by piece', 'Forty violet herons recite, violet herons recite marmalade', '[…]'],
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

  it.each<[string, string, string]>([
    ['Bad prompt: Forty violet herons recite marmalade', 'content', 'Bad prompt: […]'],
    ['Bad document: Forty violet herons recite marmalade', 'content', 'Bad document: […]'],
    ['Bad: Forty violet herons recite marmalade sonnets pretty please', 'pray', 'Bad: […] pretty please'],
    ['No: xForty violet herons recite marmalade', 'content', 'No: x[…]'],
    ['No: Forty violet herons recite marmaladex', 'content', 'No: […]x'],
    ['No: 17Forty violet herons recite marmalade', '7', 'No: 17[…]'],
    ['No: Forty violet herons recite marmalade sonnetsAB', 'abc', 'No: […]AB'],
  ])('cuts no letter off the words around it: %s', (text, near, expected) => {
    const body = foldWords(JSON.stringify({ [near]: 'Forty violet herons recite marmalade', near: `${SAID} ${near}` }));
    expect(hideEcho(text, body)).toBe(expected);
  });

  it.each<[string, string, string]>([
    ['most of a word', 'got: torty violet herons recite mint', 'got: t[…] mint'],
    ['many of its letters', 'got: fffforty violet herons recite', 'got: fff[…]'],
    ['a name of three letters without blanks', '姓名王小明 and violet herons recite marmalade', '姓名[…]'],
  ])('hides a piece of a word with the echo rather than tell it: %s', (_, text, expected) => {
    const body = foldWords('forty violet herons recite 我叫王小明 and violet herons recite marmalade');
    expect(hideEcho(text, body)).toBe(expected);
  });

  it.each<[string, string]>([
    ['No: xhe recites marmalade sonnets by heart', 'No: x[…]'],
    ['No: he recites marmalade sonnets by mex', 'No: […]x'],
    ['No: xthe recites marmalade sonnets by mexx', 'No: xt[…]xx'],
  ])('tells no word of the request, be it short: %s', (text, expected) => {
    expect(
      hideEcho(text, foldWords('he recites marmalade sonnets by heart. he recites marmalade sonnets by me.')),
    ).toBe(expected);
  });

  const words = 'My grandmother Wilhelmina Rosenstengel lives at Elm Street 7';
  const NAMES = [
    'mcp__github__create_pull_request_review',
    'src/core/redact/hide-echo.ts',
    'anthropic/claude-sonnet-4.5-20250929',
  ];
  const REQUEST = JSON.stringify({ content: words, tools: NAMES, iban: 'DE89-3704-0044-0532-0130-00' });
  const ask = (text: string): string => hideEcho(text, foldWords(REQUEST), { written: bytesOf(REQUEST) });

  it.each(['.', '_', '/', ':', ',', '|', '-', '+', '~', '__', ' - ', '%20', '&nbsp;', '\u200b.', ''])(
    'hides words with %j in the place of blanks',
    (mark) => {
      const slug = words.replaceAll(' ', mark);
      expect(ask(`Invalid value: ${slug}`)).toBe('Invalid value: […]');
      expect(ask(slug.slice(0, 64))).toMatch(/^\[…\][^a-z]*$/);
      expect(ask(`bad (${slug.toUpperCase()})`)).toBe('bad ([…])');
    },
  );

  it('hides words in camel case, as long as they are enough', () => {
    const camel = words.replace(/ (.)/g, (_, char: string) => char.toUpperCase());
    expect(ask(`bad value:${camel}, no`)).toBe('bad value:[…], no');
    expect(ask(`bad ${camel.slice(0, 23)}`)).toBe(`bad ${camel.slice(0, 23)}`);
    expect(ask(`bad x${camel}Xx`)).toBe('bad x[…]Xx');
  });

  it('hides a piece of a name without blanks with such words', () => {
    const body = foldWords('my aunt Wilhelmina lives at Elm, 王小明');
    expect(hideEcho('bad myAuntWilhelminaLivesAtElm.王小x', body)).toBe('bad […]x');
  });

  it.each(NAMES)('tells a name that the request has just so: %s', (name) => {
    for (const text of [`Unknown tool '${name}'.`, `tools: "${name}"`, name, `${name}: not found`]) {
      expect(ask(text)).toBe(text);
    }
    const blanks = name.replaceAll(/[^a-z\d]+/g, ' ');
    expect(hideEcho(`bad ${name}`, foldWords(blanks), { written: bytesOf(blanks) })).toBe('bad […]');
    expect(hideEcho(`bad ${name}`, foldWords(REQUEST))).toBe('bad […]');
  });

  it('tells no name of more than 64 characters, and no number that is written like one', () => {
    const long = `a_tool_of_${'very_'.repeat(11)}long`;
    const body = JSON.stringify({ long });
    expect(long.length).toBe(69);
    expect(hideEcho(`bad ${long}`, foldWords(body), { written: bytesOf(body) })).toBe('bad […]');
    expect(ask('bad DE89-3704-0044-0532-0130-00')).toBe('bad […]');
  });

  it('leaves what it is told to keep, and nothing else of an echo', () => {
    const text = 'bad: Forty violet herons, recite marmalade sonnets. Sorry';
    const keep: [number, number][] = [[text.indexOf('herons'), text.indexOf(', recite') + 1]];
    expect(hideEcho(text, foldWords(BODY), { keep })).toBe('bad: […] herons, […]. Sorry');
  });

  /** A text that counts the units that are read of it, and lets nobody search it in another way. */
  function counting(whole: string): { readonly text: string; readonly reads: () => number } {
    let reads = 0;
    const read = (at: number): number => {
      reads++;
      return whole.charCodeAt(at);
    };
    const refuse = (): never => {
      throw new Error('a search of its own takes as long as it likes');
    };
    const others = ['includes', 'indexOf', 'replaceAll', 'replace', 'match', 'matchAll', 'split', 'slice'];
    const own = Object.fromEntries(others.map((name) => [name, refuse]));
    const text = Object.assign(new String(whole), own, { charCodeAt: read }) as unknown as string;
    return { text, reads: () => reads };
  }

  /** The same for bytes. */
  function countingBytes(text: string): { readonly bytes: ArrayLike<number>; readonly reads: () => number } {
    let reads = 0;
    const read = (bytes: Uint8Array, key: string | symbol): unknown => {
      if (key !== 'length') reads++;
      return key === 'length' ? bytes.length : bytes[Number(key)];
    };
    return { bytes: new Proxy(bytesOf(text)[0] as Uint8Array, { get: read }), reads: () => reads };
  }

  it('reads the request once, as words and as written, whatever it and the text are made of', () => {
    const length = 1 << 16;
    let named = 0;
    for (const of of ['a', 'ab', `${'a'.repeat(11)}b`, 'a ', 'forty violet herons ', 'a_a ', 'aB ', 'aaa\\u0062 ']) {
      const written = of.repeat(length / of.length);
      const whole = foldWords(written);
      for (const piece of [
        'a',
        'ab',
        `${'a'.repeat(12)} b `,
        '&amp;',
        '\\\\u0041',
        '%2541 ',
        'forty violet rooks ',
        'a_a ',
        'a_a\\n',
        'aB ',
        'AaaB ',
        `${'a_'.repeat(30)}b `,
      ]) {
        const [words, bytes] = [counting(whole), countingBytes(written)];
        hideEcho(piece.repeat(Math.ceil(300 / piece.length)), words.text, { written: [bytes.bytes] });
        // Once with its blanks and once without, and not a look more.
        expect(words.reads(), `${piece} in ${of}`).toBeLessThanOrEqual(2 * whole.length);
        expect(bytes.reads(), `names of ${piece} in ${of}`).toBeLessThanOrEqual(written.length);
        if (bytes.reads() > 0) named++;
      }
    }
    expect(named).toBeGreaterThan(0);
  });

  it('asks what is written only where a name decides', () => {
    const asked = (text: string, written: string): number => {
      const { bytes, reads } = countingBytes(written);
      hideEcho(text, foldWords(written), { written: [bytes] });
      return reads();
    };
    expect(asked(`bad: ${SAID}`, BODY)).toBe(0);
    expect(asked(`bad: ${SAID}, say_x and say_y`, `${SAID}, say_x and say_y`)).toBe(0);
    expect(asked('bad: no echo of it, but call_a_function', BODY)).toBe(0);
    expect(asked('bad mcp__garden__create_pull_request_review', BODY)).toBe(BODY.length);
    const tools = ['water', 'prune', 'weed', 'plant', 'harvest'].map((each) => `mcp__garden_of_anna__${each}_all`);
    expect(asked(tools.join(', xyz, '), tools.join('; '))).toBe(tools.join('; ').length);
  });
});

describe('isRepeated', () => {
  it.each([1, 3, 20])('finds just what is there, %i times as long', (times) => {
    const said = `${SAID} `.repeat(times).trim();
    const whole = foldWords(`x ${said} y`);
    expect(isRepeated(said.toUpperCase(), whole)).toBe(true);
    expect(isRepeated(encodeURIComponent(said), whole)).toBe(true);
    expect(isRepeated(`${said} z`, whole)).toBe(false);
  });

  it('reads the request once for a text of any length', () => {
    const whole = 'a'.repeat(1 << 16);
    for (const text of [`${'a'.repeat(900)}b${'a'.repeat(900)}`, `b${'a'.repeat(900)}`, 'a'.repeat(900)]) {
      let reads = 0;
      const counted = Object.assign(new String(whole), {
        charCodeAt: (at: number) => {
          reads++;
          return whole.charCodeAt(at);
        },
        includes: () => {
          throw new Error('a search of its own takes as long as it likes');
        },
      }) as unknown as string;
      expect(isRepeated(text, counted)).toBe(!text.includes('b'));
      expect(reads).toBeLessThanOrEqual(whole.length);
    }
  });
});
