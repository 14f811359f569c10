import type { ReactNode } from 'react';
import type { Tone } from './words.ts';

const TONES: Readonly<Record<Tone, string>> = {
  good: 'bg-good-soft text-good',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
  quiet: 'bg-sunken text-muted',
};

/** Forms differ with the tone: a state must not be told by colour alone. */
const MARKS: Readonly<Record<Tone, string>> = { good: '●', warn: '▲', bad: '■', info: '◌', quiet: '○' };

/** A state or an outcome in a word. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span
      className={`inline-flex w-fit items-center gap-1.5 rounded px-1.5 py-0.5 text-xs font-medium whitespace-nowrap ${TONES[tone]}`}
    >
      <span aria-hidden="true" className="text-[0.6rem] leading-none">
        {MARKS[tone]}
      </span>
      {children}
    </span>
  );
}
