import { expect, it } from 'vitest';
import { DRILL_FAULTS } from '../../simulate/drill/index.ts';
import { listDrills, runDrill } from './run-drill.ts';

const all = listDrills();

it('plays each fault in each protocol, as a stream and as JSON', () => {
  const chat = all.filter(({ protocol }) => protocol.protocol === 'openai-chat');
  expect(chat).toHaveLength(2 * DRILL_FAULTS.length);
  expect(DRILL_FAULTS.length).toBeGreaterThanOrEqual(12);
});

it('tells who served, what was seen and what it took', async () => {
  const wanted = ['down', 'error-after-200', 'cut-after-20-words', 'nobody-left'];
  const chosen = all.filter(({ fault }) => wanted.includes(fault.name));
  const told: number[] = [];
  const results = await runDrill(chosen, { version: '0.0.0-test', onResult: (index) => told.push(index) });
  expect([...told].sort((a, b) => a - b)).toEqual(chosen.map((_, i) => i));
  expect(results.filter((result) => !result.ok)).toEqual([]);
  for (const { fault, shape, seen, served_by: servedBy, attempts, added_ms: added, had_output: hadOutput } of results) {
    if (fault === 'nobody-left') {
      expect([seen, servedBy, added, hadOutput]).toEqual(['error', null, null, false]);
    } else if (fault === 'cut-after-20-words' && shape === 'stream') {
      expect([seen, servedBy, attempts, hadOutput]).toEqual(['error', 'lead', ['interrupted'], true]);
    } else {
      expect([seen, servedBy, attempts.at(-1)]).toEqual(['whole', 'backup', 'ok']);
      expect(added).toBeGreaterThan(0);
    }
  }
}, 20_000);

it('is not content where a failure is seen that could have been hidden', async () => {
  const [cell] = all;
  if (cell === undefined) throw new Error('there are no drills');
  const fault = { ...cell.fault, lead: 'error-503', backup: 'error-503' } as const;
  const [result] = await runDrill([{ ...cell, fault }], { version: '0.0.0-test' });
  expect(result).toMatchObject({ ok: false, expected: 'whole', seen: 'error', status: 503 });
}, 20_000);
