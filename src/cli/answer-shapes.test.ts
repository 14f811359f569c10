import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from './command-line.ts';
import { createTerminal } from './terminal.ts';

/** What others answer to anything, with the status of each. */
const STRANGERS: readonly (readonly [status: number, text: string])[] = [
  [200, '{}'],
  [200, '[]'],
  [200, 'null'],
  [200, '"ok"'],
  [200, '{"data":[{"id":"gpt-5.6","object":"model"}],"object":"list"}'],
  [200, '{"data":{},"plans":7,"id":1}'],
  [200, '{"data":[null],"next":null}'],
  [200, '<html>'],
  [301, '{}'],
  [401, '{"detail":"Unauthorized"}'],
  [404, '{"detail":"Not Found"}'],
  [500, '{"detail":"no"}'],
];
const COMMANDS = [
  ['requests'],
  ['targets'],
  ['targets', 'disable', 'a/b'],
  ['explain', 'last'],
  ['explain', 'req_01M8N11YS4JBCE0P3JV44102DP'],
  ['plan', '--model', 'main'],
];

let url = '';
let say: readonly [number, string] = [200, ''];
const server = createServer((_, res) => res.writeHead(say[0]).end(say[1]));
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

async function run(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const [out, err]: [string[], string[]] = [[], []];
  const terminal = createTerminal({ write: (text) => out.push(text) }, { write: (text) => err.push(text) }, {});
  const code = await runCommandLine([...args, '--url', url], terminal, { HOME: '/nowhere', ...env });
  return { code, out: out.join(''), err: err.join('') };
}

describe.each(STRANGERS)('another server, which answers %i %s', (status, text) => {
  it.each(COMMANDS)('is told to be one: %s %s', async (...args) => {
    say = [status, text];
    const { code, err, out } = await run(args.filter((word) => typeof word === 'string'));
    expect([code, out]).toEqual([4, '']);
    expect(err).toContain(`What answers at ${url} is no Understudy gateway (status ${status})`);
  });
});

describe('a gateway that lets nobody in', () => {
  const problem = (status: number) =>
    [
      status,
      JSON.stringify({ status, detail: 'It needs a token.', code: 'invalid_api_key', request_id: 'r' }),
    ] as const;

  it.each<[number, NodeJS.ProcessEnv, RegExp, RegExp]>([
    [401, {}, /It needs a token\.\nSet UNDERSTUDY_ADMIN_TOKEN/, /another/],
    [
      401,
      { UNDERSTUDY_ADMIN_TOKEN: 'wrong' },
      /token is another\.\n.* is that of UNDERSTUDY_ADMIN_TOKEN;/,
      /Set UNDER/,
    ],
    [403, { UNDERSTUDY_ADMIN_TOKEN: 'wrong' }, /It needs a token\.\n$/, /another|Set UNDER/],
  ])('says with %i and %j what to do', async (status, env, said, unsaid) => {
    say = problem(status);
    const { code, err } = await run(['targets'], env);
    expect(code).toBe(2);
    expect(err).toMatch(said);
    expect(err).not.toMatch(unsaid);
  });
});
