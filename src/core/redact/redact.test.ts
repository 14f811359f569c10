import { describe, expect, it } from 'vitest';
import { cleanName, cleanText, createScrubber, Secret } from './index.ts';

describe('cleanText', () => {
  it.each<[string, string, string]>([
    [
      'query of a URL',
      'bad url https://up.example/v1?key=FAKEKEY-aaaabbbbccccdddd',
      'bad url https://up.example/v1?key=[secret]',
    ],
    [
      'fragment of a URL',
      'see https://up.example/v1#access_token=x1',
      'see https://up.example/v1#access_token=[secret]',
    ],
    [
      'user of a URL',
      'dial redis://user:hunter2@cache.example:6379 failed',
      'dial redis://[secret]@cache.example:6379 failed',
    ],
    ['prefixed key', 'request with key sk-PLANTED-0a1b2c3d4e5f6a7b8c9d failed', 'request with key [secret] failed'],
    [
      'key in an excuse',
      'Incorrect API key provided: sk-OTHER-99887766554433221100',
      'Incorrect API key provided: [secret]',
    ],
    ['masked key', 'Incorrect API key provided: sk-ab***********wxyz.', 'Incorrect API key provided: [secret].'],
    ['unprefixed key in an excuse', "Invalid key 'a1b2c3d4e5f6'", "Invalid key '[secret]'"],
    ['client key', 'unknown key gw-wrong-1234567890', 'unknown key [secret]'],
    ['bearer', 'Authorization: Bearer abc.def-123', 'Authorization: Bearer [secret]'],
    ['bearer alone', 'sent bearer abcdefgh12345678 to it', 'sent bearer [secret] to it'],
    ['Google key', 'API_KEY AIzaSyA1234567890abcdefg', 'API_KEY [secret]'],
    ['web token', 'got eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc_DEF-1', 'got [secret]'],
    ['key=value', 'password=hunter2 user=me', 'password=[secret] user=me'],
    ['JSON', '{"api_key": "verysecret", "model": "m"}', '{"api_key": "[secret]", "model": "m"}'],
    ['escaped JSON', '{\\"token\\":\\"verysecret\\"}', '{\\"token\\":\\"[secret]\\"}'],
    ['long hex', 'id 0123456789abcdef0123456789abcdef!', 'id [secret]!'],
    ['long base64', 'blob QWxhZGRpbjpvcGVuIHNlc2FtZTEyMw==', 'blob [secret]'],
    ['line breaks and controls', 'a\r\n\tb\u0000c\u001b[31md\u2028e', 'a b c [31md e'],
    ['hidden characters', 's\u200bk\u202e-x', 'sk-x'],
    ['half a character', 'a\ud800b', 'a\ufffdb'],
    ['bidi and variation marks', 's\u061ck\ufe0f-\u{e0041}x', 'sk-x'],
    ['escaped key', '\\u0073k-PLANTED-0a1b2c3d4e5f', '[secret]'],
    ['key as HTML', '&#115;k-PLANTED-0a1b2c3d4e5f', '[secret]'],
    [
      'key as a list of bytes',
      `got ${JSON.stringify([...Buffer.from('sk-PLANTED-0a1b2c3d4e5f\t\0')])} now`,
      'got [[secret]9,0] now',
    ],
    [
      'key as bytes of hex',
      `got ${Buffer.from('sk-PLANTED-0a1b2c3d4e5f')
        .toString('hex')
        .replace(/..(?=.)/g, '$&:')} now`,
      'got [secret] now',
    ],
  ])('%s', (_, text, expected) => {
    expect(cleanText(text)).toBe(expected);
  });

  it.each([
    'prompt is too long: 210000 tokens > 200000 maximum',
    'The model `claude-3-5-sonnet-20241022` does not exist',
    'model Qwen/Qwen3-235B-A22B-Instruct-2507-FP8 is loading',
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
    'Rate limit reached for tokens per min (TPM): Limit 10000, Used 9000, Requested 2000.',
    'token limit exceeded',
    'Bearer authentication required',
    'see https://docs.example/errors/429 for more',
    'exceed_context_size_error at messages[0].content',
    'Missing API key in request',
    'Unexpected value(s) `token-efficient-tools-2025-02-19` for the `anthropic-beta` header',
    'path C:\\u0041 is 100%25 wrong',
    'see rows 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 65, 66, 67, 97, 98, 99',
    'token 98 97 99 100 32 45 77 was expected; sizes 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64',
  ])('leaves alone: %s', (text) => {
    expect(cleanText(text)).toBe(text);
  });

  it('keeps to its length, without halves of characters', () => {
    expect(cleanText('x'.repeat(10_000))).toHaveLength(300);
    const cut = cleanText('😀'.repeat(400), { maxLength: 10 });
    expect(cut).toBe(`${'😀'.repeat(4)}…`);
  });

  it('finds a key that only its value gives away', () => {
    const scrub = createScrubber(['correct horse battery']);
    expect(cleanText('with correct horse battery set', { scrub })).toBe('with [secret] set');
  });
});

