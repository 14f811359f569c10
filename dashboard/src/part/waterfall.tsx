import { Fragment } from 'react';
import type { AttemptView } from '../../../src/management/contract.ts';
import { Badge } from './badge.tsx';
import { type PhaseName, phasesOf, ticksOf } from './phases.ts';
import { At } from './time.tsx';
import { duration, outcomeTone, outcomeWord, reasonWords, TONE_FILL, type Tone } from './words.ts';

type WaterfallProps = {
  readonly attempts: readonly AttemptView[];
  /** When the answer was bound to one of them, in ms from the request's start. */
  readonly boundMs: number | null;
  /** How long the request took, or takes till now. */
  readonly wholeMs: number;
};

/** The attempts of a request over its time: who was asked when, what came, and where it went on. */
export function Waterfall({ attempts, boundMs, wholeMs }: WaterfallProps) {
  const whole = Math.max(wholeMs, ...attempts.map(({ ended_ms, started_ms }) => ended_ms ?? started_ms), 1);
  const at = (ms: number): string => `${Math.min(100, (100 * ms) / whole).toFixed(2)}%`;
  return (
    <div>
      <div aria-hidden="true" className="mb-1 grid gap-x-4 md:grid-cols-[15rem_1fr]">
        <div className="relative h-4 text-[0.7rem] text-muted tabular-nums md:col-start-2">
          <span className="absolute left-0">0</span>
          {ticksOf(whole).map((ms) => (
            <span key={ms} className="absolute -translate-x-full whitespace-nowrap" style={{ left: at(ms) }}>
              {duration(ms)}
            </span>
          ))}
        </div>
      </div>
      <ol className="space-y-4">
        {attempts.map((attempt) => (
          <li key={attempt.n} className="grid gap-x-4 gap-y-1.5 md:grid-cols-[15rem_1fr]">
            <Who attempt={attempt} />
            <div className="min-w-0">
              <Bar attempt={attempt} boundMs={boundMs} at={at} whole={whole} />
              <p className="mt-1 text-xs text-muted">
                <Moments attempt={attempt} boundMs={boundMs} />
              </p>
              <p className="mt-0.5 text-xs">
                {attempt.reason ?? reasonWords(attempt.why)}
                {attempt.cooldown !== null && (
                  <span className="text-muted">
                    {' '}
                    · on hold until <At at={attempt.cooldown} />
                  </span>
                )}
              </p>
            </div>
          </li>
        ))}
      </ol>
      <Legend />
    </div>
  );
}

function Who({ attempt: { n, target, credential, outcome, status } }: { readonly attempt: AttemptView }) {
  return (
    <div className="min-w-0">
      <div className="flex items-baseline gap-2">
        <span className="text-muted tabular-nums">{n}</span>
        <span className="truncate font-mono text-[0.8rem]" title={`${target} · key ${credential}`}>
          {target}
        </span>
      </div>
      <div className="mt-1 flex flex-wrap items-center gap-2 pl-4">
        <Badge tone={outcomeTone(outcome)}>{outcomeWord(outcome)}</Badge>
        {status !== null && <span className="text-xs text-muted tabular-nums">{status}</span>}
        {credential !== 'default' && <span className="text-xs text-muted">key {credential}</span>}
      </div>
    </div>
  );
}

type BarProps = {
  readonly attempt: AttemptView;
  readonly boundMs: number | null;
  readonly at: (ms: number) => string;
  readonly whole: number;
};

/** Waiting is hollow, what is kept back is hatched, what is passed on is full. */
const PHASE_LOOKS: Readonly<Record<PhaseName, (tone: Tone) => string>> = {
  wait: (tone) => `border border-current bg-transparent ${BORDERS[tone]}`,
  hold: (tone) => `hatched ${BORDERS[tone]}`,
  stream: (tone) => TONE_FILL[tone],
};

const BORDERS: Readonly<Record<Tone, string>> = {
  good: 'text-good',
  warn: 'text-warn',
  bad: 'text-bad',
  info: 'text-info',
  quiet: 'text-line-strong',
};

function Bar({ attempt, boundMs, at, whole }: BarProps) {
  const tone = outcomeTone(attempt.outcome);
  const marks = momentsOf(attempt, boundMs).filter(({ mark }) => mark !== null);
  return (
    <div aria-hidden="true" className="relative h-6 overflow-hidden rounded bg-sunken">
      {phasesOf(attempt, boundMs, whole).map(({ name, from, to }) => (
        <div
          key={name}
          className={`absolute inset-y-1.5 min-w-1 rounded-[2px] ${PHASE_LOOKS[name](tone)}`}
          style={{ left: `min(${at(from)}, calc(100% - 4px))`, width: at(to - from) }}
        />
      ))}
      {marks.map(({ name, ms, mark }) => (
        <div
          key={name}
          className={`absolute -translate-x-1/2 ${mark ?? ''}`}
          style={{ left: `clamp(4px, ${at(ms)}, calc(100% - 4px))` }}
        />
      ))}
    </div>
  );
}

type Moment = { readonly name: string; readonly ms: number; readonly mark: string | null };

const HEAD_MARK = 'inset-y-0.5 w-0.5 bg-ink';
const OUTPUT_MARK = 'top-0 size-0 border-x-4 border-t-6 border-x-transparent border-t-ink';
const BOUND_MARK = 'top-1/2 size-2.5 -translate-y-1/2 rotate-45 border-2 border-card bg-accent';

function momentsOf(attempt: AttemptView, boundMs: number | null): readonly Moment[] {
  const moments: readonly (readonly [string, number | null, string | null])[] = [
    ['sent', attempt.started_ms, null],
    ['head', attempt.headers_ms, HEAD_MARK],
    ['first output', attempt.first_output_ms, OUTPUT_MARK],
    ['bound', attempt.committed ? boundMs : null, BOUND_MARK],
    ['end', attempt.ended_ms, null],
  ];
  return moments.flatMap(([name, ms, mark]) => (ms === null ? [] : [{ name, ms, mark }]));
}

/** The same in words. */
function Moments({ attempt, boundMs }: { readonly attempt: AttemptView; readonly boundMs: number | null }) {
  return momentsOf(attempt, boundMs).map(({ name, ms }, index) => (
    <Fragment key={name}>
      {index > 0 && ' · '}
      <span className="whitespace-nowrap tabular-nums">
        {name} {duration(ms)}
      </span>
    </Fragment>
  ));
}

const LEGEND: readonly (readonly [string, string])[] = [
  ['waits for its head', 'h-2.5 w-4 rounded-[2px] border border-muted'],
  ['held back', 'h-2.5 w-4 rounded-[2px] hatched text-muted'],
  ['passed on', 'h-2.5 w-4 rounded-[2px] bg-muted'],
  ['head', 'h-3 w-0.5 bg-ink'],
  ['first output', 'size-0 border-x-4 border-t-6 border-x-transparent border-t-ink'],
  ['answer bound to it', 'size-2 rotate-45 bg-accent'],
];

function Legend() {
  return (
    <ul
      aria-label="Legend"
      className="mt-4 flex flex-wrap gap-x-4 gap-y-1.5 border-t border-line pt-3 text-xs text-muted"
    >
      {LEGEND.map(([name, look]) => (
        <li key={name} className="inline-flex items-center gap-1.5">
          <span aria-hidden="true" className={look} />
          {name}
        </li>
      ))}
    </ul>
  );
}
