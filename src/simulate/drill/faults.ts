import type { DemoModel } from '../demo-script.ts';

/** What a client may rightly see. An `error` is the protocol's own, and never looks like an answer. */
export type Expectation = 'whole' | 'error';

export type DrillFault = {
  readonly name: string;
  /** For people: what the first target does. */
  readonly title: string;
  /** Script of the first target; null: nobody listens there. */
  readonly lead: DemoModel | null;
  readonly backup: DemoModel;
  /** Only a clock finds out. */
  readonly isSlow?: boolean;
  readonly expect: { readonly stream: Expectation; readonly json: Expectation };
};

const HIDDEN = { stream: 'whole', json: 'whole' } as const;

const broken = (name: DemoModel, title: string, expect: DrillFault['expect'] = HIDDEN): DrillFault => ({
  name,
  title,
  lead: name,
  backup: 'ok',
  expect,
});

/** What is broken, one row each. Behind output a failure can't be hidden any more: it has to be told. */
export const DRILL_FAULTS: readonly DrillFault[] = [
  { name: 'down', title: 'nobody listens at its port', lead: null, backup: 'ok', expect: HIDDEN },
  broken('error-503', 'it answers 503'),
  broken('rate-limited', 'it answers 429, "retry after 20 s"'),
  broken('retired-410', 'its model is gone'),
  broken('html-200', 'a proxy answers with a web page'),
  broken('error-after-200', 'an error behind its 200'),
  broken('empty', 'a whole answer without a word'),
  broken('damaged-frame', 'JSON that breaks off'),
  { ...broken('silent', 'it takes the request and says nothing'), isSlow: true },
  { ...broken('stall', 'a head, and then nothing'), isSlow: true },
  { ...broken('slow-first-token', 'its first word takes too long'), isSlow: true },
  // JSON is not shown before it is whole, so that its cut comes before output.
  broken('cut-after-20-words', 'the connection is cut in mid-sentence', { stream: 'error', json: 'whole' }),
  {
    name: 'nobody-left',
    title: 'it answers 503, and so does its understudy',
    lead: 'error-503',
    backup: 'error-503',
    expect: { stream: 'error', json: 'error' },
  },
];
