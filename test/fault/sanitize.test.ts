import { describe, expect, it } from 'vitest';
import { sanitizeLog } from '../../src/app/sanitize.ts';
import { sanitize } from '../../src/cli/command/sanitize.ts';
import { createTerminal } from '../../src/cli/terminal.ts';
import { EVENT_NAMES } from '../../src/core/event/index.ts';
import { takeSeed } from '../kit/seed.ts';
import { createSeededRandom } from '../kit/seeded-random.ts';
import { GENUINE_EVENTS, HOSTILE_LINES } from './hostile-log.ts';

async function run(log: Uint8Array | readonly Uint8Array[]): Promise<readonly string[]> {
  const lines: string[] = [];
  await sanitizeLog(chunksOf(log instanceof Uint8Array ? [log] : log), (line) => void lines.push(line));
  return lines;
}

async function* chunksOf(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield chunk;
}

/** In pieces of any length. */
function chop(log: Uint8Array): readonly Uint8Array[] {
  const random = createSeededRandom(takeSeed('sanitize'));
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < log.length; ) {
    const length = 1 + Math.floor(random.next() * (random.next() < 0.5 ? 20 : 100_000));
    chunks.push(log.subarray(at, at + length));
    at += length;
  }
  return chunks;
}

const bytesOf = (line: string | Uint8Array): Uint8Array => Buffer.concat([Buffer.from(line as string), Buffer.of(10)]);

describe('sanitize, before hostile lines', () => {
  it('is tried with enough of them', () => {
    expect(HOSTILE_LINES.length).toBeGreaterThan(400);
    const named = GENUINE_EVENTS.map((line) => (JSON.parse(line) as { event: string }).event);
    expect(new Set(named)).toEqual(new Set(EVENT_NAMES));
  });

  it.each(HOSTILE_LINES)('omits $what', async ({ line, planted }) => {
    const lines = await run(bytesOf(line));
    expect(lines).toEqual(['{"omitted_lines":1}']);
    for (const text of planted) expect(lines.join('')).not.toContain(text);
  });

  it.each(GENUINE_EVENTS)('passes %s', async (line) => {
    expect(await run(bytesOf(line))).toEqual([line]);
    expect(await run(bytesOf(`${line}\r`))).toEqual([line]);
    expect(await run(Buffer.from(line))).toEqual([line]);
  });

  it('tells them apart in one log, however its bytes come', async () => {
    const log = Buffer.concat(
      HOSTILE_LINES.flatMap(({ line }, n) => [bytesOf(line), bytesOf(GENUINE_EVENTS[n % GENUINE_EVENTS.length] ?? '')]),
    );
    const expected = HOSTILE_LINES.flatMap((_, n) => [
      '{"omitted_lines":1}',
      GENUINE_EVENTS[n % GENUINE_EVENTS.length],
    ]);
    expect(await run(log)).toEqual(expected);
    expect(await run(chop(log))).toEqual(expected);
  });

  it('writes an event in the order of the schema, whatever the order it came in', async () => {
    const line = '{"outcome":"ok","v":1,"request":"req_01M8MS841BBW20Y4VK3CPK1Y9S","event":"request_ended"}';
    const written = '{"event":"request_ended","v":1,"request":"req_01M8MS841BBW20Y4VK3CPK1Y9S","outcome":"ok"}';
    expect(await run(bytesOf(line))).toEqual([written]);
  });

  it('keeps none of an endless line', async () => {
    const part = Buffer.alloc(1 << 20, 'x');
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (let n = 0; n < 256; n++) yield part;
    }
    const before = process.memoryUsage();
    const lines: string[] = [];
    await sanitizeLog(endless(), (line) => void lines.push(line));
    const after = process.memoryUsage();
    expect(lines).toEqual(['{"omitted_lines":1}']);
    expect(after.heapUsed + after.external - before.heapUsed - before.external).toBeLessThan(64 << 20);
  });

  it('is a command that always ends well', async () => {
    const written: string[] = [];
    const out = { write: (text: string) => void written.push(text) };
    const terminal = createTerminal(out, out, {});
    const log = Buffer.from(`one\n${GENUINE_EVENTS[0]}\ntwo\nthree`);
    expect(await sanitize(terminal, chunksOf([log]))).toBe(0);
    expect(written.join('')).toBe(`{"omitted_lines":1}\n${GENUINE_EVENTS[0]}\n{"omitted_lines":2}\n`);
  });
});

