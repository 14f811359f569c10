import { z } from 'zod';
import { choice, flag, integer, list, named, section, text } from '../../config/schema/scalar.ts';
import {
  DELAY_FORMS,
  ERROR_BODY_FORMS,
  ERROR_EVENT_FORMS,
  FAULT_PLACES,
  FAULTS,
  FINISHES,
  listMeanings,
  QUIRKS,
  TRANSPORT_ERRORS,
  wordsOf,
} from './behaviour-words.ts';
import { BEHAVIOUR_NAMES, NAMED_BEHAVIOURS } from './named-behaviours.ts';
import { placeOr, status, time, timeOrNever } from './scalars.ts';

/** What one answer may hold at most; more would only be slow. */
export const MOST = { words: 100_000, tools: 64, pings: 10_000 } as const;

/** Faults behind so many words, in one member. */
export const SHORT_FAULTS = {
  stallAfterWords: 'stall',
  closeAfterWords: 'close',
  resetAfterWords: 'reset',
  endAfterWords: 'end',
  errorAfterWords: 'error',
  damagedAfterWords: 'damaged',
} as const;

export type ShortFault = keyof typeof SHORT_FAULTS;

const WORDS = { min: 0, max: MOST.words };
const free = { empty: true, max: 65_536 };

const error = section(
  {
    code: text({ description: '`code` of the error.' }, free).optional(),
    type: text({ description: '`type` of the error.' }, free).optional(),
    param: text({ description: '`param` of the error.' }, free).optional(),
    message: text({ description: 'Its words.' }, free).optional(),
    form: choice(wordsOf(ERROR_BODY_FORMS), {
      description: `How the body is written. ${listMeanings(ERROR_BODY_FORMS)}`,
      default: 'own',
    }).optional(),
  },
  { description: "An error body in the protocol's form, whatever the status." },
);

const fault = section(
  {
    kind: choice(wordsOf(FAULTS), { description: listMeanings(FAULTS) }),
    at: placeOr(wordsOf(FAULT_PLACES), {
      description: `Where it strikes: behind so many words, or ${listMeanings(FAULT_PLACES)}`,
    }),
    code: text({ description: 'Of an error event: its code (Messages: its type).' }, free).optional(),
    form: choice(wordsOf(ERROR_EVENT_FORMS), {
      description: `How an error event is told. ${listMeanings(ERROR_EVENT_FORMS)}`,
      default: 'own',
    }).optional(),
  },
  { description: 'What goes wrong inside an answer.' },
);

const short = (what: string) =>
  integer({ description: `After so many words: ${what}. Short for \`fault\`.` }, WORDS).optional();

const members = section(
  {
    connect: timeOrNever({ description: 'Until the socket is connected.', default: '0s' }).optional(),
    refuses: choice(wordsOf(TRANSPORT_ERRORS), { description: 'Fails in this way in place of connecting.' }).optional(),
    reused: flag({
      description: 'The socket had served before: a failure before any byte means that it was stale.',
    }).optional(),
    head: timeOrNever({ description: 'From the request to the head of the answer.', default: '0s' }).optional(),
    status: status({ description: 'Status; `none`: the connection ends without a head.', default: 200 }).optional(),
    headers: named(text({ description: 'Value of the header.' }, free), {
      description: 'Headers of the answer.',
    }).optional(),
    retryAfter: time({ description: 'A delay that is told, rounded up to seconds.' }).optional(),
    toldAs: choice(wordsOf(DELAY_FORMS), {
      description: `How it is told. ${listMeanings(DELAY_FORMS)}`,
      default: 'seconds',
    }).optional(),
    error: error.optional(),
    body: choice(['html', 'text', 'empty', 'damaged', 'list'], {
      description: 'The body is no answer at all.',
    }).optional(),
    words: integer({ description: 'Visible words.', default: 8 }, WORDS).optional(),
    blank: flag({ description: 'The words are blanks, of which nothing can be seen.', default: false }).optional(),
    reasoning: integer({ description: 'Words of reasoning before them.', default: 0 }, WORDS).optional(),
    tools: integer({ description: 'Tool calls behind them.', default: 0 }, { min: 0, max: MOST.tools }).optional(),
    parallel: flag({ description: 'The pieces of the tool calls are mixed.', default: false }).optional(),
    firstWord: time({ description: 'From the head to the first word.', default: '0s' }).optional(),
    word: time({ description: 'From one word to the next.', default: '0s' }).optional(),
    pings: integer(
      { description: 'Comments or pings before the first word.', default: 0 },
      { min: 0, max: MOST.pings },
    ).optional(),
    finish: choice(wordsOf(FINISHES), {
      description: `Why the answer ends. ${listMeanings(FINISHES)}`,
      default: 'stop',
    }).optional(),
    usage: flag({ description: 'Usage is reported.', default: true }).optional(),
    hiddenTokens: integer(
      { description: 'Output tokens that are reported and of which nothing can be seen.', default: 0 },
      WORDS,
    ).optional(),
    needsTokens: integer(
      {
        description:
          'To a request with room for fewer tokens it says nothing: all of them go into thoughts that nobody sees.',
      },
      WORDS,
    ).optional(),
    otherShape: flag({
      description: 'Streams to a request for JSON, or the other way round.',
      default: false,
    }).optional(),
    fault: fault.optional(),
    quirks: list(choice(wordsOf(QUIRKS), { description: listMeanings(QUIRKS) }), {
      description: 'Oddities of form that leave an answer whole for whoever puts up with them.',
    }).optional(),
    stallAfterWords: short('silence'),
    closeAfterWords: short('the connection is closed'),
    resetAfterWords: short('the connection is reset'),
    endAfterWords: short('the body ends without the end of the protocol'),
    errorAfterWords: short('an error event'),
    damagedAfterWords: short('a frame breaks off, the rest follows'),
    reads: choice(['frames', 'merged', 'bytes', 'random'], {
      description: 'How bytes are cut into reads.',
      default: 'frames',
    }).optional(),
    readAhead: integer(
      { description: 'Reads that still arrive after a pause, since they were under way.', default: 0 },
      { min: 0, max: 1000 },
    ).optional(),
    echoes: flag({
      description:
        "Puts the gateway's key, the client's, and the beginning of what it was sent, into its error message.",
      default: false,
    }).optional(),
    end: time({ description: 'The body ends so much later than its last word.', default: '0s' }).optional(),
  },
  { description: 'What the provider does, member by member.' },
);

const words = Object.entries(NAMED_BEHAVIOURS).map(([name, { means }]) => `${name}: ${means}`);

export const does = z
  .union([choice(BEHAVIOUR_NAMES, { description: `${words.join('. ')}.` }), members])
  .meta({ description: 'What the provider does with a request: a word, or members; absent: answers.' });

export type BehaviourInput = z.output<typeof members>;
export type DoesInput = z.output<typeof does>;
