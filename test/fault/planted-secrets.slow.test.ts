import { afterAll, expect, it } from 'vitest';
import { cleanUp } from '../e2e/gateway-process.ts';
import { PLANTS } from './planted-secrets.ts';
import { runPlantedSecrets } from './planted-secrets-run.ts';

afterAll(cleanUp);

it.each(['json', 'pretty'] as const)(
  'every secret in every place, phase and protocol; the log is %s',
  async (format) => {
    const { leaks, places, planted, recorded, rescued, scrubbed } = await runPlantedSecrets({ format, all: true });
    const found = (plant: string): string => {
      const seen = leaks.filter(({ planted }) => planted.startsWith(`${plant} ×`));
      return seen.length === 0 ? 'nowhere' : [...new Set(seen.map(({ where }) => where))].join(', ');
    };
    console.table([...places].map(([plant, count]) => ({ plant, places: count, found: found(plant) })));
    expect(leaks).toEqual([]);
    // The places were reached, and answers were given.
    expect([...places.keys()].sort()).toEqual(PLANTS.map(({ name }) => name).sort());
    expect({ planted, recorded, rescued, scrubbed }).toEqual({
      planted: expect.toSatisfy((n) => n > 900),
      recorded: expect.toSatisfy((n) => n > 700),
      rescued: expect.toSatisfy((n) => n > 200),
      scrubbed: expect.toSatisfy((n) => n > 70),
    });
  },
);
