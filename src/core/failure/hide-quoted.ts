import { hideEcho, MIN_ECHO } from '../redact/index.ts';
import { cutOut, type Range } from '../redact/reading.ts';
import type { RequestText } from './doubt-echo.ts';
import { isErrorCode } from './error-words.ts';
import type { Failure } from './failure.ts';
import { findProviderSpeech } from './provider-speech.ts';

/** The gateway's own words in front of a provider's (`classify`), with a code of it. */
const LEAD = /^(?:error event|(?:error in a body of )?status (?:[1-5]\d\d|none))(?:, ([\w.[\]-]{1,64}))?(?:$|: )/;

function leadOf(text: string): Range {
  const [lead = '', code] = LEAD.exec(text) ?? [];
  return [0, code === undefined || isErrorCode(code) ? lead.length : 0];
}

const isSaid = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/**
 * Words of a failure without what they repeat of the request. Told, whoever says it too, is what errors say in words of
 * errors (`findProviderSpeech`): people paste errors into prompts and agents keep them in their history, and then nobody
 * could see what failed. Most refusals say nothing else, or too little for an echo, and a request may be long: it is read
 * only if something may have to be hidden.
 */
export function hideQuotedWords(text: string, request: () => RequestText): string {
  const lead = leadOf(text);
  if (text.length - lead[1] < MIN_ECHO) return text;
  const keep = [lead, ...findProviderSpeech(text)];
  if (!isSaid(cutOut(text, keep, ' '))) return text;
  const { text: whole, written } = request();
  return hideEcho(text, whole, { keep, written });
}

/** How a text is told; see `hideQuotedWords`. */
type Hide = (text: string) => string;

/** A code has room for a sentence too; one of an error's own words is told. */
const hideCode = (code: string | null, hide: Hide): string | null =>
  code === null || isErrorCode(code) || hide(code) === code ? code : null;

/**
 * Takes out of a failure's words what they repeat of the request: parts of the reason, and each of its codes whole. Where
 * nothing of the reason is left, its status and its code stand in front. `hide`: `hideQuotedWords` for its request.
 */
export function hideQuoted(failure: Failure, hide: Hide): Failure {
  const clean = {
    ...failure,
    code: hideCode(failure.code, hide),
    param: hideCode(failure.param, hide),
    type: hideCode(failure.type, hide),
  };
  const hidden = hide(failure.reason);
  const isSaying = hidden === failure.reason || isSaid(hidden);
  return { ...clean, reason: isSaying ? hidden : `${labelOf(clean)}: ${hidden}` };
}

const labelOf = ({ status, code, type }: Failure): string =>
  [`status ${status ?? 'none'}`, code ?? type].filter((part) => part !== null).join(', ');
