import type { ReactNode } from 'react';
import { TONE_TEXT, type Tone } from './words.ts';

type StatProps = {
  readonly name: string;
  readonly value: string;
  readonly tone?: Tone;
  readonly children?: ReactNode;
};

/** One number and what it means. */
export function Stat({ name, value, tone = 'quiet', children }: StatProps) {
  return (
    <div className="rounded-lg border border-line bg-card px-4 py-3">
      <dt className="text-xs text-muted">{name}</dt>
      <dd>
        <span className={`text-2xl font-semibold tracking-tight tabular-nums ${TONE_TEXT[tone]}`}>{value}</span>
        {children !== undefined && <span className="mt-1 block text-xs text-muted">{children}</span>}
      </dd>
    </div>
  );
}
