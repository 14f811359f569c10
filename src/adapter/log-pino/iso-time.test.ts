import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { assertProperty } from '../../../test/kit/assert-property.ts';
import { isoTime } from './iso-time.ts';

it('writes what Date writes, in any order of moments', () => {
  const moment = fc.oneof(
    fc.integer({ min: 0, max: 4e12 }),
    fc.integer({ min: 1_764_000_000_000, max: 1_764_000_002_000 }),
  );
  assertProperty(
    fc.property(fc.array(moment), (moments) => {
      for (const at of moments) expect(isoTime(at)).toBe(new Date(at).toISOString());
    }),
  );
});
