import { outcomeTone, outcomeWord, TONE_FILL } from './words.ts';

type Send = { readonly target: string; readonly outcome: string | null };

const LEAST_CUT = 12;

/** One mark for each send, in their order: round where it went well, square where it did not. */
export function SendMarks({ attempts }: { readonly attempts: readonly Send[] }) {
  if (attempts.length === 0) return <span className="text-xs text-muted">nobody</span>;
  const told = attempts.map(({ target, outcome }) => `${target}: ${outcomeWord(outcome)}`).join(', ');
  const shown = attempts.slice(0, LEAST_CUT).map(({ outcome }, n) => ({ tone: outcomeTone(outcome), n }));
  return (
    <span role="img" aria-label={told} title={told} className="inline-flex items-center gap-1">
      {shown.map(({ tone, n }) => (
        <span key={n} className={`size-2 ${tone === 'good' ? 'rounded-full' : 'rounded-[1px]'} ${TONE_FILL[tone]}`} />
      ))}
      {attempts.length > LEAST_CUT && <span className="text-xs text-muted">+{attempts.length - LEAST_CUT}</span>}
    </span>
  );
}
