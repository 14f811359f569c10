import { createRequire } from 'node:module';
import { type DestinationStream, pino } from 'pino';
import type * as PinoPretty from 'pino-pretty';
import type { IsOurs } from '../../core/event/index.ts';
import type { HealthState } from '../../core/health/state.ts';
import { cleanName, cleanText } from '../../core/redact/index.ts';
import type { Telemetry } from '../../port/telemetry.ts';
import { createEventLines } from './event-lines.ts';
import { type Cleaner, type Fields, fieldsOfNotice } from './fields.ts';
import { isoTime } from './iso-time.ts';
import { createSentenceLines } from './sentence-lines.ts';
import { openStandardWriter } from './standard-writer.ts';

export type PinoTelemetryOptions = {
  readonly level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  readonly format: 'json' | 'pretty';
  /** Takes each line instead of standard output, its line end included. */
  readonly write?: (line: string) => void;
  /** Takes known secrets out of a text. Every string of a line goes through it. */
  readonly scrub?: (text: string) => string;
  /** Names of the configuration in force, for events; absent: the form of a name decides. */
  readonly isOurs?: IsOurs;
  /** What events tell of a provider as a whole is found in it. */
  readonly health?: () => HealthState;
};

export type LogTelemetry = Telemetry & {
  /** Lines that nobody got, since the start: their reader did not take them, or is gone. */
  droppedLines(): number;
  /** Members that no event of the log took, since the start; none where it is for people. */
  droppedMembers(): number;
};

/**
 * The gateway's log: for programs events (`docs/events.md`), for people sentences, for both notices. Only the fields that
 * `fields.ts` and the schema of events name are written, so that a prompt or a provider's body can't get into a line by
 * accident.
 */
export function createPinoTelemetry(options: PinoTelemetryOptions): LogTelemetry {
  const clean = createCleaner(options.scrub ?? ((text) => text));
  const out = openOut(options, (lines) => logger.warn(...sayGap(lines)));
  const logger = pino(
    {
      level: options.level,
      base: null,
      timestamp: () => `,"time":"${isoTime(Date.now())}"`,
      formatters: { level: (level) => ({ level }) },
    },
    openStream(options, out.write),
  );
  const { isOurs = () => true, health = () => null } = options;
  const lines =
    options.format === 'pretty'
      ? createSentenceLines(logger, clean)
      : createEventLines({ logger, write: out.write, clean, isOurs, health, now: Date.now });
  return {
    ...lines,
    notice(level, message, fields = {}) {
      if (logger.isLevelEnabled(level)) logger[level](fieldsOfNotice(fields, clean), clean.text(message));
    },
    droppedLines: out.dropped,
  };
}

type Out = { readonly write: (line: string) => void; readonly dropped: () => number };

function openOut({ write }: PinoTelemetryOptions, onGap: (lines: number) => void): Out {
  return write === undefined ? openStandardWriter(1, onGap) : { write, dropped: () => 0 };
}

function openStream({ format, write }: PinoTelemetryOptions, out: Out['write']): DestinationStream {
  if (format === 'json') return { write: out };
  // Loaded here because most gateways never print prettily.
  const { prettyFactory } = createRequire(import.meta.url)('pino-pretty') as typeof PinoPretty;
  const isColoured = write === undefined && process.stdout.isTTY && !process.env['NO_COLOR'];
  const prettify = prettyFactory({ colorize: isColoured, singleLine: true, translateTime: 'SYS:HH:MM:ss.l' });
  return { write: (line) => out(prettify(line)) };
}

/** Where lines are missing, the log says so itself. */
const sayGap = (lines: number): [Fields, string] => [{ lines }, 'lines of the log were dropped: nobody took them'];

/** Names come back all the time; their cleaned forms are kept, so that a line costs little. */
const MAX_KNOWN_NAMES = 2_000;
const MAX_KNOWN_LENGTH = 200;

/** The gateway's own ids hold nothing of anybody's. */
const OWN_ID = /^req_[0-9A-Z]{26}$/;

function createCleaner(scrub: (text: string) => string): Cleaner {
  const known = new Map<string, string>();
  const id = (text: string): string => (OWN_ID.test(text) ? text : cleanName(text, { scrub }));
  return {
    name(text) {
      const found = known.get(text);
      if (found !== undefined) return found;
      const cleaned = id(text);
      if (text.length <= MAX_KNOWN_LENGTH && known.size < MAX_KNOWN_NAMES) known.set(text, cleaned);
      return cleaned;
    },
    id,
    text: (text) => cleanText(text, { scrub }),
  };
}
