import { expect, it } from 'vitest';
import { configOf } from '../../test/kit/config-text.ts';
import { tellWarning } from './warning.ts';

const TEXT = `
auth: { required: false, keys: [{ name: me, key: short }] }
server: { host: "\${HOST}" }
providers:
  a: { protocol: openai-chat, baseUrl: "http://a.test/v1", apiKey: k }
  b: { protocol: anthropic-messages, baseUrl: "https://b.test", apiKey: k }
models: { m: { translate: never, targets: [a/x, a/y, b/z] }, n: { targets: [a/x, a/y, b/z] } }
`;

it('is data, in which what came from the environment is hidden, and no word of ours', () => {
  const { warnings } = configOf(TEXT, { env: { HOST: '192.0.2.1' } });
  expect(warnings).toEqual([
    { code: 'plain_http', provider: 'a', origin: 'http://a.test:80' },
    { code: 'nobody_stands_in', model: 'm', target: 'b/z', protocol: 'anthropic-messages' },
    { code: 'open_to_all', host: '[interpolated]' },
  ]);
  expect(warnings.map(tellWarning)).toEqual([
    'provider a: http://a.test:80 is not encrypted; keys and prompts can be read on the way',
    'model m: b/z is the only target that speaks anthropic-messages; when it fails, nobody can stand in',
    'auth: no key is needed, and [interpolated] is no loopback address: whoever reaches the port spends your money',
  ]);
  const short = configOf(TEXT.replace('required: false', 'required: true').replace('key: short', 'key: "${KEY}"'), {
    env: { HOST: '::1', KEY: 'code' },
  });
  // A value that is one of our own words takes none of them along.
  expect(short.warnings.map(({ code }) => code)).toContain('short_key');
});
