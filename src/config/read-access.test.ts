import { describe, expect, it } from 'vitest';
import { fakeSecrets } from '../../test/kit/config-text.ts';
import { readAccess } from './read-access.ts';

const FILE = `
server: { port: "\${PORT:-5000}" }
auth: { adminToken: "\${TOKEN}", keys: [{ name: me, key: "\${CLIENT_KEY}" }] }
providers:
  openai: { preset: openai, apiKey: "\${OPENAI_API_KEY}" }
models: { main: { targts: [openai/x] } }
`;

const read = (env: Record<string, string>, text = FILE, needsToken = true) =>
  readAccess({ text, file: '/etc/understudy.yaml', secrets: fakeSecrets(env) }, { needsToken });

describe('the access of a configuration', () => {
  it('needs no key of a provider, and no sound models', () => {
    const result = read({ TOKEN: 'boss' });
    expect(result).toMatchObject({ ok: true, access: { host: '127.0.0.1', port: 5000, isEncrypted: false } });
    expect(result.ok && result.access.adminToken?.reveal()).toBe('boss');
    expect(read({ TOKEN: 'boss', PORT: '81' })).toMatchObject({ access: { port: 81 } });
  });

  it('names the variable that it does need', () => {
    const result = read({});
    expect(result).toMatchObject({
      ok: false,
      problems: [{ path: 'auth.adminToken', line: 3, message: 'the variable TOKEN is not set' }],
    });
    expect(result.ok ? 0 : result.problems).toHaveLength(1);
    expect(read({}, FILE, false)).toMatchObject({ ok: true, access: { adminToken: null } });
    expect(read({ TOKEN: 'x', PORT: 'abc' })).toMatchObject({ ok: false, problems: [{ path: 'server.port' }] });
    expect(read({}, 'server: { host: a b }')).toMatchObject({ ok: false, problems: [{ path: 'server.host' }] });
    expect(read({}, '{')).toMatchObject({ ok: false });
  });

  it('knows an encrypted gateway, and takes nothing for the defaults', () => {
    expect(read({}, 'server: { tls: { cert: a.pem, key: "${K}" } }')).toMatchObject({ access: { isEncrypted: true } });
    expect(read({}, '')).toMatchObject({ ok: true, access: { port: 4180 } });
  });
});
