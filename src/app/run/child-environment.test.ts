import { describe, expect, it } from 'vitest';
import { childEnvironment } from './child-environment.ts';

const setting = {
  url: 'http://127.0.0.1:4321',
  key: 'usk-run-abc',
  model: 'main',
  secrets: ['sk-real-1234567890', 'ab'],
  keepsKeys: false,
};
const ORIGIN = 'http://127.0.0.1:4321';

describe('the environment of the command', () => {
  it('points every client at the gateway, whatever it said before', () => {
    const before = { OPENAI_BASE_URL: 'https://api.openai.test/v1', ANTHROPIC_API_KEY: 'theirs', PATH: '/bin' };
    expect(childEnvironment(before, setting)).toEqual({
      PATH: '/bin',
      UNDERSTUDY_URL: ORIGIN,
      UNDERSTUDY_KEY: 'usk-run-abc',
      UNDERSTUDY_MODEL: 'main',
      OPENAI_BASE_URL: `${ORIGIN}/v1`,
      OPENAI_API_BASE: `${ORIGIN}/v1`,
      OPENAI_API_KEY: 'usk-run-abc',
      OPENAI_MODEL: 'main',
      ANTHROPIC_BASE_URL: ORIGIN,
      ANTHROPIC_AUTH_TOKEN: 'usk-run-abc',
      ANTHROPIC_API_KEY: 'usk-run-abc',
      ANTHROPIC_MODEL: 'main',
      ANTHROPIC_DEFAULT_HAIKU_MODEL: 'main',
      GEMINI_BASE_URL: ORIGIN,
      GOOGLE_GEMINI_BASE_URL: ORIGIN,
      GEMINI_API_KEY: 'usk-run-abc',
      GEMINI_MODEL: 'main',
      COPILOT_PROVIDER_BASE_URL: `${ORIGIN}/v1`,
      COPILOT_PROVIDER_API_KEY: 'usk-run-abc',
      COPILOT_MODEL: 'main',
    });
  });

  it('leaves names of models to who has set them, and sets none where there is none', () => {
    expect(childEnvironment({ ANTHROPIC_MODEL: 'claude-x', OPENAI_MODEL: '' }, setting)).toMatchObject({
      ANTHROPIC_MODEL: 'claude-x',
      OPENAI_MODEL: 'main',
    });
    const env = childEnvironment({ UNDERSTUDY_MODEL: 'x' }, { ...setting, model: null });
    expect(Object.keys(env).filter((name) => name.endsWith('_MODEL'))).toEqual([]);
  });

  it.each([
    ['MY_KEY', 'sk-real-1234567890', false],
    ['ALL_SECRETS', '{"a":"sk-real-1234567890"}', false],
    ['SHORT', 'ab', false],
    ['OTHER', 'cabin', true],
    ['GROQ_API_KEY', 'not of this configuration', true],
    ['EMPTY', '', true],
  ])('%s=%s', (name, value, isLeft) => {
    expect(childEnvironment({ [name]: value }, setting)[name]).toBe(isLeft ? value : undefined);
    expect(childEnvironment({ [name]: value }, { ...setting, keepsKeys: true })[name]).toBe(value);
  });

  it('takes out what would lead a client astray, and what is the gateway’s, with --keep-keys too', () => {
    const given = {
      GOOGLE_API_KEY: 'x',
      CLAUDE_CODE_USE_BEDROCK: '1',
      CLAUDE_CODE_OAUTH_TOKEN: 'x',
      UNDERSTUDY_CONFIG: 'x.yaml',
      UNDERSTUDY_ADMIN_TOKEN: 'x',
      UNDERSTUDY_STATE_DIR: '/x',
      GONE: undefined,
    };
    const env = childEnvironment(given, { ...setting, keepsKeys: true });
    expect(Object.keys(given).filter((name) => name in env)).toEqual([]);
  });

  it.each([
    [{}, undefined],
    [{ HTTPS_PROXY: 'http://p' }, '127.0.0.1'],
    [{ HTTPS_PROXY: 'http://p', NO_PROXY: 'a.test, b.test' }, 'a.test, b.test,127.0.0.1'],
    [{ http_proxy: 'http://p', no_proxy: 'a.test' }, 'a.test,127.0.0.1'],
    [{ http_proxy: 'http://p', NO_PROXY: 'a, 127.0.0.1' }, 'a, 127.0.0.1'],
    [{ ALL_PROXY: 'http://p', NO_PROXY: '*' }, '*'],
  ])('keeps %j from standing between', (given, noProxy) => {
    const { NO_PROXY, no_proxy: lower } = childEnvironment(given, setting);
    expect([NO_PROXY, lower]).toEqual([noProxy, noProxy]);
  });
});
