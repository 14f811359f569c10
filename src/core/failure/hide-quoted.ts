import { hideEcho } from '../redact/index.ts';
import type { RequestText } from './doubt-echo.ts';
import { isErrorCode } from './error-words.ts';
import type { Failure } from './failure.ts';
import { findProviderSpeech } from './provider-speech.ts';

/** What was found for a request: the next target mostly says the same. Each request has few attempts. */
const known = new WeakMap<RequestText, Map<string, string>>();

function hide(text: string, request: RequestText): string {
  const texts = known.get(request) ?? new Map<string, string>();
  known.set(request, texts);
  const { text: whole, written } = request;
  const hidden = texts.get(text) ?? hideEcho(text, whole, { keep: findProviderSpeech, written });
  texts.set(text, hidden);
  return hidden;
}

/** A code has room for a sentence too; one of an error's own words is told. */
const hideCode = (code: string | null, request: RequestText): string | null =>
  code === null || isErrorCode(code) || hide(code, request) === code ? code : null;

/**
 * Takes out of a failure's words what they repeat of the request: parts of the reason, and each of its codes whole. Told,
 * whoever says it too, is what errors say in words of errors (`findProviderSpeech`): people paste errors into prompts and
 * agents keep them in their history, and then nobody could see what failed. Where nothing of the reason is left, its status
 * and its code stand in front.
 */
export function hideQuoted(failure: Failure, request: RequestText): Failure {
  if (request.text === '') return failure;
  const clean = {
    ...failure,
    code: hideCode(failure.code, request),
    param: hideCode(failure.param, request),
    type: hideCode(failure.type, request),
  };
  const hidden = hide(failure.reason, request);
  const isSaying = hidden === failure.reason || /[\p{L}\p{N}]/u.test(hidden);
  return { ...clean, reason: isSaying ? hidden : `${labelOf(clean)}: ${hidden}` };
}

const labelOf = ({ status, code, type }: Failure): string =>
  [`status ${status ?? 'none'}`, code ?? type].filter((part) => part !== null).join(', ');
