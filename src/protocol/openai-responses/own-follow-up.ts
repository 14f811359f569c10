import {
  applyEdits,
  concatBytes,
  encodeUtf8,
  indexJson,
  joinLists,
  kindOf,
  memberOf,
  setMembers,
  stringOf,
} from '../json/index.ts';
import { bytesOf, elementsOf, oneLine } from '../shared/nodes.ts';
import { nonEmpty } from '../shared/value.ts';
import { streamFromResponse } from './convert.ts';
import type { FollowUp } from './follow-up.ts';

/** A response that no provider can be asked for: as its client got it, and the inside of the list of its input. */
export type OwnResponse = { readonly response: Uint8Array; readonly input: Uint8Array };

/** `message`: why what was asked is not possible of such a response. */
export type OwnAnswer =
  | { readonly ok: true; readonly body: Uint8Array; readonly isStream: boolean }
  | { readonly ok: false; readonly message: string };

/** Answers a request about a response out of what is kept of it. `query`: names and values, decoded and checked before. */
export function answerOwn(followUp: FollowUp, own: OwnResponse, query: URLSearchParams): OwnAnswer {
  const { kind, id } = followUp;
  if (kind === 'retrieve') return retrieve(followUp, own);
  if (kind === 'list_items') return json(listItems(id, own.input, query));
  if (kind === 'remove') return json(encodeUtf8(JSON.stringify({ id, object: 'response', deleted: true })));
  return { ok: false, message: 'Only a response that is made in the background can be cancelled: this one is done.' };
}

const json = (body: Uint8Array): OwnAnswer => ({ ok: true, body, isStream: false });

/** A stream that is taken up again is its last event alone. */
function retrieve({ stream, startingAfter }: FollowUp, { response }: OwnResponse): OwnAnswer {
  if (!stream) return json(response);
  const frames = streamFromResponse(response, { usageAsked: true, renameModel: null });
  if (startingAfter === null) return { ok: true, body: concatBytes(frames.map(({ bytes }) => bytes)), isStream: true };
  const index = indexJson(response, 1);
  const status = index === null ? null : stringOf(index, memberOf(index, 0, 'status'));
  const type = status === 'incomplete' ? 'response.incomplete' : 'response.completed';
  const head = `event: ${type}\ndata: {"type":"${type}","sequence_number":${startingAfter + 1},"response":`;
  return { ok: true, body: concatBytes([encodeUtf8(head), oneLine(response), encodeUtf8('}\n\n')]), isStream: true };
}

/** Depth of a list in a body: the body, the list, an item, its members. */
const LIST_DEPTH = 3;
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;

type Item = { readonly id: string; readonly json: Uint8Array };

/** Newest first, unless asked otherwise, a page at a time, as the API has it. */
function listItems(id: string, input: Uint8Array, query: URLSearchParams): Uint8Array {
  const all = readItems(id, input);
  const ordered = query.get('order') === 'asc' ? all : all.toReversed();
  const place = (name: string): number => ordered.findIndex((item) => item.id === query.get(name));
  const [after, before] = [place('after'), place('before')];
  const within = ordered.slice(after + 1, before < 0 ? undefined : before);
  const limit = Math.min(MAX_LIMIT, Math.max(1, Number(query.get('limit') ?? DEFAULT_LIMIT)));
  const page = within.slice(0, limit);
  const ends = { first_id: page[0]?.id ?? null, last_id: page.at(-1)?.id ?? null, has_more: within.length > limit };
  return concatBytes([
    encodeUtf8('{"object":"list","data":['),
    joinLists(page.map((item) => item.json)),
    encodeUtf8(`],${JSON.stringify(ends).slice(1)}`),
  ]);
}

/** Items that a client wrote have no id: they get one by their place, so that a page can be asked for by it. */
function readItems(id: string, input: Uint8Array): readonly Item[] {
  const index = indexJson(concatBytes([encodeUtf8('{"input":['), input, encodeUtf8(']}')]), LIST_DEPTH);
  if (index === null) return [];
  return elementsOf(index, memberOf(index, 0, 'input')).map((node, place): Item => {
    const own = nonEmpty(stringOf(index, memberOf(index, node, 'id')));
    const bytes = bytesOf(index, node);
    if (own !== null || kindOf(index, node) !== 'object') return { id: own ?? '', json: bytes };
    const given = `item_${id.replace(/^resp_/, '')}_${place}`;
    const alone = indexJson(bytes, 1);
    if (alone === null) return { id: given, json: bytes };
    return { id: given, json: concatBytes(applyEdits(bytes, setMembers(alone, 0, [['id', JSON.stringify(given)]]))) };
  });
}
