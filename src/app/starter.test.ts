import { describe, expect, it } from 'vitest';
import { configOf } from '../../test/kit/config-text.ts';
import { createStarter, listVendors } from './starter.ts';

const vendors = listVendors({});
const everything = Object.fromEntries([
  ...vendors.flatMap(({ keyVariable }) => (keyVariable === null ? [] : [[keyVariable, `sk-made-up-${keyVariable}`]])),
  ['UNDERSTUDY_KEY', 'us-made-up-1234567890'],
  ['UNDERSTUDY_ADMIN_TOKEN', 'ad-made-up-1234567890'],
]);

const choose = (names: readonly string[], more: object = {}) => ({
  vendors: vendors
    .filter(({ name }) => names.includes(name))
    .map((preset) => ({ preset, model: preset.models[0] ?? '' })),
  needsKey: false,
  needsAdminToken: false,
  ...more,
});

describe('a starter file', () => {
  it.each([
    [['openai'], false, false],
    [['openai', 'groq', 'openrouter'], false, false],
    [['ollama'], true, false],
    [['xai', 'ollama'], false, true],
    [vendors.map(({ name }) => name), true, true],
  ])('of %j loads', (names, needsKey, needsAdminToken) => {
    const { text, targets } = createStarter(choose(names, { needsKey, needsAdminToken }), everything);
    const config = configOf(text, { env: everything });
    expect([...config.models.keys()]).toEqual(['main']);
    expect(config.models.get('main')?.targets.map((target) => target.id)).toEqual(targets);
    // So that a client's own protocol goes before all that is translated.
    expect(config.models.get('main')?.targets.every(({ tier }) => tier === 0)).toBe(true);
    expect(config.auth.required).toBe(needsKey);
    expect(config.auth.adminToken?.isEmpty ?? true).toBe(!needsAdminToken);
  });

  it('is right, too, with all that it only proposes', () => {
    for (const more of [{}, { needsKey: true }, { needsAdminToken: true }]) {
      const { text } = createStarter(choose(['openai', 'groq'], more), everything);
      const [schema, ...lines] = text.split('\n');
      const isProse = (line: string): boolean => /^\s*# ?("|[A-Z]|$)/.test(line) || line === '#';
      const proposed = lines.map((line) => (isProse(line) ? line : line.replace(/^(\s*)# ?/, '$1')));
      const config = configOf([schema, ...proposed].join('\n'), { env: everything });
      expect(config.auth.keys).toHaveLength(1);
      expect(config.models.get('main')?.targets.length).toBeGreaterThan(2);
    }
  });

  it('asks the own protocol of a client first, then the others', () => {
    const { order, text } = createStarter(choose(['openai', 'groq', 'anthropic']), everything);
    expect(order).toEqual([
      { name: 'Chat', order: 'openai/gpt-5.6, then groq/openai/gpt-oss-120b; then the others, translated' },
      { name: 'Responses', order: 'openai-responses/gpt-5.6; then the others, translated' },
      { name: 'Messages', order: 'anthropic/claude-opus-4-8; then the others, translated' },
    ]);
    expect(text).toContain('    translate: last');
    expect(text).toMatch(/# Responses \(Codex\)\n {6}- openai-responses\/gpt-5\.6\n/);
    expect(text).toMatch(/# Chat \(most SDKs, opencode\)\n/);
  });

  it('begins with the schema and holds no key', () => {
    const { text } = createStarter(choose(['openai', 'groq'], { needsKey: true }), everything);
    expect(text.split('\n')[0]).toMatch(/^# yaml-language-server: \$schema=/);
    for (const value of Object.values(everything)) expect(text).not.toContain(value);
    expect(text).toContain('${OPENAI_API_KEY}');
  });

  it('takes names that YAML would read otherwise', () => {
    for (const model of ['llama3:8b', '8b', 'true', '@cf/x', 'a, b: {c}', '# x']) {
      const preset = vendors[0];
      if (preset === undefined) throw new Error('no vendors');
      const [lead] = choose(['openrouter']).vendors;
      if (lead === undefined) throw new Error('no openrouter');
      const choice = { ...choose([]), vendors: [lead, { preset, model }] };
      const config = configOf(createStarter(choice, everything).text, { env: everything });
      expect(config.models.get('main')?.targets[1]?.model).toBe(model);
    }
  });

  it('names the variables that are missing', () => {
    const { missing, variables } = createStarter(choose(['openai', 'groq', 'ollama'], { needsKey: true }), {
      GROQ_API_KEY: 'x',
    });
    expect(missing).toEqual(['OPENAI_API_KEY', 'UNDERSTUDY_KEY']);
    expect(variables).toEqual(['OPENAI_API_KEY', 'GROQ_API_KEY', 'UNDERSTUDY_KEY']);
  });
});