const TRACEBACKS: readonly (readonly [string, string, readonly string[]])[] = [
  [
    'Node',
    `/srv/understudy/src/engine/relay.ts:12
  throw new TypeError('leaked');
        ^

TypeError [ERR_X]: leaked
leaked in a second line
    at frame (/srv/other/node_modules/x/src/engine/relay.ts:1:1)
    at Object.f (file:///srv/understudy/src/engine/relay.ts:12:9) {
  code: 'leaked',
  [cause]: RangeError: leaked
      at g (/srv/understudy/src/core/event/event.ts:3:4)
}

Node.js v24.1.0
behind
`,
    [
      '{"omitted_lines":4}',
      '{"event":"traceback","type":"TypeError","frame":"src/engine/relay.ts:12"}',
      '{"omitted_lines":1}',
    ],
  ],
  [
    'Node, as the door says it',
    `understudy: RangeError: leaked
    at async /opt/leaked/understudy/src/app/wire.ts:7:1
`,
    ['{"event":"traceback","type":"RangeError","frame":"src/app/wire.ts:7"}'],
  ],
  [
    'Node on Windows',
    `Error: leaked
    at f (C:\\leaked\\src\\app\\wire.ts:7:1)
`,
    ['{"event":"traceback","type":"Error","frame":"src/app/wire.ts:7"}'],
  ],
  [
    'Node, in a file that is not ours',
    `SyntaxError: leaked
    at f (/x/src/engine/leaked.ts:7:1)
    at f (/x/src/../leaked/src/etc/passwd.ts:7:1)
`,
    ['{"event":"traceback","type":"SyntaxError"}'],
  ],
  [
    'frames without a head',
    `    at f (/x/src/app/wire.ts:7:1)
`,
    ['{"event":"traceback","type":"Error","frame":"src/app/wire.ts:7"}'],
  ],
  [
    'a type that is a key',
    `${['AKI', 'AQEXAMPLEZXWVTError'].join('')}: leaked
    at f (/x/y.js:7:1)
`,
    ['{"event":"traceback","type":"Error"}'],
  ],
  [
    'Python',
    `ERROR Traceback (most recent call last):
  File "/leaked/app.py", line 3, in main
    call("leaked")
    ~~~~^^^^^^^^^^
json.decoder.JSONDecodeError: leaked

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/leaked/app.py", line 9, in main
openai.AuthenticationError: Error code: 401 - leaked
leaked
`,
    [
      '{"event":"traceback","type":"JSONDecodeError"}',
      '{"omitted_lines":3}',
      '{"event":"traceback","type":"AuthenticationError"}',
      '{"omitted_lines":1}',
    ],
  ],
  [
    'Java',
    `Exception in thread "leaked" java.lang.NullPointerException: leaked
\tat com.leaked.Foo.bar(Foo.java:12)
Caused by: java.io.IOException: leaked
\t... 3 more
leaked
`,
    ['{"event":"traceback","type":"NullPointerException"}', '{"omitted_lines":1}'],
  ],
  [
    'Go',
    `panic: leaked [recovered]

goroutine 1 [running]:
main.(*leaked).run(0x1, 0x2)
\t/leaked/main.go:5 +0x1d
created by main.leaked in goroutine 6
\t/leaked/main.go:9 +0x1d
exit status 2
leaked
`,
    ['{"event":"traceback","type":"panic"}', '{"omitted_lines":1}'],
  ],
  [
    'Rust',
    `thread 'leaked' (77) panicked at src/leaked.rs:2:5:
leaked
stack backtrace:
   0: leaked::begin
             at /leaked/src/panicking.rs:645:5
note: run with \`RUST_BACKTRACE=1\`
leaked
`,
    ['{"event":"traceback","type":"panic"}', '{"omitted_lines":1}'],
  ],
  [
    '.NET',
    `Unhandled exception. System.InvalidOperationException: leaked
   at Leaked.Program.Main() in /leaked/x.cs:line 12
`,
    ['{"event":"traceback","type":"InvalidOperationException"}'],
  ],
  [
    'Ruby',
    `leaked.rb:1:in 'f': leaked (ZeroDivisionError)
\tfrom leaked.rb:3:in '<main>'
`,
    ['{"event":"traceback","type":"ZeroDivisionError"}'],
  ],
  [
    'PHP',
    `PHP Fatal error:  Uncaught TypeError: leaked in /leaked/x.php:3
Stack trace:
#0 /leaked/x.php(9): f('leaked')
#1 {main}
  thrown in /leaked/x.php on line 3
`,
    ['{"event":"traceback","type":"TypeError"}'],
  ],
];

describe('sanitize, before tracebacks', () => {
  it.each(TRACEBACKS)('collapses one of %s', async (_name, text, expected) => {
    const event = GENUINE_EVENTS[0] ?? '';
    const lines = await run(Buffer.from(`${event}\n${text}${event}\n`));
    expect(lines).toEqual([event, ...expected, event]);
    // What has passed once passes again.
    expect(await run(Buffer.from(lines.join('\n')))).toEqual(lines);
  });

  it('takes no numbered list for one, nor ends in one that never ends', async () => {
    expect(await run(Buffer.from('to do:\n  1: leaked\n  2: leaked\n'))).toEqual(['{"omitted_lines":3}']);
    const endless = await run(Buffer.from(`TypeError: x\n${'    at leaked (/x.js:1:1)\n'.repeat(5_000)}`));
    expect(endless.length).toBeLessThan(12);
    expect(endless.join('')).not.toContain('leaked');
  });

  it('adds up what others have left out', async () => {
    expect(await run(Buffer.from('a\n{"omitted_lines":3}\nb\n'))).toEqual(['{"omitted_lines":5}']);
  });
});
