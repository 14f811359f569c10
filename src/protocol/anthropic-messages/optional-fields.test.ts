import { describe, expect, it } from 'vitest';
import { OPTIONAL_FIELDS } from '../../core/model/capability.ts';
import { concatBytes, decodeUtf8, encodeUtf8 } from '../json/index.ts';
import type { Egress } from '../types.ts';
import { decodeRequest } from './request.ts';
import { encodeRequest } from './request-encode.ts';

const EGRESS: Egress = { model: 'm', capabilities: {}, askUsage: true, withoutState: false, defaults: {} };

function encode(body: string, leaveOut: readonly string[], egress: Partial<Egress> = {}, headers = {}) {
  const decoded = decodeRequest(encodeUtf8(body), headers);
  if (!decoded.ok) throw new Error(decoded.problem.message);
  const encoded = encodeRequest(decoded.request, { ...EGRESS, capabilities: { leaveOut }, ...egress });
  return { ...encoded, text: decodeUtf8(concatBytes(encoded.body)) };
}

/** A body with `rest` behind what it must have. */
const body = (rest: string, messages = '[{"role":"user","content":"q"}]'): string =>
  `{"model":"m", "n":9007199254740993,"messages":${messages}${rest}}`;

const SCOPED = '"cache_control":{"type":"ephemeral","scope":"global","ttl":"1h"}';

describe('a field that a target does not take', () => {
  it.each([
    ['context_management', ',"context_management":{"edits":[]},"x":1', ',"x":1'],
    ['context_management', ' , "context_management" : {"edits":[]} ', ' '],
    ['metadata', ',"metadata":{"user_id":"u"}', ''],
    ['service_tier', ',"service_tier":"auto"', ''],
    ['speed', ',"speed":"fast"', ''],
    ['thinking.display', ',"thinking":{"type":"adaptive","display":"omitted"}', ',"thinking":{"type":"adaptive"}'],
    ['thinking.display', ',"thinking":{"display":"omitted","type":"adaptive"}', ',"thinking":{"type":"adaptive"}'],
    ['output_config.effort', ',"output_config":{"effort":"high"}', ''],
    [
      'output_config.effort',
      ',"output_config":{"effort":"high","format":{"type":"json_schema"}}',
      ',"output_config":{"format":{"type":"json_schema"}}',
    ],
    [
      'tools.defer_loading',
      ',"tools":[{"name":"a","defer_loading":true,"input_schema":{}},{"defer_loading":false},{"name":"b"}]',
      ',"tools":[{"name":"a","input_schema":{}},{},{"name":"b"}]',
    ],
    ['tools.input_examples', ',"tools":[{"name":"a","input_examples":[{"p":1}]}]', ',"tools":[{"name":"a"}]'],
    ['tools.eager_input_streaming', ',"tools":[{"name":"a","eager_input_streaming":true}]', ',"tools":[{"name":"a"}]'],
    [
      'cache_control',
      `,"system":[{"type":"text","text":"s",${SCOPED}}],"tools":[{${SCOPED},"name":"a"}],${SCOPED}`,
      ',"system":[{"type":"text","text":"s"}],"tools":[{"name":"a"}]',
    ],
    [
      'cache_control.scope',
      `,"system":[{"type":"text","text":"s",${SCOPED}}],"tools":[{"name":"a"}]`,
      ',"system":[{"type":"text","text":"s","cache_control":{"type":"ephemeral","ttl":"1h"}}],"tools":[{"name":"a"}]',
    ],
  ])('%s in %s', (field, rest, left) => {
    const { text, leftOut } = encode(body(rest), [field]);
    expect(text).toBe(body(left));
    expect(leftOut).toEqual([field]);
  });

  it('is taken out of messages, and out of the results of tools in them', () => {
    const block = (mark: string): string => `{"type":"text","text":"\\ud800 é"${mark}}`;
    const messages = (mark: string): string =>
      `[{"role":"user","content":[${block(mark)},{"type":"tool_result","tool_use_id":"t","content":[${block(mark)}]${mark}}]}]`;
    expect(encode(body('', messages(`,${SCOPED}`)), ['cache_control']).text).toBe(body('', messages('')));
    const both = encode(body('', messages(`,${SCOPED}`)), ['cache_control.scope', 'cache_control.ttl']);
    expect(both.text).toBe(body('', messages(',"cache_control":{"type":"ephemeral"}')));
    expect(both.leftOut).toEqual(['cache_control.scope', 'cache_control.ttl']);
  });

  it('all at once, beside every other edit', () => {
    const thought = `{"type":"thinking","thinking":"t","signature":"S",${SCOPED}}`;
    const messages = (thoughts: string): string =>
      `[{"role":"user","content":"q"},{"role":"assistant","content":[${thoughts}{"type":"text","text":"x"}]}]`;
    const full = `,"metadata":{"a":1},"thinking":{"type":"adaptive","display":"omitted"},"output_config":{"effort":"high"},"context_management":{}`;
    const { text } = encode(body(full, messages(`${thought},`)), OPTIONAL_FIELDS, {
      withoutState: true,
      defaults: { maxOutputTokens: 7, reasoningEffort: 'high' },
    });
    expect(text).toBe(body(',"thinking":{"type":"adaptive"},"max_tokens":7', messages('')));
  });

  it('is not added from the configuration either', () => {
    const defaults = { reasoningEffort: 'high' };
    expect(encode(body(''), ['output_config.effort'], { defaults }).text).toBe(body(''));
    expect(encode(body(''), [], { defaults }).text).toBe(body(',"output_config":{"effort":"high"}'));
  });

  it('is not missed where it is not, and nothing else is ever taken', () => {
    const plain = body(',"tools":[{"name":"a"}],"system":"s","stop_sequences":["x"],"context_managements":1');
    const { text, leftOut } = encode(plain, [...OPTIONAL_FIELDS, 'tools', 'messages', 'beta:*']);
    expect(text).toBe(plain);
    expect(leftOut).toBeUndefined();
  });
});

describe('the version of the protocol', () => {
  const version = { 'anthropic-version': '2026-10-21' };

  it('is the one that the client asked for, if it is one', () => {
    const sent = (headers: Record<string, string>) => encode(body(''), [], {}, headers).headers['anthropic-version'];
    expect(sent(version)).toBe('2026-10-21');
    expect(sent({ 'anthropic-version': '2023-06-01' })).toBe('2023-06-01');
    expect(sent({})).toBe('2023-06-01');
    expect(sent({ 'anthropic-version': '1999-01-01' })).toBe('2023-06-01');
  });

  it('is the one that all know, for a target that refused the other', () => {
    const { headers, leftOut } = encode(body(''), ['anthropic-version'], {}, version);
    expect(headers['anthropic-version']).toBe('2023-06-01');
    expect(leftOut).toEqual(['anthropic-version']);
    expect(encode(body(''), ['anthropic-version']).leftOut).toBeUndefined();
  });
});

it('notes for a turn (`role: system` among the messages) go on as they are', () => {
  const messages =
    '[{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"r"}]},{"role":"system","content":"note"}]';
  const decoded = decodeRequest(encodeUtf8(body('', messages)), {});
  expect(decoded.ok && decoded.request.endsWithToolResult).toBe(true);
  expect(encode(body('', messages), []).text).toBe(body('', messages));
});
