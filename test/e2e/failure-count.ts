import type { FakeProvider, ScriptedAnswer } from '../kit/fake-provider.ts';
import { type Spoken, WIRE } from '../kit/wire-scripts.ts';
import { sleep } from './server-kit.ts';

/** One way in which a provider fails, and what each such failure does to its circuit. */
export type FailureRow = {
  readonly name: string;
  readonly stream: boolean;
  /** Whether it may happen behind the first output: the client has the head of an answer by then. */
  readonly afterOutput?: boolean;
  /** What one failure counts in a circuit that opens at three. */
  readonly weight: 1 | 2;
  /** The state word while the circuit is closed. */
  readonly meanwhile: 'ready' | 'slow';
  readonly timeouts?: string;
  answer(protocol: Spoken): ScriptedAnswer;
};

const SSE = { 'content-type': 'text/event-stream' };
const JSON_TYPE = { 'content-type': 'application/json' };
const refusal = (): ScriptedAnswer => ({
  status: 502,
  headers: JSON_TYPE,
  chunks: ['{"error":{"message":"the upstream is gone"}}'],
});
const plays = (
  parts: readonly ('preamble' | 'word' | 'failure')[],
  protocol: Spoken,
  end: ScriptedAnswer['end'] = 'normal',
): ScriptedAnswer => {
  const { word, ...texts } = WIRE[protocol];
  return { headers: SSE, chunks: parts.map((part) => (part === 'word' ? word('Hello') : texts[part])), end };
};

const cut = { stream: true, weight: 1, meanwhile: 'ready' } as const;
const silence = { stream: true, weight: 2, meanwhile: 'slow' } as const;

/** The limit that each row of a timeout has shortened is its model's own. */
export const FAILURE_ROWS: readonly FailureRow[] = [
  { ...cut, name: 'a JSON answer', stream: false, answer: refusal },
  { ...cut, name: 'a JSON answer to a stream request', answer: refusal },
  { ...cut, name: 'SSE before output', answer: (protocol) => plays(['preamble', 'failure'], protocol) },
  {
    ...cut,
    name: 'SSE after output',
    afterOutput: true,
    answer: (protocol) => plays(['preamble', 'word', 'failure'], protocol),
  },
  { ...cut, name: 'a cut before output', answer: (protocol) => plays(['preamble'], protocol, 'close') },
  {
    ...cut,
    name: 'a cut after output',
    afterOutput: true,
    answer: (protocol) => plays(['preamble', 'word'], protocol, 'close'),
  },
  {
    ...cut,
    name: 'an error event and then a reset',
    afterOutput: true,
    answer: (protocol) => plays(['preamble', 'word', 'failure'], protocol, 'reset'),
  },
  { ...silence, name: 'no head', timeouts: 'headers: 200ms', answer: () => ({ status: null, end: 'hang' }) },
  {
    ...silence,
    name: 'no output',
    timeouts: 'firstOutput: 200ms',
    answer: (protocol) => plays(['preamble'], protocol, 'hang'),
  },
  {
    ...silence,
    name: 'silence behind output',
    afterOutput: true,
    timeouts: 'idle: 1500ms',
    answer: (protocol) => plays(['preamble', 'word'], protocol, 'hang'),
  },
  {
    ...silence,
    name: 'no JSON answer',
    stream: false,
    timeouts: 'whole: 200ms',
    answer: () => ({ status: null, end: 'hang' }),
  },
];

export type Counted = { readonly provider: FakeProvider; readonly protocol: Spoken; readonly row: FailureRow };

/** What a failure did to a route lasts until a busy machine has come round to look at it. */
const HEALTH = 'health: { breaker: { open: 60s, maxOpen: 60s, slowFactor: 300 } }';

/** A configuration with a model of one target for each case; `m0`, `m1` … in their order. */
export function countConfig(cases: readonly Counted[]): string {
  const providers = cases.map(
    ({ protocol, provider }, i) =>
      `  p${i}: { protocol: ${protocol}, baseUrl: "${provider.origin}/v1", apiKey: sk-fake-${i}-1234567890 }`,
  );
  const models = cases.map(
    ({ row }, i) => `  m${i}: { targets: [p${i}/x], retry: { sameTarget: 0 }, timeouts: { ${row.timeouts ?? ''} } }`,
  );
  return [HEALTH, 'providers:', ...providers, 'models:', ...models, ''].join('\n');
}

type Health = { readonly state: string; readonly failures: number };

/** What the management API says of the route of `m{index}`. */
async function healthOf(url: string, index: number): Promise<Health> {
  const response = await fetch(`${url}/api/v1/targets`);
  const { data } = (await response.json()) as { data: (Health & { kind: string; target: string | null })[] };
  const found = data.find(({ kind, target }) => kind === 'route' && target === `p${index}/x`);
  if (found === undefined) throw new Error(`no route of p${index}/x`);
  return { state: found.state, failures: found.failures };
}

const COUNT_WITHIN_MS = 3000;
/** All cases look at once, and each look is a page of all routes. */
const LOOK_EVERY_MS = 100;

/** The health once as many failures are counted; what it is in the end where they do not come. */
async function healthWith(failures: number, url: string, index: number): Promise<Health> {
  for (const end = performance.now() + COUNT_WITHIN_MS; ; ) {
    const health = await healthOf(url, index);
    if (health.failures >= failures || performance.now() > end) return health;
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * Sends requests to `m{index}` until its circuit must be open, and tells, in words, the first step at which it was not
 * counted as once: nothing, where all is well. The requests name no conversation, so that nothing takes them for repeats.
 */
export async function findMiscounts(
  url: string,
  { provider, protocol, row }: Counted,
  index: number,
): Promise<string[]> {
  provider.play(row.answer(protocol));
  const { path, body } = WIRE[protocol];
  for (let n = 1; n <= 3 / row.weight + 0.5; n++) {
    const problems: string[] = [];
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: body(`m${index}`, row.stream),
    });
    await response.text();
    const isCommitted = response.status === 200;
    if (isCommitted !== (row.afterOutput ?? false)) problems.push(`request ${n} got ${response.status}`);
    if (provider.requests.length !== n) problems.push(`${provider.requests.length} sends for ${n} requests`);
    const want = { failures: n * row.weight, state: n * row.weight >= 3 ? 'open' : row.meanwhile };
    const { failures, state } = await healthWith(want.failures, url, index);
    if (failures !== want.failures || state !== want.state) {
      problems.push(`after ${n}: ${failures} failures and ${state}, not ${want.failures} and ${want.state}`);
    }
    if (problems.length > 0) return problems;
  }
  return [];
}
