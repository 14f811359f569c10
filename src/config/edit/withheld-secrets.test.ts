import { describe, expect, it } from 'vitest';
import { restoreSecrets, withholdSecrets } from './withheld-secrets.ts';

const FILE = `auth:
  adminToken: '\${ADMIN:-fake-admin-token}' # ours
  keys: [{ name: ci, key: fake-ci-key }, { name: me, key: "\${ME}" }]
providers:
  a: { preset: openai, apiKey: "fake-a-key" }
  b:
    preset: openai
    credentials:
      - { name: one, apiKey: fake-one }
      - { name: two, apiKey: |-
          fake-two }
    headers: { x-team: fake-team, authorization: "Bearer \${TOKEN}" }
`.replace('|-\n          fake-two', '"fake-two"');

describe('a kept configuration', () => {
  it('has no secret, and the rest as it was', () => {
    const kept = withholdSecrets(FILE);
    expect(kept).not.toMatch(/fake-/);
    expect(kept).toContain('# ours');
    expect(kept).toContain('"${ME}"');
    expect(kept).toContain('"Bearer ${TOKEN}"');
  });

  it('gets them back as they are written in the file of now', () => {
    expect(restoreSecrets(withholdSecrets(FILE), FILE)).toEqual({ ok: true, text: FILE });
  });

  it('finds them by name where the order is another one', () => {
    const [one, two] = ['      - { name: one, apiKey: fake-one }\n', '      - { name: two, apiKey: "fake-two" }\n'];
    const turned = FILE.replace(one + two, two + one);
    expect(turned).not.toBe(FILE);
    expect(restoreSecrets(withholdSecrets(FILE), turned)).toEqual({ ok: true, text: FILE });
  });

  it('names a secret that is nowhere any more', () => {
    const now = FILE.replace('name: one', 'name: other');
    expect(restoreSecrets(withholdSecrets(FILE), now)).toEqual({
      ok: false,
      missing: 'providers.b.credentials.(one).apiKey',
    });
  });
});
