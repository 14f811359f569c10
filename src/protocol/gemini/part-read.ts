import type { OpaqueState, Part, ReasoningPart } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import { stringifyExact } from '../json/index.ts';
import { isObject } from '../shared/value.ts';
import type { CallIds } from './call-ids.ts';
import { readFile, readInline } from './media.ts';
import { camel, extended } from './members.ts';
import { readResult } from './results.ts';
import { signatureOf } from './signature.ts';

/** Members that say how a part is meant; the first other one says what it is. */
const BESIDE: ReadonlySet<string> = new Set([
  'thought',
  'thoughtSignature',
  'partMetadata',
  'mediaResolution',
  'mediaProcessing',
  'videoMetadata',
  'speechMetadata',
]);

type Rest = JsonObject;

type Reader = (value: JsonValue, rest: Rest, state: OpaqueState | null, calls: CallIds) => readonly Part[] | null;

/**
 * A signature of a part that holds no thoughts and no call: reasoning of which nothing can be seen, in front of that part.
 */
const hidden = (state: OpaqueState | null): readonly ReasoningPart[] =>
  state === null ? [] : [{ type: 'reasoning', text: '', state }];

const KINDS: Readonly<Record<string, Reader>> = {
  text: (value, rest, state) => {
    if (typeof value !== 'string') return null;
    const { thought, ...others } = rest;
    const own = state === null ? {} : { state };
    if (thought === true && value !== '') {
      return [{ type: 'reasoning', text: '', summary: [value], ...own, ...extended(others) }];
    }
    if (value === '' && Object.keys(others).length === 0) return hidden(state);
    return [...hidden(state), { type: 'text', text: value, ...extended(others) }];
  },
  inlineData: (value, rest, state) => withState(readInline(value, rest), state),
  fileData: (value, rest, state) => withState(readFile(value, rest), state),
  functionCall: (value, rest, state, calls) => {
    const { id, name, args, ...others } = camel(value);
    if (typeof name !== 'string' || name === '') return null;
    const inner = Object.keys(others).length === 0 ? {} : { functionCall: others };
    return [
      {
        type: 'tool_call',
        kind: 'function',
        id: calls.open(id, name),
        name,
        input: args === undefined || args === null ? '{}' : stringifyExact(args),
        ...(state === null ? {} : { state }),
        ...extended({ ...rest, ...inner }),
      },
    ];
  },
  functionResponse: (value, rest, _state, calls) => {
    const { id, name } = camel(value);
    const call = calls.answer(id, typeof name === 'string' ? name : '');
    return [readResult(value, call.id, call.name, rest)];
  },
};

const withState = (part: Part | null, state: OpaqueState | null): readonly Part[] | null =>
  part === null ? null : [...hidden(state), part];

/** One part of a content; none for an empty text. What nobody else can say is native. */
export function readPart(value: JsonValue, calls: CallIds): readonly Part[] {
  if (!isObject(value)) return [];
  const { thoughtSignature, ...part } = camel(value);
  const signature = signatureOf(thoughtSignature);
  const state: OpaqueState | null = signature === null ? null : { issuer: 'gemini', value: signature };
  const what = Object.keys(part).find((name) => !BESIDE.has(name));
  if (what === undefined) return hidden(state);
  const { [what]: member, ...rest } = part;
  const read = Object.hasOwn(KINDS, what) ? KINDS[what]?.(member ?? null, rest, state, calls) : null;
  return read ?? [...hidden(state), { type: 'native', protocol: 'gemini', what, value: part }];
}
