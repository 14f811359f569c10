/**
 * What is wrong with a stream of `streamGenerateContent?alt=sse`, by Google's description of `GenerateContentResponse`
 * (https://ai.google.dev/api/generate-content): every frame is one JSON object, each candidate has content of the role
 * `model` with at least one part of exactly one kind, one reason at its end and nothing behind it, one id over all chunks,
 * and usage that adds up. An error stands alone and last.
 */
export function validateGemini(text: string): string[] {
  const faults: string[] = [];
  const told = (fault: string): void => void faults.push(fault);
  const chunks = readFrames(text, told);
  const state: State = { candidates: new Map(), callIds: new Set(), responseId: null, hasError: false };
  for (const [position, chunk] of chunks.entries()) {
    if (state.hasError) told('a chunk behind an error');
    checkChunk(chunk, position === chunks.length - 1, state, told);
  }
  if (chunks.length === 0) told('no chunk');
  if (state.hasError) return faults;
  for (const [index, { reason }] of state.candidates) if (reason === null) told(`candidate ${index} has no end`);
  return faults;
}

type Json = Readonly<Record<string, unknown>>;
type Tell = (fault: string) => void;

type State = {
  readonly candidates: Map<number, { reason: string | null }>;
  readonly callIds: Set<unknown>;
  responseId: unknown;
  hasError: boolean;
};

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readFrames(text: string, told: Tell): Json[] {
  const frames = text.split('\n\n');
  if (frames.pop() !== '') told('the last frame has no blank line');
  return frames.flatMap((frame) => {
    if (frame.startsWith(':') && !frame.includes('\n')) return [];
    if (!frame.startsWith('data: ') || frame.includes('\n')) told(`no data line: ${frame}`);
    try {
      const value: unknown = JSON.parse(frame.slice(6));
      if (isObject(value)) return [value];
    } catch {
      // Told below.
    }
    told(`no JSON object: ${frame}`);
    return [];
  });
}

function checkChunk(chunk: Json, isLast: boolean, state: State, told: Tell): void {
  if (chunk['error'] !== undefined) {
    const { code, message, status } = isObject(chunk['error']) ? chunk['error'] : {};
    if (typeof code !== 'number' || typeof message !== 'string' || typeof status !== 'string') told('an odd error');
    state.hasError = true;
    return;
  }
  checkHead(chunk, state, told);
  const { candidates, usageMetadata } = chunk;
  const list: readonly unknown[] = Array.isArray(candidates) ? candidates : [];
  if (list.length === 0) told('no candidates');
  const indices = list.map((candidate) => (isObject(candidate) ? candidate['index'] : undefined));
  if (new Set(indices).size !== indices.length) told('one candidate twice in a chunk');
  for (const candidate of list) checkCandidate(isObject(candidate) ? candidate : {}, state, told);
  if (usageMetadata !== undefined && !isLast) told('usage before the end');
  if (usageMetadata !== undefined) checkUsage(isObject(usageMetadata) ? usageMetadata : {}, told);
}

function checkHead({ responseId, modelVersion }: Json, state: State, told: Tell): void {
  if (typeof modelVersion !== 'string') told('no modelVersion');
  if (typeof responseId !== 'string') told('no responseId');
  state.responseId ??= responseId;
  if (state.responseId !== responseId) told('another responseId');
}

function checkUsage(usage: Json, told: Tell): void {
  for (const [name, count] of Object.entries(usage)) {
    if (typeof count !== 'number' || !Number.isInteger(count) || count < 0) told(`${name} is no number of tokens`);
  }
  const { promptTokenCount: input, candidatesTokenCount: output, thoughtsTokenCount: thoughts = 0 } = usage;
  const sum = Number(input) + Number(output) + Number(thoughts);
  if (usage['totalTokenCount'] !== undefined && usage['totalTokenCount'] !== sum) told('usage does not add up');
}

