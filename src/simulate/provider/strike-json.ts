import type { Behaviour, Fault, FaultPlace } from '../scenario/scenario.ts';
import type { Answer } from './answer.ts';
import { PADDING, PAGE } from './fillers.ts';
import type { Struck } from './strike-stream.ts';

/** What becomes of a body that is one text. */
export type StruckText = {
  /** The text as it comes, of the one that was meant. */
  readonly text: (meant: string) => string;
  readonly end: Struck['end'];
  /** Blank lines without end come behind it. */
  readonly isFlooded: boolean;
  /** The text is what the provider meant, and its body ends as it must. */
  readonly isWhole: boolean;
};

export type TextScene = {
  readonly fault: NonNullable<Behaviour['fault']>;
  /** Null: the body is an error itself. */
  readonly answer: Answer | null;
  /** The text of an error in the body's place. */
  readonly error: () => string;
};

export const WHOLE_TEXT: StruckText = { text: (meant) => meant, end: 'clean', isFlooded: false, isWhole: true };

type Strike = Partial<Omit<StruckText, 'text' | 'isWhole'>> & {
  /** `cut`: where in the text the place is. */
  readonly text: (text: string, cut: number, scene: TextScene) => string;
  /** Absent: never. */
  readonly isWhole?: (at: FaultPlace) => boolean;
};

const cutText: Strike['text'] = (text, cut) => text.slice(0, cut);
const always = (): boolean => true;

const STRIKES: Readonly<Record<Fault, Strike>> = {
  close: { text: cutText, end: 'closed' },
  reset: { text: cutText, end: 'reset' },
  bad_encoding: { text: cutText, end: 'bad_encoding' },
  bad_http: { text: cutText, end: 'bad_http' },
  stall: { text: cutText, end: 'hang' },
  end: { text: cutText, isWhole: (at) => at === 'behind_end' },
  error: {
    text: (text, cut, { fault: { at }, error }) =>
      at === 'head' || at === 'before_output' ? error() : `${text.slice(0, cut)}\n${error()}`,
  },
  damaged: { text: (text, cut) => (cut === text.length ? `${text}{"` : text.slice(0, Math.max(1, cut))) },
  half: { text: (text, cut) => text.slice(0, Math.max(1, cut - 1)), end: 'closed' },
  noise: { text: (text) => `\n \n${text}`, isWhole: always },
  html: { text: (text, cut) => `${text.slice(0, cut)}${PAGE}` },
  flood: { text: cutText, end: 'hang', isFlooded: true },
  huge: { text: (text) => `{"padding":"${PADDING}",${text.slice(1)}`, isWhole: always },
  repeat: { text: (text) => `${text}${text}` },
  unterminated: { text: (text) => text.slice(0, -1) },
};

export function strikeJson(scene: TextScene): StruckText {
  const { text, end = 'clean', isFlooded = false, isWhole } = STRIKES[scene.fault.kind];
  return {
    text: (meant) => text(meant, cutOf(meant, scene), scene),
    end,
    isFlooded,
    isWhole: isWhole?.(scene.fault.at) === true,
  };
}

/** Where in the text a place is: somewhere within it, but for its two ends. */
function cutOf(text: string, { fault: { at }, answer }: TextScene): number {
  if (at === 'head') return 0;
  if (at === 'behind_end') return text.length;
  const mark = answer === null ? undefined : markOf(at, answer);
  const found = mark === undefined ? -1 : text.indexOf(mark);
  const cut = found < 0 ? text.length >> 1 : found + (mark?.length ?? 0);
  return Math.max(1, Math.min(cut, text.length - 1));
}

/** The text that stands right in front of a place. */
function markOf(at: FaultPlace, { words, tools }: Answer): string | undefined {
  const last = words.at(-1)?.trimEnd();
  if (typeof at === 'number') return words[Math.min(at, words.length) - 1]?.trimEnd();
  // Some have no id.
  if (at === 'in_tool') return tools[0]?.id || tools[0]?.name || last;
  if (at === 'behind_tool' || at === 'before_end' || at === 'behind_finish')
    return tools.at(-1)?.pieces[1]?.slice(1, -1) ?? last;
  return undefined;
}
