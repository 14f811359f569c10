import type { ProviderError } from './signal.ts';

/**
 * Finds the error inside whatever envelopes it came in. Relays wrap the error of a provider in their own, some more
 * than once, some as JSON inside a string; the innermost one knows what happened. Bounded in depth, breadth and length,
 * so that a hostile body costs no more than a friendly one.
 */

const MAX_DEPTH = 10;
const MAX_SIBLINGS = 8;
const MAX_TEXT = 65_536;
const MAX_MESSAGE = 4000;
const MAX_WORD = 200;

type Json = Readonly<Record<string, unknown>>;

type Delay = NonNullable<ProviderError['delay']>;

/** What one object says; `explicit`: it could be nothing but an error. */
type Found = {
  readonly status: number | null;
  readonly code: string | null;
  readonly type: string | null;
  readonly param: string | null;
  readonly message: string | null;
  readonly delay: Delay | null;
  readonly explicit: boolean;
};

const NOTHING: Found = {
  status: null,
  code: null,
  type: null,
  param: null,
  message: null,
  delay: null,
  explicit: false,
};

/** Members in which an inner error may lie, the likeliest first. */
const ENVELOPES = ['error', 'errors', 'detail', 'fault', 'response', 'raw', 'body'] as const;

/** Members that hold the words, the surest first. */
const MESSAGES = [
  'message',
  'Message',
  'msg',
  'error_description',
  'error_message',
  'errorMessage',
  'error_msg',
  'faultstring',
  'detail',
  'title',
] as const;

/** Values of `type` and `object` that name an envelope and no kind of error. */
const ENVELOPE_TYPES: ReadonlySet<string> = new Set(['error', 'object', 'exception', 'list', 'about:blank']);

/** Members that only answers have: an object with one of them is no error unless it says so. */
const ANSWER_MEMBERS = ['choices', 'output', 'candidates', 'content', 'embeddings', 'data'] as const;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Own members only: a body that names `__proto__` or `constructor` names data. */
const own = (object: Json, key: string): unknown => (Object.hasOwn(object, key) ? object[key] : undefined);

const word = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, MAX_WORD) : null;

/** A number that is an HTTP error status, in either spelling. */
function statusOf(value: unknown): number | null {
  const number = typeof value === 'string' && /^\d{3}$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isInteger(number) && number >= 400 && number <= 599 ? number : null;
}

/** A code that is a word or a vendor's own number. An HTTP status in the place of a code is no code. */
function codeOf(value: unknown): string | null {
  if (statusOf(value) !== null) return null;
  if (typeof value === 'number') return Number.isSafeInteger(value) && value !== 0 ? String(value) : null;
  return word(value);
}

function typeOf(object: Json): string | null {
  const named = word(own(object, 'type')) ?? word(own(object, '__type'))?.replace(/^.*#/, '') ?? null;
  const isName =
    named !== null && !ENVELOPE_TYPES.has(named) && !named.includes('://') && !named.startsWith('response.');
  if (isName) return named;
  // Gemini: `status` is a word.
  const status = word(own(object, 'status'));
  return status !== null && /^[A-Z][A-Z_]{2,}$/.test(status) ? status : null;
}

/** The reason of a Google ErrorInfo, which is finer than the status. */
function reasonOf(object: Json): string | null {
  const details = own(object, 'details');
  if (!Array.isArray(details)) return null;
  for (const detail of details.slice(0, MAX_SIBLINGS)) {
    const reason = isObject(detail) ? word(own(detail, 'reason')) : null;
    if (reason !== null) return reason;
  }
  return null;
}

/** Messages since its version of 2026: the finer word stands in `details`. */
function detailedCode(object: Json): string | null {
  const details = own(object, 'details');
  return isObject(details) ? codeOf(own(details, 'error_code')) : null;
}

function paramOf(object: Json): string | null {
  const param = word(own(object, 'param'));
  if (param !== null) return param;
  const place = own(object, 'loc');
  return Array.isArray(place) ? word(place.at(-1)) : null;
}

function messageOf(object: Json): string | null {
  for (const key of MESSAGES) {
    const text = own(object, key);
    if (typeof text === 'string' && text.trim() !== '') return text.trim().slice(0, MAX_MESSAGE);
  }
  return null;
}

const number = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value)
    ? value
    : typeof value === 'string' && /^\d{1,20}(?:\.\d{1,9})?$/.test(value.trim())
      ? Number(value)
      : null;

