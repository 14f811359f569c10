import { hideEcho } from '../redact/index.ts';
import type { RequestText } from './doubt-echo.ts';
import type { Failure } from './failure.ts';
import { findProviderSpeech } from './provider-speech.ts';

/** What was found for a request: the next target mostly says the same. Each request has few attempts. */
const known = new WeakMap<RequestText, Map<string, string>>();

/**
 * Takes out of a failure's reason what it repeats of the request. Told, whoever says it too, is what errors say in words of
 * errors (`findProviderSpeech`): people paste errors into prompts and agents keep them in their history, and then nobody
 * could see what failed. Where nothing of the reason is left, its status and its code stand in front.
 */
export function hideQuoted(failure: Failure, request: RequestText): Failure {
  const { reason } = failure;
  if (request.text === '') return failure;
  const reasons = known.get(request) ?? new Map<string, string>();
  known.set(request, reasons);
  const hidden = reasons.get(reason) ?? hideEcho(reason, request.text, findProviderSpeech);
  reasons.set(reason, hidden);
  if (hidden === reason) return failure;
  return { ...failure, reason: /[\p{L}\p{N}]/u.test(hidden) ? hidden : `${labelOf(failure)}: ${hidden}` };
}

const labelOf = ({ status, code, type }: Failure): string =>
  [`status ${status ?? 'none'}`, code ?? type].filter((part) => part !== null).join(', ');
