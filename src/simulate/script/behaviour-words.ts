import type { TransportError } from '../../core/failure/signal.ts';
import type {
  Behaviour,
  DelayForm,
  ErrorBodyForm,
  ErrorEventForm,
  Fault,
  FaultPlace,
  Quirk,
} from '../scenario/scenario.ts';

type Words<W extends string> = Readonly<Record<W, string>>;

/** The words of a table, for a choice among them. */
export const wordsOf = <W extends string>(words: Words<W>): readonly W[] => Object.keys(words) as W[];

/** What each means, for the reference and for editors. */
export const listMeanings = (words: Words<string>): string =>
  Object.entries(words)
    .map(([word, means]) => (means === '' ? `${word}.` : `${word}: ${means}.`))
    .join(' ');

export const TRANSPORT_ERRORS: Words<TransportError> = {
  dns: 'the name does not resolve',
  refused: 'nobody listens',
  unreachable: 'no way there',
  tls: 'the certificate is not good',
  reset: 'reset before any byte',
  closed: 'closed before any byte',
  bad_http: 'what comes is no HTTP',
  bad_encoding: 'its coding can not be read',
  local: 'the machine of the gateway has no socket left',
};

export const FAULTS: Words<Fault> = {
  close: 'the connection ends before the body does',
  reset: 'the same by force',
  bad_encoding: "the body's coding breaks",
  bad_http: "the body's framing breaks",
  end: 'the body ends without the end of the protocol',
  stall: 'silence',
  error: 'an error event',
  damaged: 'a frame breaks off, the rest follows',
  half: 'a frame breaks off, and the connection with it',
  noise: 'data that is no JSON object',
  html: 'a web page',
  flood: 'comments for an hour',
  huge: 'a frame of megabytes',
  repeat: 'the last frame once more',
  unterminated: 'the end mark is left out',
};

export const FAULT_PLACES: Words<Extract<FaultPlace, string>> = {
  head: 'behind the head',
  before_output: 'before the first output',
  in_tool: 'in the middle of a tool call',
  behind_tool: 'behind the last tool call',
  before_end: 'before the end',
  behind_finish: 'behind the word how it ended, before the end mark',
  behind_end: 'behind it',
};

export const ERROR_EVENT_FORMS: Words<ErrorEventForm> = {
  own: "the protocol's own",
  failed: '`response.failed`',
  twice: 'two in a row',
  joined: 'with the end mark in one frame',
  text: 'in words',
  field: 'in a field of that name',
};

export const ERROR_BODY_FORMS: Words<ErrorBodyForm> = {
  own: "the protocol's own",
  flat: 'without an envelope',
  problem: 'an HTTP problem document',
  list: 'in a list',
  nested: 'as text in another error',
  text: 'in words',
};

export const DELAY_FORMS: Words<DelayForm> = {
  seconds: '`retry-after`',
  ms: '`retry-after-ms`',
  date: '`retry-after` as a date',
  reset: 'the reset of a budget',
  member: 'a member of the error',
  words: 'words of its message',
  garbage: 'a `retry-after` that nobody can read',
};

export const FINISHES: Words<NonNullable<Behaviour['finish']>> = {
  stop: 'it is complete',
  length: 'a limit of tokens',
  filter: 'a filter',
  error: 'its end says that it failed',
  broken: 'a tool call came out broken',
};

export const QUIRKS: Words<Quirk> = {
  crlf: 'line ends of two characters',
  cr: 'line ends of the old kind',
  data_lines: 'JSON over several data lines',
  fields: 'id and retry fields',
  bom: 'a byte order mark',
  wide: 'characters of several bytes',
  preamble: 'frames before the answer begins',
  late_start: 'pings before the first event',
  sealed: 'reasoning also in a form that only its issuer reads',
  no_finish: 'no finish reason',
  empty_finish: 'it is empty until it is due',
  finish_with_word: 'it stands beside the last word',
  no_index: 'tool calls without an index',
  blank_ids: 'empty ids in later pieces of a call',
  object_args: 'arguments as an object where text is due',
  usage_in_finish: 'usage beside the finish reason',
  usage_bare: 'usage without choices',
  usage_twice: 'first a number that is corrected later',
  stray_stop: 'the end of a block that never began',
};
