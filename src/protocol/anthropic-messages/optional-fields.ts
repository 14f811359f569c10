import type { OptionalField } from '../../core/model/capability.ts';
import {
  childrenOf,
  type Edit,
  indexJson,
  isKey,
  type JsonIndex,
  kindOf,
  memberOf,
  NONE,
  removeMembers,
  valueEnd,
  valueStart,
} from '../json/index.ts';
import { elementsOf } from '../shared/nodes.ts';
import { type MessageNode, partsOf } from './outline.ts';

type Request = { readonly index: JsonIndex; readonly messages: readonly MessageNode[] };

/** Objects in which a field may stand, and its name there. */
type Place = {
  readonly name: string;
  readonly objects: (request: Request) => Iterable<number>;
  /** Within the member of that name, only its member of this name goes. */
  readonly inner?: string;
};

const top = (): readonly number[] => [0];

const tools = ({ index }: Request): readonly number[] => elementsOf(index, memberOf(index, 0, 'tools'));

/** Wherever a cache mark may stand: on the whole, on tools, on blocks of system texts and messages. */
function* marked(request: Request): Generator<number> {
  yield 0;
  yield* tools(request);
  yield* elementsOf(request.index, memberOf(request.index, 0, 'system'));
  yield* partsOf(request.index, request.messages);
}

const PLACES: { readonly [F in OptionalField]: Place } = {
  context_management: { name: 'context_management', objects: top },
  'thinking.display': { name: 'thinking', objects: top, inner: 'display' },
  'output_config.effort': { name: 'output_config', objects: top, inner: 'effort' },
  metadata: { name: 'metadata', objects: top },
  service_tier: { name: 'service_tier', objects: top },
  speed: { name: 'speed', objects: top },
  cache_control: { name: 'cache_control', objects: marked },
  'cache_control.scope': { name: 'cache_control', objects: marked, inner: 'scope' },
  'cache_control.ttl': { name: 'cache_control', objects: marked, inner: 'ttl' },
  'tools.defer_loading': { name: 'defer_loading', objects: tools },
  'tools.input_examples': { name: 'input_examples', objects: tools },
  'tools.eager_input_streaming': { name: 'eager_input_streaming', objects: tools },
};

export type LeftOut = { readonly edits: readonly Edit[]; readonly fields: readonly OptionalField[] };

/** Members to take out: of each object those that go as a whole, and of others the members that go from within. */
type Removal = { readonly whole: Set<number>; readonly inner: Map<number, Set<string>> };

/** Takes optional fields out of a body: the edits, and the fields that were there. */
export function leaveOutFields(request: Request, fields: readonly OptionalField[]): LeftOut {
  const removals = new Map<number, Removal>();
  const found = fields.filter((field) => note(request, PLACES[field], removals));
  const edits: Edit[] = [];
  for (const [object, { whole, inner }] of removals) {
    for (const edit of removeMembers(request.index, object, (member) => whole.has(member))) edits.push(edit);
    for (const [member, names] of inner) {
      if (!whole.has(member)) for (const edit of innerEdits(request.index, member, names)) edits.push(edit);
    }
  }
  return { edits, fields: found };
}

/** Notes what one field means for this body; false: it is not there. */
function note(request: Request, { name, objects, inner }: Place, removals: Map<number, Removal>): boolean {
  const { index } = request;
  let isFound = false;
  for (const object of objects(request)) {
    for (const member of kindOf(index, object) === 'object' ? childrenOf(index, object) : []) {
      if (!isKey(index, member, name) || (inner !== undefined && !hasInner(index, member, inner))) continue;
      isFound = true;
      const removal = removals.get(object) ?? { whole: new Set(), inner: new Map() };
      removals.set(object, removal);
      if (inner === undefined || isAlone(index, member)) removal.whole.add(member);
      else removal.inner.set(member, (removal.inner.get(member) ?? new Set<string>()).add(inner));
    }
  }
  return isFound;
}

/** The insides of a member, noted anew: the index of the whole body may not reach so deep. */
const insides = (index: JsonIndex, member: number): JsonIndex | null =>
  kindOf(index, member) === 'object'
    ? indexJson(index.bytes, 1, valueStart(index, member), valueEnd(index, member))
    : null;

function hasInner(index: JsonIndex, member: number, name: string): boolean {
  const own = insides(index, member);
  return own !== null && memberOf(own, 0, name) !== NONE;
}

/** An object of which nothing would be left says nothing, and might be refused as it was. */
function isAlone(index: JsonIndex, member: number): boolean {
  const own = insides(index, member);
  return own !== null && childrenOf(own, 0).length === 1;
}

function innerEdits(index: JsonIndex, member: number, names: ReadonlySet<string>): readonly Edit[] {
  const own = insides(index, member);
  if (own === null) return [];
  return removeMembers(own, 0, (inner) => [...names].some((name) => isKey(own, inner, name)));
}