const SECONDS = ['resets_in_seconds', 'retry_after_seconds', 'retry_after', 'retryAfter', 'reset_after'] as const;
const MOMENTS = ['resets_at', 'reset_at', 'resetsAt', 'X-RateLimit-Reset', 'x-ratelimit-reset'] as const;
const TEXTS = ['retryDelay', 'retry_after', 'retryAfter', 'resets_at', 'reset_at', 'resetsAt'] as const;

/** A protobuf duration as an object, or one of the spellings of `SECONDS`. */
function secondsOf(object: Json): number | null {
  for (const key of SECONDS) {
    const seconds = number(own(object, key));
    if (seconds !== null) return seconds;
  }
  const ms = number(own(object, 'retry_after_ms'));
  if (ms !== null) return ms / 1000;
  const delay = own(object, 'retryDelay');
  const seconds = isObject(delay) ? number(own(delay, 'seconds')) : null;
  return isObject(delay) && seconds !== null ? seconds + (number(own(delay, 'nanos')) ?? 0) / 1e9 : null;
}

function ownDelay(object: Json): Delay | null {
  const seconds = secondsOf(object);
  if (seconds !== null) return { seconds };
  for (const key of MOMENTS) {
    const at = number(own(object, key));
    if (at !== null) return { at };
  }
  for (const key of TEXTS) {
    const text = word(own(object, key));
    if (text !== null) return { text };
  }
  return null;
}

/** A delay that the object, its details or its metadata name. */
function delayOf(object: Json): Delay | null {
  const details = own(object, 'details');
  const metadata = own(object, 'metadata');
  const headers = isObject(metadata) ? own(metadata, 'headers') : undefined;
  const places = [object, ...(Array.isArray(details) ? details.slice(0, MAX_SIBLINGS) : []), metadata, headers];
  for (const place of places) {
    const delay = isObject(place) ? ownDelay(place) : null;
    if (delay !== null) return delay;
  }
  return null;
}

function isExplicit(object: Json, self: Omit<Found, 'explicit'>): boolean {
  const error = own(object, 'error');
  if (isObject(error) || (typeof error === 'string' && error !== '') || Array.isArray(error)) return true;
  if (own(object, 'type') === 'error' || own(object, 'object') === 'error') return true;
  if (ANSWER_MEMBERS.some((key) => Object.hasOwn(object, key))) return false;
  return self.message !== null && (self.code !== null || self.type !== null || self.status !== null);
}

function readObject(object: Json): Found {
  const status =
    statusOf(own(object, 'status')) ?? statusOf(own(object, 'status_code')) ?? statusOf(own(object, 'code'));
  const self = {
    status,
    code: reasonOf(object) ?? codeOf(own(object, 'code')) ?? codeOf(own(object, 'error_code')) ?? detailedCode(object),
    type: typeOf(object),
    param: paramOf(object),
    message: messageOf(object),
    delay: delayOf(object),
  };
  return { ...self, explicit: isExplicit(object, self) };
}

