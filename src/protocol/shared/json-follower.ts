import { MAX_DEPTH } from '../json/index.ts';

/**
 * What the text may go on with: a value, its first element or member or none, a key, the colon, what follows a value.
 */
type Place = 'value' | 'first_element' | 'first_key' | 'key' | 'colon' | 'behind';

/** Inside a token: a text, an escape of it, one of the four digits behind `\u`, or a number or word. */
type Token = 'none' | 'text' | 'escape' | 'digits' | 'word';

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null']);

/** Longer numbers are nobody's. */
const MAX_WORD = 400;

const isHex = (c: number): boolean => (c >= 0x30 && c <= 0x39) || ((c | 0x20) >= 0x61 && (c | 0x20) <= 0x66);
const isBlank = (c: number): boolean => c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09;
/** The characters of numbers and words. */
const isWordUnit = (c: number): boolean =>
  (c >= 0x61 && c <= 0x7a) || (c >= 0x30 && c <= 0x39) || c === 0x2d || c === 0x2b || c === 0x2e || c === 0x45;
const ESCAPES: ReadonlySet<number> = new Set(Array.from('"\\/bfnrt', (c) => c.charCodeAt(0)));

/**
 * Follows one JSON text that comes in pieces and knows at each moment whether it is whole. Each character is looked at
 * once and none is kept, so that asking costs nothing, however long the text is and however often it is asked.
 */
export class JsonFollower {
  #place: Place = 'value';
  #token: Token = 'none';
  /** Is the text in hand a member's name? */
  #isKey = false;
  #digits = 0;
  #word = '';
  /** The open containers: is each an object? */
  readonly #open: boolean[] = [];
  #isBroken = false;
  #isEmpty = true;
  #isBlank = true;

  /** Nothing has come, not even white space. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Nothing but white space has come. */
  get isBlank(): boolean {
    return this.#isBlank;
  }

  /** Is what has come one JSON value? */
  get isWhole(): boolean {
    if (this.#isBroken || this.#open.length > 0) return false;
    return this.#token === 'word' ? isWord(this.#word) : this.#token === 'none' && this.#place === 'behind';
  }

  push(text: string): void {
    if (text === '') return;
    this.#isEmpty = false;
    for (let at = 0; at < text.length && !this.#isBroken; at++) {
      const c = text.charCodeAt(at);
      if (!isBlank(c)) this.#isBlank = false;
      if (!this.#take(c)) this.#isBroken = true;
    }
  }

  /** False: no JSON text goes on like this. */
  #take(c: number): boolean {
    switch (this.#token) {
      case 'text':
        return this.#takeInText(c);
      case 'escape':
        this.#token = c === 0x75 ? 'digits' : 'text';
        this.#digits = 0;
        return c === 0x75 || ESCAPES.has(c);
      case 'digits':
        if (++this.#digits === 4) this.#token = 'text';
        return isHex(c);
      case 'word':
        if (isWordUnit(c)) return this.#growWord(c);
        this.#token = 'none';
        return isWord(this.#word) && this.#takeBetween(c);
      case 'none':
        return this.#takeBetween(c);
    }
  }

  #takeInText(c: number): boolean {
    if (c === 0x22) {
      this.#token = 'none';
      this.#place = this.#isKey ? 'colon' : 'behind';
    } else if (c === 0x5c) this.#token = 'escape';
    return c >= 0x20;
  }

  #growWord(c: number): boolean {
    this.#word += String.fromCharCode(c);
    return this.#word.length <= MAX_WORD;
  }

  #takeBetween(c: number): boolean {
    if (isBlank(c)) return true;
    if (c === 0x5d || c === 0x7d) return this.#close(c === 0x7d);
    switch (this.#place) {
      case 'value':
      case 'first_element':
        return this.#begin(c);
      case 'first_key':
      case 'key':
        return c === 0x22 && this.#beginText(true);
      case 'colon':
        this.#place = 'value';
        return c === 0x3a;
      case 'behind':
        this.#place = this.#open.at(-1) === true ? 'key' : 'value';
        return c === 0x2c && this.#open.length > 0;
    }
  }

  #begin(c: number): boolean {
    if (c === 0x7b || c === 0x5b) {
      this.#open.push(c === 0x7b);
      this.#place = c === 0x7b ? 'first_key' : 'first_element';
      return this.#open.length <= MAX_DEPTH;
    }
    if (c === 0x22) return this.#beginText(false);
    this.#token = 'word';
    this.#word = '';
    this.#place = 'behind';
    return isWordUnit(c) && this.#growWord(c);
  }

  #beginText(isKey: boolean): boolean {
    this.#isKey = isKey;
    this.#token = 'text';
    return true;
  }

  #close(isObject: boolean): boolean {
    const mayClose = this.#place === 'behind' || this.#place === (isObject ? 'first_key' : 'first_element');
    this.#place = 'behind';
    return mayClose && this.#open.pop() === isObject;
  }
}

const isWord = (word: string): boolean => WORDS.has(word) || NUMBER.test(word);
