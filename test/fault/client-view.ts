import type { Spoken } from '../kit/wire-scripts.ts';
import { type ClientAnswer, WORDS } from './socket-bench.ts';

/**
 * What a client makes of an answer. `whole`: complete, with every word of one provider exactly once. `told`: a part of
 * the first provider's words, and the protocol's own error behind them. `error`: an error in place of an answer. Anything
 * else is a lie, and says what is wrong.
 */
export type View = 'whole, good' | 'whole, bad' | 'told' | 'error' | `lie: ${string}`;

type Marks = { readonly words: RegExp; readonly done: RegExp; readonly failed: RegExp };

const MARKS: Readonly<Record<Spoken, Marks>> = {
  'openai-chat': { words: /"delta":\{"content":"([^"]+)"/g, done: /data: \[DONE\]\n\n$/, failed: /^data: \{"error":/m },
  'openai-responses': {
    words: /output_text\.delta.*"delta":"([^"]+)"/g,
    done: /^event: response\.completed$/m,
    failed: /^event: response\.failed$/m,
  },
  'anthropic-messages': {
    words: /"text_delta","text":"([^"]+)"/g,
    done: /^event: message_stop$/m,
    failed: /^event: error$/m,
  },
};

export function viewOf(protocol: Spoken, { status, body, isClean }: ClientAnswer): View {
  if (status !== 200) return isError(body) && isClean ? 'error' : `lie: status ${status} with no error of the protocol`;
  const { words, done, failed } = MARKS[protocol];
  const said = [...body.matchAll(words)].map(([, word]) => word).join('');
  const isDone = done.test(body);
  const isTold = failed.test(body);
  if (!isClean) return 'lie: the body breaks off';
  if (isDone && isTold) return 'lie: complete, and an error';
  if (isDone) return wholeOf(said);
  if (!isTold) return 'lie: neither complete nor an error';
  return WORDS.bad.join('').startsWith(said) && said !== '' ? 'told' : `lie: an error behind "${said}"`;
}

function wholeOf(said: string): View {
  if (said === WORDS.good.join('')) return 'whole, good';
  return said === WORDS.bad.join('') ? 'whole, bad' : `lie: complete with "${said}"`;
}

function isError(body: string): boolean {
  try {
    const { error } = JSON.parse(body) as { error?: { message?: unknown; understudy?: unknown } };
    return typeof error?.message === 'string' && typeof error.understudy === 'object';
  } catch {
    return false;
  }
}
