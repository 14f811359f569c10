import type { Truth } from '../world/run.ts';
import type { Answer } from './answer.ts';
import type { Beat } from './beat.ts';
import type { Struck } from './strike-stream.ts';
import type { ProviderVoice } from './voice.ts';

/** What an answer says, whatever becomes of it on its way. */
export const meaningOf = ({ words, reasoning, tools, finish, usage }: Answer) => ({
  text: words.join(''),
  reasoning: reasoning.join(''),
  tools: tools.map(({ id, name, args }) => ({ id, name, args })),
  usage: usage === null ? null : { inputTokens: usage.input, outputTokens: usage.output },
  finish: finish === 'length' || finish === 'filter' ? finish : ('stop' as const),
});

/** When what comes; `beginMs`: until the head. */
export function streamTimes(
  { beats: all, end, endMs, failsAt, breaksAt }: Struck,
  voice: ProviderVoice,
  beginMs: number,
  isBelievable: boolean,
): Pick<Truth, 'isWhole' | 'lastsMs' | 'firstOutputMs'> {
  const beats = breaksAt === undefined ? all : all.slice(0, breaksAt);
  const has = (is: (each: Beat) => boolean): boolean => beats.some(is);
  const hasMark = voice.endsWithBody !== true && has(({ kind }) => kind === voice.endsWith);
  const isWhole =
    isBelievable &&
    failsAt >= all.length &&
    voice.isWhole({
      isBegun: has(({ kind }) => kind === 'start'),
      hasFinish: has(({ kind }) => kind === 'finish'),
      hasMark,
      hasTools: has(({ kind }) => kind === 'call'),
      isClean: end === 'clean' && breaksAt === undefined,
    });
  const untilEnd = breaksAt === undefined ? sumMs(all, all.length) + endMs : sumMs(all, breaksAt + 1);
  const last = beats.findIndex(({ kind }) => kind === voice.endsWith);
  const first = all.findIndex(({ isOutput }) => isOutput);
  return {
    isWhole,
    lastsMs: isWhole && (hasMark || end !== 'hang') ? beginMs + (hasMark ? sumMs(beats, last + 1) : untilEnd) : null,
    firstOutputMs: first < 0 || first >= failsAt ? null : beginMs + sumMs(all, first + 1),
  };
}

function sumMs(beats: readonly Beat[], until: number): number {
  let sum = 0;
  for (let i = 0; i < until; i++) sum += beats[i]?.ms ?? 0;
  return sum;
}
