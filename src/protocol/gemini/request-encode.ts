import { REASONING_EFFORTS, type ReasoningEffort } from '../../core/model/prompt.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import {
  applyEdits,
  childrenOf,
  type Edit,
  isKey,
  isSet,
  type JsonIndex,
  kindOf,
  NONE,
  removeMembers,
  replaceValue,
  setMembers,
  stringOf,
} from '../json/index.ts';
import { requestHeaders } from '../shared/session.ts';
import type { Egress, EncodedRequest, RequestState } from '../types.ts';
import { memberAlong, memberIn, partsOf } from './outline.ts';
import { modelPath } from './path.ts';
import { decodeRequestFor, type GeminiExtension } from './request.ts';
import { NO_SIGNATURE, signatureOf, wantsSignature } from './signature.ts';
import { writeThinking } from './thinking.ts';

/** Files that a provider keeps for one account. */
const KEPT_FILE = /^https:\/\/generativelanguage\.googleapis\.com\//;

/**
 * A client's request as a target is to get it: the original bytes, and the edits that this target needs between them.
 * The model stands in the path.
 */
export function encodeRequest(request: CanonicalRequest, egress: Egress): EncodedRequest {
  const extension = extensionOf(request);
  const { index } = extension;
  const edits: Edit[] = [
    ...childrenOf(index, 0)
      .filter((node) => isKey(index, node, 'model'))
      .map((node) => replaceValue(index, node, JSON.stringify(`models/${egress.model}`))),
    ...defaultEdits(index, egress),
  ];
  if (egress.withoutState) for (const edit of stateEdits(extension, egress.model)) edits.push(edit);
  return {
    path: modelPath(egress.model, request.stream ? 'streamGenerateContent' : 'generateContent'),
    headers: requestHeaders(request.stream),
    body: applyEdits(request.original, edits),
  };
}

/** A request that came from elsewhere than `decodeRequest` is read again. */
function extensionOf(request: CanonicalRequest): GeminiExtension {
  const kept = request.extensions.gemini as GeminiExtension | undefined;
  if (kept !== undefined && kept.index.bytes === request.original) return kept;
  const decoded = decodeRequestFor(request.model, request.stream, request.original, {});
  if (!decoded.ok) throw new TypeError(`not a Gemini request: ${decoded.problem.message}`);
  return decoded.request.extensions.gemini as GeminiExtension;
}

export const isEffort = (word: string): word is ReasoningEffort =>
  (REASONING_EFFORTS as readonly string[]).includes(word);

/** Limits and efforts of the configuration, where the client said nothing of them. */
function defaultEdits(index: JsonIndex, { defaults, model }: Egress): Edit[] {
  const { reasoningEffort, maxOutputTokens } = defaults;
  const config = memberAlong(index, 'generationConfig');
  const isOpen = (name: string): boolean => !isSet(index, memberAlong(index, 'generationConfig', name));
  const added: [name: string, json: string][] = [];
  if (maxOutputTokens !== undefined && isOpen('maxOutputTokens')) {
    added.push(['maxOutputTokens', String(maxOutputTokens)]);
  }
  if (reasoningEffort !== undefined && isEffort(reasoningEffort) && isOpen('thinkingConfig')) {
    const thinking = writeThinking({ effort: reasoningEffort, budgetTokens: null, show: null }, model);
    added.push(['thinkingConfig', JSON.stringify(thinking)]);
  }
  if (added.length === 0) return [];
  if (isSet(index, config)) return setMembers(index, config, added);
  const json = added.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',');
  if (config !== NONE) return [replaceValue(index, config, `{${json}}`)];
  return setMembers(index, 0, [['generationConfig', `{${json}}`]]);
}

const signatureIn = (index: JsonIndex, part: number): number => memberIn(index, part, 'thoughtSignature');

/**
 * Takes signatures out. Those of calls are replaced by what stands for none, where the model would refuse a call without.
 */
function stateEdits({ index, contents }: GeminiExtension, model: string): Edit[] {
  const edits: Edit[] = [];
  for (const part of contents.flatMap(({ parts }) => parts)) {
    const signature = signatureIn(index, part);
    if (signature === NONE) continue;
    const isCall = memberIn(index, part, 'functionCall') !== NONE;
    if (isCall && wantsSignature(model)) edits.push(replaceValue(index, signature, JSON.stringify(NO_SIGNATURE)));
    else for (const edit of removeMembers(index, part, (member) => member === signature)) edits.push(edit);
  }
  return edits;
}

/** See `ProtocolCodec.readState`. What a cache or a file store holds can't be had from anybody else. */
export function readState(request: CanonicalRequest): RequestState {
  const { index, contents } = extensionOf(request);
  const parts = [memberAlong(index, 'systemInstruction')]
    .flatMap((system) => (system !== NONE && kindOf(index, system) === 'object' ? partsOf(index, system) : []))
    .concat(contents.flatMap((content) => content.parts));
  const isKept = (part: number): boolean => {
    const file = memberIn(index, part, 'fileData');
    const uri = file !== NONE && kindOf(index, file) === 'object' ? memberIn(index, file, 'fileUri') : NONE;
    return KEPT_FILE.test(stringOf(index, uri) ?? '');
  };
  return {
    removable: parts.some((part) => signatureOf(stringOf(index, signatureIn(index, part))) !== null),
    bound: isSet(index, memberAlong(index, 'cachedContent')) || parts.some(isKept),
  };
}
