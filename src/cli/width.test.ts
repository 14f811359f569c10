import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConfiguration } from '../app/configuration.ts';
import { renderBanner } from './banner.ts';
import { runCommandLine } from './command-line.ts';
import { createTerminal } from './terminal.ts';

const WIDTH = 80;
const ENV = { HOME: '/nowhere', OPENAI_API_KEY: 'sk-1', GROQ_API_KEY: 'g-1', UNDERSTUDY_KEY: 'short' };

let folder = '';
beforeAll(() => {
  // Short, as a path that is longer than a line would have to stay whole.
  folder = mkdtempSync(join(tmpdir(), 'us-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function terminalOf(columns: number) {
  const written: string[] = [];
  const side = { write: (text: string) => written.push(text), isTTY: true, columns };
  return {
    terminal: createTerminal(side, side, {}),
    lines: () => stripVTControlCharacters(written.join('')).replaceAll('\r', '').split('\n'),
  };
}

async function run(args: readonly string[], columns = WIDTH): Promise<readonly string[]> {
  const { terminal, lines } = terminalOf(columns);
  await runCommandLine(args, terminal, ENV);
  return lines();
}

const tooLong = (lines: readonly string[]): readonly string[] => lines.filter((line) => line.length > WIDTH);

const CONFIG = `
auth: { required: true, keys: [{ name: me, key: "\${UNDERSTUDY_KEY}" }] }
providers:
  openai: { preset: openai, apiKey: "\${OPENAI_API_KEY}" }
  openai-responses: { preset: openai-responses, apiKey: "\${OPENAI_API_KEY}" }
  groq: { preset: groq, apiKey: "\${GROQ_API_KEY}" }
models:
  main: { preset: resilient, targets: [openai/gpt-5.6, groq/openai/gpt-oss-120b, openai-responses/gpt-5.6] }
`;

describe(`on a terminal of ${WIDTH} columns`, () => {
  it('no command breaks a word', async () => {
    const file = join(folder, 'a.yaml');
    writeFileSync(file, CONFIG);
    const wrong = join(folder, 'b.yaml');
    writeFileSync(wrong, 'models: { main: { targts: [x] } }\nserver: { host: "a b" }\n');
    const all = [
      ['check', '--config', file],
      ['check', '--config', wrong],
      ['doctor', '--offline', '--config', file],
      ['doctor', '--offline', '--config', wrong],
      ['plan', '--model', 'main', '--config', file],
      ['plan', '--offline', '--model', 'main', '--config', file],
      ['serve', '--config', wrong],
      ['check', 'a-file-whose-name-is-long-enough-to-be-a-nuisance.yaml', 'and', 'more'],
      ['init', '--yes', '--config', join(folder, 'c.yaml')],
      ['init', '--yes', '--config', join(folder, 'c.yaml')],
      ['requests', '--url', 'http://127.0.0.1:9'],
      ['probe', '--url', 'http://127.0.0.1:9'],
      ['probe', '--offline', '--model', 'nothing-like-this', '--config', file],
      ['drill', '--only', 'nothing-like-this'],
      ['targets', '--config', wrong],
      ['nonsense-of-some-length'],
    ];
    for (const args of all) {
      const lines = await run(args);
      expect(lines.join('').length, args.join(' ')).toBeGreaterThan(20);
      expect(tooLong(lines), args.join(' ')).toEqual([]);
    }
  }, 30_000);

  it('nor does the banner', () => {
    const envs = [ENV, {}, { OPENAI_API_KEY: 'sk-1' }];
    for (const env of envs) {
      const opened = openConfiguration({}, { HOME: '/nowhere', ...env }, '/nowhere');
      const loaded = opened.ok ? opened.configuration.load(opened.configuration.text, null) : null;
      if (!opened.ok || !loaded?.ok) throw new Error('no configuration');
      const started = {
        url: 'http://127.0.0.1:41800',
        config: loaded.config,
        command: '/opt/understudy/bin/understudy',
      };
      const { terminal } = terminalOf(WIDTH);
      const text = stripVTControlCharacters(renderBanner(terminal, opened.configuration.source, started));
      expect(tooLong(text.split('\n')), JSON.stringify(env)).toEqual([]);
    }
  });

  it('requests show what happened, by the ends of their ids', async () => {
    const data = [
      {
        id: 'req_01M8N11YS4JBCE0P3JV44102DP',
        model: 'a-model-of-mine',
        started_at: '2026-11-29T23:13:28.000Z',
        status: 503,
        outcome: 'overloaded',
        served_by: null,
        attempt_count: 2,
        duration_ms: 4900,
      },
    ];
    const server = createServer((_, res) => res.end(JSON.stringify({ data, next: null })));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const narrow = await run(['requests', '--url', url]);
    const wide = await run(['requests', '--url', url], 120);
    server.close();
    expect(tooLong(narrow)).toEqual([]);
    expect(narrow.join('\n')).toMatch(/4102DP +a-model-of-mine +503 +overloaded .* 2 +4\.9 s/);
    expect(narrow.join('\n')).not.toMatch(/no room|req_/);
    expect(wide.join('\n')).toContain(data[0]?.id);
  });
});