const REASONS: ReadonlySet<string> = new Set(
  (
    'STOP MAX_TOKENS SAFETY RECITATION LANGUAGE OTHER BLOCKLIST PROHIBITED_CONTENT SPII MALFORMED_FUNCTION_CALL ' +
    'IMAGE_SAFETY UNEXPECTED_TOOL_CALL TOO_MANY_TOOL_CALLS NO_IMAGE IMAGE_PROHIBITED_CONTENT IMAGE_RECITATION ' +
    'IMAGE_OTHER CONTINUATION MALFORMED_RESPONSE MODEL_ARMOR JAILBREAK MISSING_THOUGHT_SIGNATURE'
  ).split(' '),
);

function checkCandidate({ index, content, finishReason, groundingMetadata }: Json, state: State, told: Tell): void {
  if (typeof index !== 'number' || !Number.isInteger(index) || index < 0) told('no index');
  const known = state.candidates.get(Number(index)) ?? { reason: null };
  state.candidates.set(Number(index), known);
  if (known.reason !== null) told(`candidate ${String(index)} goes on behind its end`);
  checkContent(isObject(content) ? content : {}, state, told);
  if (groundingMetadata !== undefined) checkGrounding(isObject(groundingMetadata) ? groundingMetadata : {}, told);
  if (finishReason === undefined) return;
  const word = typeof finishReason === 'string' ? finishReason : '';
  if (!REASONS.has(word)) told(`an unknown reason: ${word}`);
  known.reason = word;
}

function checkContent({ role, parts }: Json, state: State, told: Tell): void {
  if (role !== 'model') told('content of another role');
  if (!Array.isArray(parts) || parts.length === 0) told('content without parts');
  else for (const part of parts) checkPart(isObject(part) ? part : {}, state, told);
}

const KINDS: readonly string[] = [
  'text',
  'inlineData',
  'fileData',
  'functionCall',
  'functionResponse',
  'executableCode',
  'codeExecutionResult',
  'toolCall',
  'toolResponse',
];

function checkPart(part: Json, state: State, told: Tell): void {
  const kinds = KINDS.filter((kind) => part[kind] !== undefined);
  if (kinds.length !== 1) told(`a part of ${kinds.length} kinds`);
  const { text, thought, thoughtSignature, inlineData, functionCall } = part;
  if (text !== undefined && typeof text !== 'string') told('text that is none');
  if (thought !== undefined && typeof thought !== 'boolean') told('an odd thought');
  if (thoughtSignature !== undefined && typeof thoughtSignature !== 'string') told('an odd signature');
  if (inlineData !== undefined) {
    const { mimeType, data } = isObject(inlineData) ? inlineData : {};
    if (typeof mimeType !== 'string' || typeof data !== 'string') told('odd inlineData');
  }
  if (functionCall !== undefined) checkCall(isObject(functionCall) ? functionCall : {}, state, told);
}

function checkCall({ id, name, args }: Json, { callIds }: State, told: Tell): void {
  if (typeof name !== 'string' || name === '') told('a call without a name');
  if (!isObject(args)) told('arguments that are no object');
  if (typeof id !== 'string' || callIds.has(id)) told('a call without an id of its own');
  callIds.add(id);
}

function checkGrounding({ groundingChunks, groundingSupports = [] }: Json, told: Tell): void {
  const count = Array.isArray(groundingChunks) ? groundingChunks.length : 0;
  for (const support of Array.isArray(groundingSupports) ? (groundingSupports as unknown[]) : []) {
    const { segment, groundingChunkIndices } = isObject(support) ? support : {};
    const { startIndex = 0, endIndex } = isObject(segment) ? segment : {};
    if (!(Number(startIndex) <= Number(endIndex))) told('a segment that ends before it starts');
    const indices = Array.isArray(groundingChunkIndices) ? (groundingChunkIndices as unknown[]) : [];
    if (indices.some((index) => typeof index !== 'number' || index >= count)) told('a source that is not there');
  }
}
