import { describe, expect, it } from 'vitest';
import { type AttemptRow, checkRecord, type RecordFault, type RecordRow, type Settled } from './check-record.ts';
import type { Send } from './draw-plan.ts';
import type { FaultName } from './faults.ts';
import { CLEAN, LONE, SHAKY, targetId } from './world.ts';

const send = (target: string, fault: FaultName | null = null): Send => ({
  tag: 'q1',
  target,
  n: 1,
  plan: { fault, words: 1, pad: 0, hasCall: false, inputTokens: 5, outputTokens: 3, paceMs: 0, isTorn: false, at: 0 },
});

const settled = (rest: Partial<Settled> = {}): Settled => ({
  asked: {
    tag: 'q1',
    protocol: 'openai-chat',
    form: 'json',
    model: 'main-openai-chat',
    targets: [...SHAKY, CLEAN],
    wantsUsage: true,
    manner: 'stays',
  },
  seen: { status: 200, requestId: 'req_1', end: 'over' },
  sends: [send('s1', 'error_500'), send('s2')],
  result: 'whole',
  ...rest,
});

const attempt = (target: string, outcome: string | null, rest: Partial<AttemptRow> = {}): AttemptRow => ({
  target: targetId(target, 'openai-chat'),
  outcome,
  hasHead: true,
  inputTokens: outcome === 'ok' ? 5 : null,
  outputTokens: outcome === 'ok' ? 3 : null,
  ...rest,
});

const row = (rest: Partial<RecordRow> = {}): RecordRow => ({
  id: 'req_1',
  tag: 'q1',
  outcome: 'ok',
  status: 200,
  skipped: [],
  attempts: [attempt('s1', 'server_error'), attempt('s2', 'ok')],
  ...rest,
});

const lone = (sends: readonly Send[]): Settled =>
  settled({
    asked: { ...settled().asked, targets: LONE },
    seen: { status: 502, requestId: 'req_1', end: 'over' },
    sends,
    result: 'failed',
  });

const failedRow = (attempts: readonly AttemptRow[], skipped: readonly string[] = []): RecordRow =>
  row({ outcome: 'server_error', status: 502, attempts, skipped });

const left = settled({ seen: { status: null, requestId: null, end: 'left' }, sends: [], result: 'left' });
const GONE = attempt('s1', 'client_closed', { hasHead: false });

describe('a record that tells what was', () => {
  const rows: readonly (readonly [string, Settled, RecordRow, number])[] = [
    ['of a rescue', settled(), row(), 0],
    [
      'of a break',
      settled({ result: 'interrupted' }),
      row({ outcome: 'interrupted', attempts: [attempt('s1', 'server_error'), attempt('s2', 'interrupted')] }),
      0,
    ],
    ['of a client that left', left, row({ outcome: 'client_closed', status: null, attempts: [] }), 0],
    ['of an attempt that had not left yet', left, row({ outcome: 'client_closed', status: null, attempts: [GONE] }), 1],
    [
      'of a failure at all targets',
      lone([send('l1', 'error_500'), send('l2', 'html_502')]),
      failedRow([attempt('l1', 'server_error'), attempt('l2', 'bad_gateway')]),
      0,
    ],
    [
      'of a target that was held',
      lone([send('l1', 'error_500')]),
      failedRow([attempt('l1', 'server_error')], [targetId('l2', 'openai-chat')]),
      0,
    ],
  ];
  it.each(rows)('%s', (_name, request, record, unsent) => {
    expect(checkRecord(request, record)).toEqual({ problems: [], unsent });
  });
});

describe('a record that does not', () => {
  const sent = [attempt('s1', 'server_error'), attempt('s2', 'ok')];
  const rows: readonly (readonly [string, readonly RecordFault[], Settled, RecordRow])[] = [
    ['has an attempt too few', ['sends_differ'], settled(), row({ attempts: sent.slice(1) })],
    [
      'has an attempt too many',
      ['sends_differ'],
      settled(),
      row({ attempts: [...sent, attempt('s3', 'server_error')] }),
    ],
    [
      'has an attempt too many that got an answer',
      ['sends_differ'],
      left,
      row({ outcome: 'client_closed', status: null, attempts: [{ ...GONE, hasHead: true }] }),
    ],
    [
      'has the attempts of another target',
      ['sends_differ'],
      settled(),
      row({ attempts: [attempt('s3', 'server_error'), attempt('s2', 'ok')] }),
    ],
    ['has no end', ['endless'], settled(), row({ outcome: null, status: null })],
    [
      'has an attempt without end',
      ['endless'],
      settled(),
      row({ attempts: [attempt('s1', null), attempt('s2', 'ok')] }),
    ],
    ['says that all went well', ['outcome'], settled({ result: 'interrupted' }), row()],
    ['says that it broke', ['outcome'], settled(), row({ outcome: 'interrupted' })],
    ['has another status', ['outcome'], settled(), row({ status: 502 })],
    ['has another id than was told', ['unknown_record'], settled(), row({ id: 'req_2' })],
    [
      'has tokens of another send',
      ['recorded_usage'],
      settled(),
      row({ attempts: [attempt('s1', 'server_error'), attempt('s2', 'ok', { outputTokens: 4 })] }),
    ],
    [
      'has no tokens',
      ['recorded_usage'],
      settled(),
      row({
        attempts: [attempt('s1', 'server_error'), attempt('s2', 'ok', { inputTokens: null, outputTokens: null })],
      }),
    ],
    [
      'failed although a target was free',
      ['uncaused'],
      lone([send('l1', 'error_500')]),
      failedRow([attempt('l1', 'server_error')]),
    ],
    [
      'failed although a target had answered',
      ['uncaused'],
      lone([send('l1', 'error_500'), send('l2')]),
      failedRow([attempt('l1', 'server_error'), attempt('l2', 'bad_gateway')]),
    ],
  ];
  it.each(rows)('%s', (_name, due, request, record) => {
    expect(checkRecord(request, record).problems.map(({ kind }) => kind)).toEqual(due);
  });
});
