import type { Quirk } from '../scenario/scenario.ts';

type Framing = (frame: string) => string;

/** A JSON text has a comma with a quote behind it between two members, and nowhere else. */
const BETWEEN_MEMBERS = ',"';

/** How frames are written, in the order in which these are put on each other. */
const FRAMINGS: readonly (readonly [Quirk, Framing])[] = [
  [
    'data_lines',
    (frame) => {
      const at = frame.indexOf(BETWEEN_MEMBERS);
      return at < 0 ? frame : `${frame.slice(0, at + 1)}\ndata: ${frame.slice(at + 1)}`;
    },
  ],
  ['fields', (frame) => `id: 7\nretry: 1000\n${frame}`.replaceAll(/^(event|data|id|retry): /gm, '$1:')],
  ['crlf', (frame) => frame.replaceAll('\n', '\r\n')],
  ['cr', (frame) => frame.replaceAll('\n', '\r')],
];

/** The writing of frames that these quirks ask for; null: as they are. */
export function framingOf(quirks: ReadonlySet<Quirk>): Framing | null {
  const used = FRAMINGS.filter(([quirk]) => quirks.has(quirk) && !(quirk === 'cr' && quirks.has('crlf')));
  if (used.length === 0) return null;
  return (frame) => used.reduce((text, [, apply]) => apply(text), frame);
}
