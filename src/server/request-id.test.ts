import { describe, expect, it } from 'vitest';
import { createRequestId } from './request-id.ts';

describe('request ids', () => {
  it('sort by time and keep their form', () => {
    const at = (now: number, chance: number) => createRequestId(now, { next: () => chance });
    expect(at(1_700_000_000_000.7, 0.5)).toMatch(/^req_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(at(1_700_000_000_000, 0.999_999_999_9) < at(1_700_000_000_001, 0)).toBe(true);
    expect(at(1, 0)).toBe(`req_0000000001${'0'.repeat(16)}`);
  });
});
