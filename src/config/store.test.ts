import { describe, expect, it } from 'vitest';
import { complaintOf, configOf } from '../../test/kit/config-text.ts';
import { DEFAULT_STORE } from './defaults.ts';
import { tellWarning } from './warning.ts';

const REST = `
providers: { a: { preset: ollama } }
models: { main: { targets: [a/x] } }
`;
const DAY = 86_400_000;

describe('where the ledger lives', () => {
  it('is the state directory, unless something else is said', () => {
    const wanted = { kind: 'sqlite', keepMs: 30 * DAY, maxBytes: 2 * 1024 ** 3, explain: 'failures' };
    expect(DEFAULT_STORE).toEqual(wanted);
    expect(configOf(REST).store).toEqual(wanted);
    expect(configOf(`store: {}${REST}`).store).toEqual(wanted);
    expect(configOf(`store: { kind: sqlite }${REST}`).store).toEqual(wanted);
  });

  it('takes what it is told', () => {
    const text = `store: { kind: sqlite, keep: 90d, maxSize: 512MiB, explain: sample }${REST}`;
    expect(configOf(text).store).toEqual({
      kind: 'sqlite',
      keepMs: 90 * DAY,
      maxBytes: 512 * 1024 ** 2,
      explain: 'sample',
    });
    const variables = configOf(`store: { kind: "\${KIND}", keep: "\${KEEP}" }${REST}`, {
      env: { KIND: 'memory', KEEP: '1h' },
    });
    expect(variables.store).toMatchObject({ kind: 'memory', keepMs: 3_600_000 });
  });

  it('may be memory, which has no use for the rest', () => {
    expect(configOf(`store: { kind: memory }${REST}`).warnings).toEqual([]);
    const { store, warnings } = configOf(`store: { kind: memory, keep: 1d, explain: all }${REST}`);
    expect(store.kind).toBe('memory');
    expect(warnings.map(tellWarning)).toEqual([
      'store: "keep" does nothing for a ledger in memory, which ends with the process',
      'store: "explain" does nothing for a ledger in memory, which ends with the process',
    ]);
  });

  it('can not be nothing', () => {
    expect(complaintOf(`store: { maxSize: 10KiB }${REST}`)).toContain('store.maxSize  is too small for a ledger');
    expect(complaintOf(`store: { keep: 0s }${REST}`)).toContain('store.keep  must be more than 0');
    expect(complaintOf(`store: { explain: some }${REST}`)).toContain('store.explain  must be failures | all | sample');
    expect(complaintOf(`store: { kind: disk }${REST}`)).toContain('store.kind  must be memory | sqlite | postgres');
  });
});
