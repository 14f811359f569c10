import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { complaintOf, configOf, fakeSecrets, loadText } from '../../test/kit/config-text.ts';
import { revealAll, Secret } from '../core/redact/secret.ts';
import { tellWarning } from './warning.ts';

const ONE = `
providers:
  a: { protocol: openai-chat, baseUrl: "http://127.0.0.1:9001/v1", apiKey: key-a }
  b: { protocol: openai-chat, baseUrl: "http://127.0.0.1:9002/v1", apiKey: key-b }
`;
const MODELS = `${ONE}models:
  main: { targets: [a/m-a, b/m-b] }
`;

describe('a valid file', () => {
  it('gives routes with ids, endpoints and identities', () => {
    const config = configOf(`
providers:
  p:
    protocol: openai-chat
    baseUrl: https://llm.example.test/api/v1/
    credentials: [{ name: main, apiKey: k1 }, { name: sub, apiKey: k2 }]
    headers: { X-Team: platform, x-empty: "\${NOPE:-}" }
models: { m: { targets: [p/org/model] } }
`);
    const [target] = config.models.get('m')?.targets ?? [];
    expect(target?.id).toBe('p/org/model');
    expect(target?.routes).toEqual(
      ['main', 'sub'].map((credential, index) => ({
        id: `p/org/model#${credential}`,
        target: 'p/org/model',
        provider: 'p',
        model: 'org/model',
        credential,
        endpoint: 'llm.example.test:443',
        protocol: 'openai-chat',
        identity: `fp(k${index + 1},https://llm.example.test:443/api/v1,{"x-team":"platform"})/org/model`,
        account: `fp(k${index + 1},https://llm.example.test:443/api/v1,{"x-team":"platform"})`,
        accountWideLimit: false,
      })),
    );
    expect(config.providers.get('p')).toMatchObject({
      origin: 'https://llm.example.test:443',
      basePath: '/api/v1',
      preset: 'custom',
      allowPrivateNetwork: false,
      limits: { concurrency: null, queueMs: 0 },
    });
    expect(revealAll(config.providers.get('p')?.headers ?? {})).toEqual({ 'x-team': 'platform' });
  });

  it('coerces what was interpolated, and nothing else', () => {
    const text = `server: { port: "\${PORT}", websocket: "\${WS}", drain: "\${DRAIN}" }\nhealth: { breaker: { slowFactor: "\${F}" } }${MODELS}`;
    const config = configOf(text, { env: { PORT: '8080', WS: 'false', DRAIN: '2s', F: '2.5' } });
    expect(config.server).toMatchObject({ port: 8080, drainMs: 2000 });
    expect(config.health.breaker.slowFactor).toBe(2.5);
    const complaint = complaintOf(`server: { port: "\${PORT}" }${MODELS}`, { env: { PORT: 'hunter2' } });
    expect(complaint).toContain('server.port  the interpolated value must be an integer');
    expect(complaint).not.toContain('hunter2');
  });

  it('serves metrics unless it says otherwise, with a token of their own if it has one', () => {
    const prometheusOf = (text: string, env = {}) => configOf(`${text}${MODELS}`, { env }).telemetry.prometheus;
    expect(prometheusOf('')).toEqual({ enabled: true, token: null });
    expect(prometheusOf('telemetry: { prometheus: { token: "${T:-}" } }')).toEqual({ enabled: true, token: null });
    const { enabled, token } = prometheusOf('telemetry: { prometheus: { enabled: "${E}", token: "${T}" } }', {
      E: 'false',
      T: 'scrape-me',
    });
    expect([enabled, token?.reveal()]).toEqual([false, 'scrape-me']);
    const complaint = complaintOf(`telemetry: { prometheus: { token: "scrape\\tme" } }${MODELS}`);
    expect(complaint).toContain('telemetry.prometheus.token');
    expect(complaint).not.toContain('me" }');
  });

  it('never puts a secret into a complaint or into JSON', () => {
    const config = configOf(`auth: { keys: [{ name: k, key: "\${K}" }], adminToken: "\${K2}" }${MODELS}`, {
      env: { K: 'hunter2', K2: 'hunter3' },
    });
    expect(config.auth.adminToken).toBeInstanceOf(Secret);
    expect(config.auth.adminToken?.reveal()).toBe('hunter3');
    expect(JSON.stringify([config, [...config.providers], [...config.models]])).not.toMatch(/hunter/);
    const wrong = complaintOf(
      'providers: { a: { preset: "${K}", protocol: "${K}", baseUrl: "${K}", apiKey: "${K} x" } }\nmodels: { m: { targets: [a/x], strategy: "${K}", sticky: "${K}" } }',
      { env: { K: 'hunter2' } },
    );
    expect(wrong).toContain('unknown preset "[interpolated]"');
    expect(wrong).not.toContain('hunter2');
  });

  it('keeps the key of TLS and every header of a provider from being printed', () => {
    const pem = '-----BEGIN PLANTED KEY-----\\nhunter2';
    const text = `server: { tls: { cert: "-----BEGIN CERTIFICATE-----", key: "${pem}" } }
providers: { a: { preset: ollama, headers: { authorization: "Bearer hunter3", x-team: hunter4 } } }
models: { m: { targets: [a/x] } }`;
    const secrets = {
      ...fakeSecrets(),
      fingerprint: (parts: readonly string[]) => createHash('md5').update(parts.join()).digest('hex'),
    };
    const config = configOf(text, { secrets });
    const everything = [config, config.server, [...config.providers], [...config.models]];
    expect(JSON.stringify(everything)).not.toMatch(/hunter/);
    expect(inspect(everything, { depth: Number.POSITIVE_INFINITY, showHidden: true })).not.toMatch(/hunter/);
    expect(config.server.tls?.key.reveal()).toContain('hunter2');
    expect(revealAll(config.providers.get('a')?.headers ?? {})).toEqual({
      authorization: 'Bearer hunter3',
      'x-team': 'hunter4',
    });
    const identityOf = (config: ReturnType<typeof configOf>) => config.models.get('m')?.targets[0]?.routes[0]?.identity;
    expect(identityOf(configOf(text.replace('hunter3', 'hunter5'), { secrets }))).not.toBe(identityOf(config));
  });

  it('knows a route again whose defaults were written down, and no other', () => {
    const secrets = { ...fakeSecrets(), fingerprint: (parts: readonly string[]) => parts.join() };
    const identityOf = (more: string) =>
      configOf(`providers: { a: { preset: anthropic, apiKey: k${more} } }\nmodels: { m: { targets: [a/x] } }`, {
        secrets,
      }).models.get('m')?.targets[0]?.routes[0]?.identity;
    const plain = identityOf('');
    expect(plain).toBeTypeOf('string');
    for (const same of ['auth: auto', 'headers: {}', 'baseUrl: "https://api.anthropic.com/"']) {
      expect(identityOf(`, ${same}`), same).toBe(plain);
    }
    for (const other of ['auth: bearer', 'auth: x-api-key', 'headers: { x-a: b }']) {
      expect(identityOf(`, ${other}`), other).not.toBe(plain);
    }
  });

  it('takes secret files relative to its own folder and home', () => {
    const text =
      'stateDir: ~/state\nproviders: { a: { preset: openai, apiKey: "${file:secrets/a}" } }\nmodels: { m: { targets: [a/x] } }';
    const config = configOf(text, { files: { '/etc/secrets/a': 'from-file' } });
    expect(config.providers.get('a')?.credentials[0]?.secret.reveal()).toBe('from-file');
    expect(config.stateDir).toBe('/home/me/state');
  });

  it('lets the command line win', () => {
    const config = configOf(`stateDir: /a\nserver: { host: localhost, port: 1 }${MODELS}`, {
      overrides: { host: '127.0.0.2', port: 0, stateDir: '/b' },
    });
    expect([config.server.host, config.server.port, config.stateDir]).toEqual(['127.0.0.2', 0, '/b']);
  });

  it('knows when keys are needed', () => {
    const keyed = (lines: string) => configOf(`${lines}${MODELS}`).auth.required;
    expect(keyed('')).toBe(false);
    expect(keyed('server: { host: "::1" }')).toBe(false);
    expect(keyed('server: { host: 0.0.0.0 }\nauth: { keys: [{ name: a, key: b }] }')).toBe(true);
    expect(keyed('server: { host: 0.0.0.0 }\nauth: { required: false }')).toBe(false);
    expect(keyed('auth: { required: true, keys: [{ name: a, key: b }] }')).toBe(true);
  });

  it('takes a share of memory, and a size', () => {
    expect(configOf(MODELS).server.maxBuffered).toBe(2 * 1024 ** 3);
    expect(configOf(`server: { maxBuffered: 10% }${MODELS}`, { totalMemoryBytes: 1000 }).server.maxBuffered).toBe(100);
    expect(configOf(`server: { maxBuffered: 1MiB }${MODELS}`).server.maxBuffered).toBe(1024 ** 2);
  });

  it('may be JSON, tabs and all', () => {
    const json = JSON.stringify(
      { providers: { a: { preset: 'ollama' } }, models: { m: { targets: ['a/x'] } } },
      null,
      '\t',
    );
    expect(configOf(json, { format: 'json' }).models.size).toBe(1);
  });

  it('reads certificates from files or as they are', () => {
    const pem = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----';
    const text = `server: { tls: { cert: cert.pem, key: ${JSON.stringify(pem)} } }${MODELS}`;
    const { tls } = configOf(text, { files: { '/etc/cert.pem': pem } }).server;
    expect([tls?.cert, tls?.key.reveal()]).toEqual([pem, pem]);
    expect(complaintOf(text)).toContain('server.tls.cert  is a file that can not be read');
    expect(complaintOf(`server: { tls: { cert: x } }${MODELS}`)).toContain('server.tls  has no key');
    expect(configOf(`server: { tls: {} }${MODELS}`).server.tls).toBeNull();
  });

  it('may be looked at where variables are not set, unless it is they that are missed', () => {
    const text =
      'server: { port: "${PORT:-80}" }\nproviders: { a: { preset: openai, apiKey: "${KEY}" } }\nmodels: { m: { targets: [a/x] } }';
    expect(complaintOf(text)).toContain('the variable KEY is not set');
    expect(configOf(text, { unset: 'stand_in' }).models.size).toBe(1);
    const port = text.replace('PORT:-80', 'PORT');
    expect(complaintOf(port, { unset: 'stand_in' })).toMatch(
      /the variable PORT is not set[\s\S]*the variable KEY is not set/,
    );
    expect(complaintOf(text.replace('a/x', 'b/x'), { unset: 'stand_in' })).toContain('unknown provider "b"');
  });

  it('is frozen', () => {
    const config = configOf(MODELS);
    expect(Object.isFrozen(config.server)).toBe(true);
    expect(Object.isFrozen(config.models.get('main')?.targets[0]?.settings.timeouts)).toBe(true);
  });

  it('warns of what is allowed and unwise', () => {
    const text = `
auth: { required: false }
server: { host: 0.0.0.0 }
providers:
  a: { protocol: openai-chat, baseUrl: "http://llm.example.test/v1", credentials: [{ name: x, apiKey: k }, { name: y, apiKey: k }] }
models:
  m: { preset: resilient, targets: [a/x, { provider: a, model: y, timeouts: { total: 50m } }] }
`;
    const { warnings } = configOf(text);
    const wanted = [
      'is not encrypted',
      'the same key',
      'resilient has "midStream: error"',
      'count for the whole request',
      'share the endpoint llm.example.test:80',
      'no key is needed',
    ];
    expect(warnings).toHaveLength(wanted.length);
    for (const words of wanted) expect(warnings.map(tellWarning).join('\n')).toContain(words);
    expect(configOf(MODELS).warnings).toEqual([]);
  });

  it('keeps names that objects have anyway', () => {
    const config = configOf(
      `providers: { constructor: { preset: ollama } }\nmodels: { toString: { targets: [constructor/valueOf] } }`,
    );
    expect(config.models.get('toString')?.targets[0]?.id).toBe('constructor/valueOf');
    expect(complaintOf('providers: { __proto__: { preset: ollama } }\nmodels: { m: { targets: [a/x] } }')).toContain(
      '"__proto__" can not be a key',
    );
    expect(complaintOf(`${ONE}models: { m: { targets: [toString/x, constructor] } }`)).toContain(
      'unknown provider "toString"',
    );
  });

  it('refuses headers and addresses that would break a request', () => {
    const header = (line: string) =>
      complaintOf(`providers: { a: { preset: ollama, headers: { ${line} } } }\nmodels: { m: { targets: [a/x] } }`);
    expect(header('"x y": z')).toContain('is no header name');
    expect(header('content-length: "5"')).toContain('is a header that the gateway writes itself');
    expect(header('x-a: "b\\r\\nc: d"')).toContain('holds what a header can not hold');
    expect(header('x-a: b, X-A: c')).toContain('stands twice');
    const key = 'providers: { a: { preset: openai, apiKey: "k\\nx" } }\nmodels: { m: { targets: [a/x] } }';
    expect(complaintOf(key)).toContain('holds a space, a line break or another character');
    expect(complaintOf(`server: { cors: ["*"], trustedProxies: [10.0.0.0/33], hosts: ["http://x"] }${MODELS}`)).toMatch(
      /is no origin[\s\S]*is no address or network[\s\S]*is no host name|is no host name/,
    );
  });

  it('takes proxies by address and network, and never everybody', () => {
    const proxies = ['127.0.0.1', '10.0.0.0/8', '"::1"', '"fd00::/8"', '"::ffff:10.0.0.7"'];
    expect(configOf(`server: { trustedProxies: [${proxies.join(', ')}] }${MODELS}`).server.trustedProxies).toHaveLength(
      5,
    );
    expect(configOf(MODELS).server.trustedProxies).toEqual([]);
    const wrong = complaintOf(`server:\n  trustedProxies:\n    - 10.0.0.7\n    - proxy.test\n    - "::/0"\n${MODELS}`);
    expect(wrong).toContain(
      'understudy.yaml:4:7  server.trustedProxies[1]  is no address or network\n    → write 10.0.0.7 or 10.0.0.0/8',
    );
    expect(wrong).toContain('understudy.yaml:5:7  server.trustedProxies[2]  is everybody\n    → name your proxies');
  });

  it('survives what an enemy may write', () => {
    const bomb = [
      'a: &a [1,1,1,1,1,1,1,1,1,1]',
      ...'bcdefg'
        .split('')
        .map((name, index) => `${name}: &${name} [${Array(10).fill(`*${'abcdefg'[index]}`).join(',')}]`),
    ].join('\n');
    for (const text of [
      bomb,
      'a: &x [*x]',
      '[]',
      '5',
      '"',
      '\u0000',
      '? [a]\n: b',
      '- '.repeat(200),
      'models: 5',
      `models: { m: { targets: [5, null, [], {}] } }`,
    ]) {
      const result = loadText(text);
      expect(result.ok).toBe(false);
      if (!result.ok) expect(result.problems.length).toBeGreaterThan(0);
    }
  });
});
