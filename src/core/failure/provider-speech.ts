import type { Range } from '../redact/reading.ts';
import { isMeasured, kindOf, partsOf, type WordKind } from './error-words.ts';
import { hasPhrase, MAX_MESSAGE, normaliseMessage, quotedSentences, withoutQuotes } from './phrase.ts';
import * as tables from './words/index.ts';

/** A few words are in any text; so many in a row that errors are made of, with a phrase among them, are an error. */
const MIN_WORDS = 4;
/** Around a word that is none of an error's so many of the four nearest must be. */
const MIN_AROUND = 3;

const WORDS_OF_TABLES = Object.entries(tables).flatMap(([name, table]): readonly string[] =>
  name.endsWith('_WORDS') ? (table as readonly string[]) : [],
);
const PHRASES: readonly string[] = [...WORDS_OF_TABLES, ...tables.SPEECH_PHRASES].filter((p) => p.includes(' '));
const GLUE: ReadonlySet<string> = new Set(tables.GLUE);
const isAllGlue = (parts: readonly string[]): boolean => parts.every((part) => GLUE.has(part));
/** Those by which a run is known though a stranger stands beside them: "should be" is anybody's. */
const TELLING: readonly string[] = PHRASES.filter((phrase) => !isAllGlue(partsOf(phrase)));

type Word = {
  readonly text: string;
  readonly range: Range;
  readonly parts: readonly string[];
  /** Where it is quoted, it is the client's. */
  readonly isQuoted: boolean;
  /** It says nothing by itself. */
  readonly isGlue: boolean;
  /** A sentence, or a part of one, ends with it. */
  readonly isEnd: boolean;
  readonly kind: WordKind;
};

const STOP = /[.,:;!?)\]]["'`]?$/;

function readWords(message: string): readonly Word[] {
  const quoted = quotedSentences(message);
  return Array.from(message.matchAll(/\S+/g), ({ 0: text, index }): Word => {
    const range: Range = [index, index + text.length];
    const parts = partsOf(text);
    return {
      text,
      range,
      parts,
      isQuoted: quoted.some(([from, to]) => range[0] < to && range[1] > from),
      isGlue: isAllGlue(parts),
      isEnd: STOP.test(text),
      kind: kindOf(text),
    };
  });
}

/** Words that errors are made of, and numbers that measure something: one, not one of several in a row. */
function isKnown(words: readonly Word[], at: number): boolean {
  const { kind, isQuoted } = words[at] as Word;
  if (isQuoted || kind === 'other') return false;
  if (kind === 'word') return true;
  const kindAt = (place: number): WordKind | undefined => words[place]?.kind;
  const textAt = (place: number): string => words[place]?.text ?? '';
  const near = [kindAt(at - 1), kindAt(at + 1)];
  if (near.includes('number')) return false;
  if (kind === 'amount') return !near.every((each) => each === 'amount');
  return !near.includes('amount') && isMeasured(textAt(at), [textAt(at - 2), textAt(at - 1)], textAt(at + 1));
}

/**
 * Where a message says what errors say, in their words alone, whoever wrote it: runs of at least four such words, with a
 * phrase of the failure table or of `SPEECH_PHRASES` among them. One other word may stand between them (the name of a
 * model, an id) and is no part of what is returned; nor is what stands in quotation marks, but for names.
 */
export function findProviderSpeech(message: string): readonly Range[] {
  const words = readWords(message.slice(0, MAX_MESSAGE));
  const known = words.map((_, at) => isKnown(words, at));
  const isIn = (at: number): boolean => known[at] === true || isBridge(words, known, at);
  const out: Range[] = [];
  for (let from = 0; from < words.length; from++) {
    if (!isIn(from)) continue;
    let end = from + 1;
    while (end < words.length && isIn(end)) end++;
    if (end - from >= MIN_WORDS) out.push(...toldOf(message, words, known, [from, end]));
    from = end;
  }
  return join(message, out);
}

/** What of a run is told. */
function toldOf(message: string, words: readonly Word[], known: readonly boolean[], run: Range): readonly Range[] {
  const [first, last] = withoutGlue(message, words, run);
  const told = words.slice(first, last).filter((_, n) => known[first + n] === true);
  const isEnough = told.filter(({ parts }) => parts.length > 0).length >= MIN_WORDS;
  return isEnough && PHRASES.some(phraseTest(message, told)) ? told.map(({ range }) => range) : [];
}

function isBridge(words: readonly Word[], known: readonly boolean[], at: number): boolean {
  if (words[at]?.isQuoted !== false || known[at - 1] !== true || known[at + 1] !== true) return false;
  const around = [at - 2, at - 1, at + 1, at + 2].filter((near) => known[near] === true);
  return around.length >= MIN_AROUND && around.some((near) => words[near]?.isGlue === false);
}

/**
 * What holds a run together with its neighbours is theirs as much as its own, unless a sentence begins or ends there, or it
 * belongs to a phrase by which the run is known.
 */
function withoutGlue(message: string, words: readonly Word[], [from, end]: Range): Range {
  const first = Math.min(end, from > 0 ? glueFrom(words, from, 1) : from);
  const last = Math.max(from, end < words.length ? glueFrom(words, end - 1, -1) + 1 : end);
  const isIn = (start: number, stop: number) => phraseTest(message, words.slice(start, stop));
  const phrases = TELLING.filter(isIn(from, end));
  const start = furthest(from, first, (place) => phrases.every(isIn(place, end)));
  return [start, -furthest(-end, -Math.max(start, last), (place) => phrases.every(isIn(start, -place)))];
}

/** The first word from a place on, or back, that is no glue, or that a sentence ends beside. */
function glueFrom(words: readonly Word[], from: number, step: 1 | -1): number {
  let at = from;
  const isCut = (): boolean => words[step === 1 ? at - 1 : at]?.isEnd === false;
  while (words[at]?.isGlue === true && isCut()) at += step;
  return at;
}

/** How far something holds that holds at the first of some places, by halving. */
function furthest(from: number, to: number, holds: (place: number) => boolean): number {
  let low = from;
  for (let high = to; low < high; ) {
    const middle = Math.ceil((low + high) / 2);
    if (holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Whether a phrase stands in some words of a message. */
function phraseTest(message: string, run: readonly Word[]): (phrase: string) => boolean {
  const said = normaliseMessage(message.slice(run[0]?.range[0] ?? 0, run.at(-1)?.range[1] ?? 0));
  const plain = withoutQuotes(said);
  return (phrase) => hasPhrase(said, [phrase]) || hasPhrase(plain, [phrase]);
}

/** Ranges with nothing but blanks between them are one. */
function join(text: string, ranges: readonly Range[]): readonly Range[] {
  const out: [from: number, to: number][] = [];
  for (const [from, to] of ranges) {
    const last = out.at(-1);
    if (last !== undefined && text.slice(last[1], from).trim() === '') last[1] = to;
    else out.push([from, to]);
  }
  return out;
}
