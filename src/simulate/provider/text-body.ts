import type { Headers } from '../../core/model/protocol.ts';
import type { Truth } from '../world/run.ts';
import { hasOutput, hasResult } from './answer.ts';
import { spokenMs } from './beat.ts';
import { errorParts, errorText } from './errors.ts';
import { BLANK_FLOOD, NO_ANSWER, PAGE } from './fillers.ts';
import {
  type Body,
  bodyOf,
  EVENT_STREAM,
  innerError,
  isBelievable,
  leavesOutFinish,
  markOf,
  type Scene,
} from './scene.ts';
import { type StruckText, strikeJson, WHOLE_TEXT } from './strike-json.ts';
import { meaningOf } from './truth.ts';

const JSON_TYPE: Headers = { 'content-type': 'application/json' };
const HTML: Headers = { 'content-type': 'text/html; charset=utf-8' };
const TEXT: Headers = { 'content-type': 'text/plain' };
const PROBLEM: Headers = { 'content-type': 'application/problem+json' };

/** Anything that is no event stream: a JSON answer, an error, or what neither is. */
export function textBody(scene: Scene, isAnswer: boolean): Body {
  const { behaviour, voice, answer, pace } = scene;
  const saysMs = isAnswer ? spokenMs(voice.beats(answer), pace) : 0;
  const { headers, text } = wordsOf(scene, isAnswer);
  const struck = strikeText(scene, isAnswer);
  const endMs = behaviour.endMs ?? 0;
  const parts = () => [{ text: markOf(answer) + struck.text(text()), ms: saysMs }];
  return {
    headers,
    body: bodyOf(parts, struck.isFlooded ? BLANK_FLOOD : null, scene),
    end: struck.end,
    endMs,
    truth: isAnswer ? truthOf(scene, struck.isWhole, saysMs + endMs) : null,
  };
}

function strikeText(scene: Scene, isAnswer: boolean): StruckText {
  const { fault } = scene.behaviour;
  if (fault === undefined) return WHOLE_TEXT;
  const error = (): string => errorOf({ ...scene, behaviour: innerError(scene) });
  return strikeJson({ fault, answer: isAnswer ? scene.answer : null, error });
}

/** A JSON answer is whole with the end of its body, and shows nothing before that. */
function truthOf(scene: Scene, isUnhurt: boolean, tookMs: number): Truth {
  const { answer, protocol, beginMs } = scene;
  // An answer without a finish reason says by its result that it has ended.
  const hasEnd = !leavesOutFinish(answer, protocol) || hasResult(answer);
  const isWhole = isUnhurt && isBelievable(scene, false) && hasEnd;
  const lastsMs = isWhole ? beginMs + tookMs : null;
  return { ...meaningOf(answer), isWhole, lastsMs, firstOutputMs: hasOutput(answer) ? lastsMs : null };
}

type Words = { readonly headers: Headers; readonly text: () => string };

function wordsOf(scene: Scene, isAnswer: boolean): Words {
  const { behaviour, voice, answer, status } = scene;
  const isError = behaviour.error !== undefined || status < 200 || status >= 300;
  const json = (): string => (isError ? errorOf(scene) : JSON.stringify(voice.json(answer)));
  if (isAnswer) return { headers: JSON_TYPE, text: json };
  switch (behaviour.body) {
    case 'html':
      return { headers: HTML, text: () => PAGE };
    case 'text':
      return { headers: TEXT, text: () => NO_ANSWER };
    case 'empty':
      return { headers: scene.send.stream && !isError ? EVENT_STREAM : JSON_TYPE, text: () => '' };
    case 'damaged':
      return { headers: JSON_TYPE, text: () => json().slice(0, json().length >> 1) };
    case 'list':
      return { headers: JSON_TYPE, text: () => `[${json()}]` };
    default:
      return { headers: errorType(scene), text: json };
  }
}

function errorType({ behaviour: { error } }: Scene): Headers {
  if (error?.form === 'text') return TEXT;
  return error?.form === 'problem' ? PROBLEM : JSON_TYPE;
}

const errorOf = ({ behaviour, voice, status, send }: Scene): string =>
  errorText(voice, errorParts(behaviour, status, send), status, behaviour.error?.form);
