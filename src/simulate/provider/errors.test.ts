import { describe, expect, it } from 'vitest';
import { readBehaviour, VOICED, viewOf } from '../../../test/kit/provider-bench.ts';
import { readToldDelay } from '../../core/failure/retry-after.ts';
import { CODECS } from '../../protocol/index.ts';
import { encodeUtf8 } from '../../protocol/json/index.ts';
import type { Behaviour, DelayForm, ErrorBodyForm } from '../scenario/scenario.ts';

/** An error as the product reads it. */
function readError(behaviour: Behaviour, protocol: (typeof VOICED)[number]) {
  const { delivery, toldMs, truth } = readBehaviour(behaviour, viewOf(protocol, true));
  const error = CODECS.get(protocol)?.decodeError(delivery.status, delivery.headers, encodeUtf8(delivery.text)) ?? null;
  return { delivery, toldMs, truth, error, delay: readToldDelay(delivery.headers, error, 0) };
}

const FORMS: readonly ErrorBodyForm[] = ['own', 'flat', 'problem', 'list', 'nested', 'text'];

describe.each(VOICED)('errors, %s', (protocol) => {
  it.each(FORMS)('written as %s say the same', (form) => {
    const error = { message: 'Not today.', code: 'some_code', type: 'some_type', form };
    const read = readError({ status: 503, error }, protocol);
    expect(read.delivery.status).toBe(503);
    expect(read.truth).toBeNull();
    expect(read.error).toMatchObject({ message: 'Not today.', ...(form === 'text' ? {} : { code: 'some_code' }) });
  });

  it.each([400, 401, 402, 403, 404, 413, 429, 500, 529])('a %i has a type of its protocol', (status) => {
    const { error } = readError({ status }, protocol);
    expect(error?.type).toMatch(protocol === 'gemini' ? /^[A-Z_]+$/ : /_error$|_too_large$/);
    expect(error?.message).not.toBe('');
  });

  it.each<[DelayForm, boolean]>([
    ['seconds', true],
    ['ms', true],
    ['date', true],
    ['reset', true],
    ['member', false],
    ['words', false],
  ])('a delay told as %s is read as it was meant; in the head: %s', (toldAs, isInHead) => {
    const { toldMs, delay } = readError({ status: 429, retryAfterMs: 6500, toldAs }, protocol);
    const wanted = toldAs === 'ms' ? 6500 : 7000;
    expect(delay).toBe(wanted);
    expect(toldMs).toBe(isInHead ? wanted : null);
  });

  it('a delay that nobody can read is none, and only a 429 or 503 tells one', () => {
    expect(readError({ status: 429, retryAfterMs: 6500, toldAs: 'garbage' }, protocol)).toMatchObject({
      toldMs: null,
      delay: null,
    });
    const told = (status: number, toldAs?: DelayForm): number | null =>
      readError({ status, retryAfterMs: 2000, ...(toldAs === undefined ? {} : { toldAs }) }, protocol).toldMs;
    expect([told(503), told(503, 'reset'), told(500), told(400)]).toEqual([2000, null, null, null]);
    expect(readError({ status: 429, retryAfterMs: 2000, headMs: null }, protocol).toldMs).toBeNull();
  });

  it('an echo has the keys and what was sent, in its body and its head', () => {
    const { delivery, error } = readError({ status: 400, echoes: true }, protocol);
    for (const word of ['sk-of-the-gateway', 'ck-sim-of-a-client', 'm-7']) expect(error?.message).toContain(word);
    expect(delivery.headers['x-request-id']).toBe('sk-of-the-gateway');
    const fault = { kind: 'error', at: 2 } as const;
    expect(readBehaviour({ echoes: true, fault }, viewOf(protocol, true)).delivery.text).toContain('sk-of-the-gateway');
  });

  it('the scenario has the last word on headers, and pages stay pages at any status', () => {
    const page = readError(
      { status: 413, body: 'html', headers: { 'content-type': 'text/plain', server: 's' } },
      protocol,
    );
    expect(page.delivery.headers).toMatchObject({ 'content-type': 'text/plain', server: 's' });
    expect(page.delivery.text).toContain('<html>');
    expect(page.error).toBeNull();
  });

  it('an error body may break off as any other', () => {
    const { delivery } = readError({ status: 500, fault: { kind: 'close', at: 'before_end' } }, protocol);
    expect(delivery).toMatchObject({ status: 500, end: 'closed' });
    expect(() => JSON.parse(delivery.text)).toThrow(/JSON/);
  });
});
