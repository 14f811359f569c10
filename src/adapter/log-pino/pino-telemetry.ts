import { createRequire } from 'node:module';
import { type DestinationStream, pino, stdTimeFunctions } from 'pino';
import type * as PinoPretty from 'pino-pretty';
import { cleanText } from '../../core/redact/index.ts';
import type { Telemetry } from '../../port/telemetry.ts';
import {
  type Cleaner,
  type Fields,
  fieldsOfAttempt,
  fieldsOfChange,
  fieldsOfNotice,
  fieldsOfRequest,
  isFailed,
} from './fields.ts';
import { createLineWriter } from './line-writer.ts';
import { sayAttempt, sayChange, sayRequest } from './sentences.ts';

export type PinoTelemetryOptions = {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  readonly format: 'json' | 'pretty';
  /** Takes each line instead of standard output, its line end included. */
  readonly write?: (line: string) => void;
  /** Takes known secrets out of a text. Every string of a line goes through it. */
  readonly scrub?: (text: string) => string;
};

/** Lines that a stuck reader of standard output may keep waiting before more are dropped. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;
const LAST_WORDS_MS = 1000;

/**
 * The gateway's log: a line per request, per failed attempt, per change of health and per notice. Only the fields that
 * `fields.ts` names are written, so that a prompt or a provider's body can't get into a line by accident.
 */
export function createPinoTelemetry(options: PinoTelemetryOptions): Telemetry {
  const clean = createCleaner(options.scrub ?? ((text) => text));
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    openStream(options),
  );
  // People read sentences, programs fields; each line is one or the other.
  const write = (level: 'debug' | 'info' | 'warn', fields: Fields, text: string, say: (fields: Fields) => string) =>
    options.format === 'pretty' ? logger[level](say(fields)) : logger[level](fields, text);
  return {
    requestEnded(request) {
      if (logger.isLevelEnabled('info')) write('info', fieldsOfRequest(request, clean), 'request', sayRequest);
    },
    attemptEnded(started, attempt) {
      const level = isFailed(attempt) ? 'warn' : 'debug';
      const text = level === 'warn' ? 'attempt failed' : 'attempt';
      if (logger.isLevelEnabled(level)) write(level, fieldsOfAttempt(started, attempt, clean), text, sayAttempt);
    },
    healthChanged(change) {
      if (logger.isLevelEnabled('info')) write('info', fieldsOfChange(change, clean), 'health', sayChange);
    },
    notice(level, message, fields = {}) {
      if (logger.isLevelEnabled(level)) logger[level](fieldsOfNotice(fields, clean), clean.text(message));
    },
  };
}

function openStream({ format, write }: PinoTelemetryOptions): DestinationStream {
  const out = write ?? openStandardOutput();
  if (format === 'json') return { write: out };
  // Loaded here because most gateways never print prettily.
  const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as typeof PinoPretty;
  const isColoured = write === undefined && process.stdout.isTTY && !process.env['NO_COLOR'];
  const prettify = prettyFactory({ colorize: isColoured, singleLine: true, translateTime: 'SYS:HH:MM:ss.l' });
  return { write: (line) => out(prettify(line)) };
}

/** What waits is flushed when the process exits. */
function openStandardOutput(): (line: string) => void {
  const writer = createLineWriter({ fd: 1, maxWaiting: MAX_WAITING_BYTES, lastWordsMs: LAST_WORDS_MS });
  process.once('exit', () => writer.flush());
  return (line) => writer.write(line);
}

/** Names come back all the time; their cleaned forms are kept, so that a line costs little. */
const MAX_KNOWN_NAMES = 2_000;
const MAX_NAME_LENGTH = 200;

function createCleaner(scrub: (text: string) => string): Cleaner {
  const known = new Map<string, string>();
  const cleanName = (text: string) => fold(scrub(text.slice(0, MAX_NAME_LENGTH * 2))).slice(0, MAX_NAME_LENGTH);
  return {
    name(text) {
      const found = known.get(text);
      if (found !== undefined) return found;
      const cleaned = cleanName(text);
      if (text.length <= MAX_NAME_LENGTH && known.size < MAX_KNOWN_NAMES) known.set(text, cleaned);
      return cleaned;
    },
    id: cleanName,
    text: (text) => cleanText(text, { scrub }),
  };
}

/** Names of strangers must not move a terminal's cursor or turn its text round. */
function fold(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u200b-\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}
