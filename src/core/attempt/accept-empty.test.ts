import { describe, expect, it } from 'vitest';
import { makeAttemptOn, makeRoute } from '../../../test/kit/samples.ts';
import { acceptsEmpty, outdoneEmpties } from './accept-empty.ts';

const A = makeRoute('a');
const B = makeRoute('b');
const empty = makeAttemptOn(A, { outcome: 'empty_completion' });

describe('acceptsEmpty', () => {
  const NEXT = { onEmpty: 'next', isLast: false, endsWithToolResult: false, attempts: [] } as const;

  it.each([
    ['as long as others may have more to say', {}, false],
    ['nor behind other failures', { attempts: [makeAttemptOn(A)] }, false],
    ['by setting', { onEmpty: 'accept' }, true],
    ['on the last route', { isLast: true }, true],
    ['behind a tool result', { endsWithToolResult: true }, true],
    ['the second time', { attempts: [empty, makeAttemptOn(B)] }, true],
  ] as const)('%s', (_, change, accepted) => {
    expect(acceptsEmpty({ ...NEXT, ...change })).toBe(accepted);
  });
});

describe('outdoneEmpties', () => {
  it('are those of other targets', () => {
    const other = makeAttemptOn(B, { outcome: 'empty_completion' });
    expect(outdoneEmpties([empty, makeAttemptOn(A), other], 'b/m')).toEqual([empty]);
    expect(outdoneEmpties([empty], 'a/m')).toEqual([]);
  });
});
