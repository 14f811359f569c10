import {
  createIndexer,
  isKey,
  isSet,
  type JsonIndex,
  kindOf,
  memberOf,
  NONE,
  nodeBehind,
  valueEnd,
  valueStart,
} from '../json/index.ts';
import { elementsOf } from '../shared/nodes.ts';
import { isAt } from '../sse/index.ts';

/** candidates → candidate → content → parts → part → its members. */
const DEPTH = 6;

const indexChunk = createIndexer(DEPTH);

/** Members of the top that decide nothing behind the commit; usage stands in each chunk, and the last one counts. */
const QUIET_TOP: readonly string[] = ['usageMetadata', 'modelVersion', 'responseId', 'createTime'];

const QUIET_CANDIDATE: readonly string[] = ['safetyRatings', 'tokenCount', 'avgLogprobs'];

/** `true`: a whole chunk of text or thoughts that decides nothing. */
export type Glancer = (bytes: Uint8Array, start: number, end: number) => boolean;

/** Looks at the JSON of data frames without parsing it: no string and no object is made. */
export function createGlancer(): Glancer {
  return (bytes, start, end) => {
    const index = indexChunk(bytes, start, end);
    if (index === null || kindOf(index, 0) !== 'object') return false;
    const candidates = memberOf(index, 0, 'candidates');
    if (candidates === NONE || hasOther(index, 0, ['candidates', ...QUIET_TOP])) return false;
    const list = elementsOf(index, candidates);
    const [only] = list;
    return list.length === 1 && only !== undefined && isQuiet(index, only);
  };
}

/** Does an object hold a set member of another name? */
function hasOther(index: JsonIndex, object: number, names: readonly string[]): boolean {
  const last = nodeBehind(index, object);
  for (let node = object + 1; node < last; node = nodeBehind(index, node)) {
    if (isSet(index, node) && !names.some((name) => isKey(index, node, name))) return true;
  }
  return false;
}

function isQuiet(index: JsonIndex, candidate: number): boolean {
  if (kindOf(index, candidate) !== 'object') return false;
  const place = memberOf(index, candidate, 'index');
  if (place !== NONE && !isAt(index.bytes, valueStart(index, place), valueEnd(index, place), '0')) return false;
  const content = memberOf(index, candidate, 'content');
  if (content === NONE || kindOf(index, content) !== 'object') return false;
  if (hasOther(index, candidate, ['content', 'index', ...QUIET_CANDIDATE])) return false;
  const parts = elementsOf(index, memberOf(index, content, 'parts'));
  return parts.length > 0 && parts.every((part) => isQuietPart(index, part));
}

function isQuietPart(index: JsonIndex, part: number): boolean {
  if (kindOf(index, part) !== 'object') return false;
  const text = memberOf(index, part, 'text');
  return text !== NONE && kindOf(index, text) === 'string' && !hasOther(index, part, ['text', 'thought']);
}
