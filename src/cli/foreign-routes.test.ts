import { expect, it } from 'vitest';
import { configOf } from '../../test/kit/config-text.ts';
import { planOffline } from '../app/plan-offline.ts';
import type { PlanAnswer } from '../management/contract.ts';
import { foldForeign, renderForeign, renderRemedy } from './foreign-routes.ts';
import { createTerminal } from './terminal.ts';

const CONFIG = configOf(`
providers:
  c: { protocol: openai-chat, baseUrl: "https://c.test/v1" }
  m: { protocol: anthropic-messages, baseUrl: "https://m.test" }
models:
  main: { translate: never, targets: [c/x, m/x, { provider: m, model: y, capabilities: { tools: false } }] }
`);
const TOOL = { type: 'function', function: { name: 'f', parameters: {} } };

it('puts those apart that lack nothing but the protocol, and names them in one line', async () => {
  const body = JSON.stringify({ model: 'main', messages: [{ role: 'user', content: 'hi' }], tools: [TOOL] });
  const answer = await planOffline(CONFIG, { body: new TextEncoder().encode(body), protocol: null });
  if (!answer.ok) throw new Error(answer.problem.message);
  const { candidates } = answer.body as PlanAnswer;
  const lacks = candidates.map(({ route, lacks }) => [route, lacks]);
  expect(lacks).toEqual([
    ['c/x#default', []],
    ['m/x#default', ['protocol']],
    ['m/y#default', ['tools', 'protocol']],
  ]);
  // Data decides: words may change.
  const reworded = candidates.map((one) => ({ ...one, reason: 'in other words' }));
  const { shown, foreign } = foldForeign(reworded, true);
  expect(foreign.map(({ route }) => route)).toEqual(['m/x#default']);
  expect(shown.map(({ route }) => route)).toEqual(['c/x#default', 'm/y#default']);
  expect(foldForeign(candidates, false).shown).toHaveLength(3);
  const terminal = createTerminal({ write: () => {} }, { write: () => {} }, {});
  expect(renderForeign(terminal, foreign)).toEqual(['1 route speaks another protocol: m/x (--all shows why)']);
  expect(renderForeign(terminal, [])).toEqual([]);
  const asked = { model: 'main', protocol: 'openai-chat', missing: ['x'] } as const;
  expect(renderRemedy(terminal, candidates, asked)).toEqual([]);
  expect(renderRemedy(terminal, [], asked)).toEqual([]);
  const [remedy] = renderRemedy(terminal, candidates.slice(1), asked);
  expect(remedy).toContain('the targets of "main" speak Messages');
  expect(remedy).toContain('protocol: openai-chat');
});