describe('cleanName', () => {
  it('takes out what announces itself, and leaves ids', () => {
    for (const id of [
      '4bf92f3577b34da6a3ce929d0e0e4736',
      'req_011CSHoEeqs5C35K2UUqR7Fy',
      'openai/gpt-5.6',
      'gw-prod-eu-1',
      'r8-c12-n3',
      'key-2025-11',
      'token-efficient-tools-2025-02-19',
    ]) {
      expect(cleanName(id)).toBe(id);
    }
    expect(cleanName('any-sk-proj-Zx81kQ0vLmT5')).toBe('any-[secret]');
    expect(cleanName('a\u001b[31m\u202eb')).toBe('a [31mb');
    expect(cleanName('x'.repeat(500))).toHaveLength(200);
    expect(cleanName('my horse battery 1', { scrub: createScrubber(['horse battery']) })).toBe('my [secret] 1');
  });
});

describe('createScrubber', () => {
  const secret = 'pa$$/w+rd "é" 1';
  const scrub = createScrubber([secret, 'short', '']);

  it.each<[string, string]>([
    ['plain', secret],
    ['percent-encoded', encodeURIComponent(secret)],
    ['percent-encoded in lower case', encodeURIComponent(secret).replace(/%../g, (hex) => hex.toLowerCase())],
    ['form', encodeURIComponent(secret).replaceAll('%20', '+')],
    ['JSON', JSON.stringify(secret).slice(1, -1)],
    ['JSON in JSON', JSON.stringify(JSON.stringify(secret)).slice(3, -3)],
  ])('finds it %s', (_, form) => {
    expect(scrub(`a ${form} b ${form}`)).toBe('a [secret] b [secret]');
  });

  it.each(['', 'u', 'us', 'user:', 'user:x'])('finds it in base64 behind %j', (before) => {
    const encoded = btoa(String.fromCharCode(...new TextEncoder().encode(`${before}${secret}:tail`)));
    expect(scrub(`Basic ${encoded}`)).toContain('[secret]');
    expect(scrub(`x ${encoded.replaceAll('+', '-').replaceAll('/', '_')}`)).toContain('[secret]');
  });

  it.each<[string, string]>([
    ['lower case', secret.toLowerCase()],
    ['hex', Buffer.from(secret).toString('hex')],
    ['every character percent-encoded', Buffer.from(secret).toString('hex').replace(/../g, '%$&')],
    [
      'every character escaped',
      secret
        .split('')
        .map((c) => `\\\\u00${c.charCodeAt(0).toString(16)}`)
        .join(''),
    ],
    [
      'hex with blanks',
      Buffer.from(secret)
        .toString('hex')
        .replace(/..(?=.)/g, '$& '),
    ],
    [
      'upper hex with colons',
      Buffer.from(secret)
        .toString('hex')
        .toUpperCase()
        .replace(/..(?=.)/g, '$&:'),
    ],
    [
      'hex dashed',
      Buffer.from(secret)
        .toString('hex')
        .replace(/..(?=.)/g, '$&-'),
    ],
    ['a list of bytes', [...new TextEncoder().encode(secret)].join(', ')],
    [
      'a list of bytes with zeros',
      [...new TextEncoder().encode(secret)].map((byte) => String(byte).padStart(3, '0')).join(' '),
    ],
    ['bytes of octal', [...new TextEncoder().encode(secret)].map((byte) => byte.toString(8)).join(' ')],
    ['a part of a list of bytes', [...new TextEncoder().encode(secret)].slice(2, 9).join(', ')],
    ['a list of a program', Buffer.from(secret).toString('hex').replace(/../g, '\\x$&')],
    ['entities without semicolons', secret.replace(/./g, (c) => `&#${c.charCodeAt(0)}`)],
    ['cut at its end', secret.slice(0, 12)],
    ['cut at its start', secret.slice(-12)],
  ])('finds it in %s', (_, form) => {
    expect(scrub(`a ${form} b`)).toBe('a [secret] b');
  });

  it.each([
    ['a line break', '\n'],
    ['a carriage return and blanks', '\r\n   '],
    ['an escaped line break', '\\n'],
    ['an escaped line break in JSON', '\\\\r\\\\n'],
  ])('finds base64 at each alignment, broken by %s', (_, gap) => {
    for (const before of ['', 'u', 'us']) {
      for (const line of [4, 7, 10, 76]) {
        const whole = Buffer.from(`${before}${secret}${secret}`).toString('base64url');
        const lines = whole.match(new RegExp(`.{1,${line}}`, 'g'))?.join(gap) ?? '';
        const rest = scrub(`x ${lines} y`).replace(/^x | y$/g, '');
        expect(rest.replaceAll(gap, '').replaceAll('[secret]', '').length, rest).toBeLessThan(8);
      }
    }
  });

  it('takes out just what is the secret', () => {
    const percent = encodeURIComponent(secret);
    expect(scrub(`{\\"k\\":\\"${percent}\\"} &amp; \\n`)).toBe('{\\"k\\":\\"[secret]\\"} &amp; \\n');
    expect(scrub('100% \\u0041 &lt;b&gt;')).toBe('100% \\u0041 &lt;b&gt;');
  });

  it('takes time by the length', () => {
    const cost = (text: string): number => {
      const at = performance.now();
      scrub(text);
      return performance.now() - at;
    };
    for (const piece of ['\\', '&', '%', '&amp;', '\\u00', 'pa$$/w+', '70 61 ']) {
      const short = Math.min(...[0, 1, 2].map(() => cost(piece.repeat((1 << 14) / piece.length))));
      const long = Math.min(...[0, 1, 2].map(() => cost(piece.repeat((1 << 16) / piece.length))));
      expect(long, piece).toBeLessThan(short * 10 + 200);
    }
  });

  it('finds what stands between its characters no obstacle', () => {
    const words = createScrubber(['mauve-otter-lamp']);
    for (const gap of ['\n', ' ', '-', '" + "']) {
      expect(words(`a ${'mauveotterlamp'.replace(/..(?=.)/g, `$&${gap}`)} b`)).toBe('a [secret] b');
    }
  });

  it('finds hex as numbers of a program', () => {
    expect(scrub(Buffer.from(secret).toString('hex').replace(/../g, '0x$&, '))).toBe('0x[secret], ');
  });

  it('finds a short one in base64 that goes on as a number in hex would', () => {
    expect(createScrubber(['      WL'])(btoa('      WL@'))).toBe('[secret]xA');
  });

  it('finds it where a longer text was cut', () => {
    const text = `x${' '.repeat(8170)}${secret}`;
    expect(cleanText(text, { scrub })).toBe('x [secret]');
  });

  it('leaves short values and other texts alone', () => {
    expect(scrub('a short text')).toBe('a short text');
    expect(createScrubber([])('x')).toBe('x');
  });
});

describe('Secret', () => {
  it('does not print', () => {
    const value = new Secret('hunter2hunter2');
    expect([JSON.stringify({ value }), String(value)]).toEqual(['{"value":"[secret]"}', '[secret]']);
    expect(value.reveal()).toBe('hunter2hunter2');
  });
});