/** The inner error stands; of the outer one counts what the inner one leaves open. Its labels go with its words. */
function merge(inner: Found | null, outer: Found): Found {
  if (inner === null) return outer;
  const isNamed = inner.code !== null || inner.type !== null;
  return {
    status: inner.status ?? outer.status,
    code: isNamed ? inner.code : outer.code,
    type: isNamed ? inner.type : outer.type,
    param: inner.param ?? outer.param,
    message: inner.message ?? outer.message,
    delay: inner.delay ?? outer.delay,
    explicit: inner.explicit || outer.explicit,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON inside a text, whole or behind words ("400 Bad Request: {…}"). */
function jsonIn(text: string): unknown {
  if (text.length > MAX_TEXT) return undefined;
  const start = text.search(/[{[]/);
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'));
  if (start < 0 || end <= start) return undefined;
  const parsed = parseJson(text.slice(start, end + 1));
  return typeof parsed === 'object' ? parsed : undefined;
}

function walkText(text: string, depth: number): Found | null {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.startsWith('<')) return null;
  const inner = walk(jsonIn(trimmed), depth + 1);
  if (inner?.message != null && inner.explicit) return inner;
  return { ...NOTHING, message: trimmed.slice(0, MAX_MESSAGE) };
}

/** A relay's `error` that is one word beside a sentence: the word is the code. */
function shortCode(object: Json): string | null {
  const error = own(object, 'error');
  const isCode = typeof error === 'string' && /^[A-Za-z][\w.-]{2,63}$/.test(error);
  return isCode && messageOf(object) !== null ? error : null;
}

function innerOf(object: Json, depth: number): Found | null {
  const metadata = own(object, 'metadata');
  const raw = isObject(metadata) ? own(metadata, 'raw') : undefined;
  for (const value of [raw, ...ENVELOPES.map((key) => own(object, key))]) {
    // Of a text only JSON in it is an inner error; the words themselves are read as the message.
    const inner = typeof value === 'string' ? walk(jsonIn(value), depth + 1) : walk(value, depth + 1);
    if (inner !== null && (inner.message !== null || inner.code !== null || inner.type !== null)) return inner;
  }
  return null;
}

function walkObject(object: Json, depth: number): Found | null {
  const short = shortCode(object);
  const self = readObject(object);
  const outer = short === null ? self : { ...self, code: self.code ?? short };
  const inner = innerOf(object, depth);
  if (inner !== null) return merge(inner, outer);
  const error = own(object, 'error');
  if (short === null && typeof error === 'string') return merge(walkText(error, depth), outer);
  const nested = outer.message === null ? null : walk(jsonIn(outer.message), depth + 1);
  return nested?.message != null && nested.explicit ? merge(nested, outer) : outer;
}

function walk(value: unknown, depth: number): Found | null {
  if (depth > MAX_DEPTH || value === null || value === undefined) return null;
  if (typeof value === 'string') return walkText(value, depth);
  if (Array.isArray(value)) {
    for (const item of value.slice(0, MAX_SIBLINGS)) {
      const found = walk(item, depth + 1);
      if (found !== null && (found.message !== null || found.code !== null)) return found;
    }
    return null;
  }
  return isObject(value) ? walkObject(value, depth) : null;
}

/**
 * The innermost error of a parsed JSON value, or null when it holds none. `status` is that of the HTTP answer: under
 * 400 only what can be nothing but an error counts as one, at 400 and above any words will do. Where no status is known
 * (`null`: an event of a stream), what looks like an answer is none. A status that the error itself names wins. Never
 * throws; the message is the provider's own, not cleaned.
 */
export function innermostError(value: unknown, status: number | null = null): ProviderError | null {
  const found = walk(value, 0);
  if (found === null || (found.message === null && found.code === null && found.type === null)) return null;
  const isAnswer = isObject(value) && ANSWER_MEMBERS.some((key) => Object.hasOwn(value, key));
  const isFailed = status === null ? !isAnswer || found.explicit : status >= 400 || found.explicit;
  if (!isFailed) return null;
  return {
    status: found.status ?? status,
    code: found.code,
    type: found.type,
    param: found.param,
    message: found.message ?? '',
    ...(found.delay === null ? {} : { delay: found.delay }),
  };
}
