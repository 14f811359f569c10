import type { Message, NativePart, OpaqueState, Part, ToolCallPart, ToolResultPart } from '../../core/model/content.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import type { CanonicalPrompt, PromptSettings } from '../../core/model/prompt.ts';
import type { Protocol } from '../../core/model/protocol.ts';
import type { CustomTool, FunctionTool, ToolChoice, ToolDefinition } from '../../core/model/tool.ts';
import { stringifyExact } from '../json/index.ts';
import { isJsonObject, listOf } from '../shared/json-object.ts';
import { type CallIds, createCallIds } from './call-ids.ts';
import { DIALECTS, type Dialect } from './dialects.ts';
import { unwrapState } from './envelope.ts';
import { createToolNames, shapeName, type ToolName, type ToolNames } from './tool-names.ts';

/** A prompt as providers of another protocol can take it, and how their answers are read back. */
export type Shimmed = {
  readonly prompt: CanonicalPrompt;
  readonly names: ToolNames;
  /** Parts of tools that got lost on the way, by canonical names. */
  readonly dropped: readonly string[];
};

/** The one member of a function that stands for a tool on text. */
export const TEXT_MEMBER = 'input';

/**
 * What only some protocols have, said in the words of all: tools on text become functions of one text, groups of tools
 * parts of their names, and names and ids get the form that the protocol wants. States come out of their envelopes:
 * each goes to its issuer, and to nobody else.
 */
export function shimPrompt(prompt: CanonicalPrompt, to: Protocol): Shimmed {
  const dialect = DIALECTS[to];
  const names = createToolNames(dialect);
  const dropped = new Set<string>();
  // Definitions first: a name that is taken by one of them must not change because of an earlier call.
  const shim: Shim = { to, dialect, names, calls: createCallIds(dialect), dropped };
  const tools = prompt.tools.flatMap((tool) => shimTool(tool, shim));
  const messages = prompt.messages
    .map((message) => shimMessage(message, shim))
    .filter(({ parts }, i) => parts.length > 0 || prompt.messages[i]?.parts.length === 0);
  const settings = shimChoice(prompt.settings, names, dialect);
  return { prompt: { ...prompt, tools, messages, settings }, names, dropped: [...dropped] };
}

type Shim = {
  readonly to: Protocol;
  readonly dialect: Dialect;
  readonly names: ToolNames;
  readonly calls: CallIds;
  readonly dropped: Set<string>;
};

const nameOf = ({
  name,
  namespace,
  kind,
}: {
  name: string;
  namespace?: string | undefined;
  kind: ToolName['kind'];
}): ToolName => ({
  name,
  namespace: namespace ?? null,
  kind,
});

/** A search over the client's own tools: whoever gets all tools whole needs none. */
const TOOL_SEARCH = 'tool_search';

function shimTool(tool: ToolDefinition, { to, dialect, names, dropped }: Shim): readonly ToolDefinition[] {
  if (tool.type === 'server') {
    if (tool.what !== TOOL_SEARCH || tool.protocol === to) return [tool];
    dropped.add(TOOL_SEARCH);
    return [];
  }
  const name = names.toProvider(nameOf({ ...tool, kind: tool.type }));
  if (tool.type === 'custom' && !dialect.hasCustomTools) {
    if (tool.grammar !== null) dropped.add('grammar');
    return [withoutGroup(asFunction(tool, name), dialect)];
  }
  if (tool.type === 'custom' || dialect.hasListedMembers !== true) return [withoutGroup({ ...tool, name }, dialect)];
  return [withoutGroup({ ...tool, name, parameters: listed(tool.parameters) }, dialect)];
}

/** The schema of an object, with the members that it does not list: none. One of another kind stays as it is. */
function listed(schema: JsonObject | null): JsonObject | null {
  if (schema === null || (Object.hasOwn(schema, 'type') && schema['type'] !== 'object')) return schema;
  return { type: 'object', ...(Object.hasOwn(schema, 'properties') ? {} : { properties: {} }), ...schema };
}

function withoutGroup<T extends { readonly namespace?: string }>(tool: T, { hasNamespaces }: Dialect): T {
  if (hasNamespaces || tool.namespace === undefined) return tool;
  const { namespace: _namespace, ...rest } = tool;
  return rest as T;
}

/** A grammar that can't be enforced is told all the same: models follow it. */
function asFunction({ grammar, description, type: _type, ...rest }: CustomTool, name: string): FunctionTool {
  const form =
    grammar === null ? '' : `\n\nThe input must follow this grammar (${grammar.syntax}):\n${grammar.definition}`;
  const text: JsonObject = { type: 'string', description: 'The whole input of the tool, as plain text.' };
  return {
    ...rest,
    type: 'function',
    name,
    description: `${description ?? ''}${form}`.trim() || null,
    parameters: {
      type: 'object',
      properties: { [TEXT_MEMBER]: text },
      required: [TEXT_MEMBER],
      additionalProperties: false,
    },
    strict: null,
  };
}

function shimMessage(message: Message, shim: Shim): Message {
  const isOwn = message.role === 'assistant' || message.role === 'tool';
  const isPlain = message.parts.every(({ type }) => !(type in SHIMS) || (type === 'native' && !isOwn));
  return isPlain ? message : { ...message, parts: message.parts.flatMap((part) => shimPart(part, shim)) };
}

/** Parts that stand for something that a provider keeps: without it the rest means something else. */
const KEPT_ELSEWHERE: ReadonlySet<string> = new Set(['item_reference', 'prompt', 'conversation', 'compaction']);

/** What a search over the client's tools has brought stands among the tools: nothing of it is lost. */
const isCarried = ({ what, value }: NativePart): boolean =>
  what === 'tool_search_output' && isJsonObject(value) && listOf(value['tools']).length > 0;

/** The parts that say something of tools or states. */
const SHIMS: { readonly [T in Part['type']]?: (part: never, shim: Shim) => readonly Part[] } = {
  tool_call: (part: ToolCallPart, shim) => [shimCall(part, shim)],
  tool_result: (part: ToolResultPart, shim) => [shimResult(part, shim)],
  // What a tool of another provider did is history: its words stand in the answer behind it.
  native: (part: NativePart, { to, dropped }) => {
    if (part.protocol === to || KEPT_ELSEWHERE.has(part.what)) return [part];
    if (!isCarried(part)) dropped.add(part.what);
    return [];
  },
  reasoning: (part: Extract<Part, { type: 'reasoning' }>, { to }) => {
    const { state, ...rest } = part;
    const own = ownState(state, to);
    if (own !== undefined) return [{ ...rest, state: own }];
    // Of what was only a cipher nothing is left.
    return part.text === '' && (part.summary ?? []).length === 0 ? [] : [rest];
  },
};

const shimPart = (part: Part, shim: Shim): readonly Part[] => SHIMS[part.type]?.(part as never, shim) ?? [part];

/** A state that this protocol's providers issued. */
function ownState(state: OpaqueState | undefined, to: Protocol): OpaqueState | undefined {
  const opened = state === undefined ? null : unwrapState(state);
  return opened?.issuer === to ? opened : undefined;
}

/** A result bears the id and the name of its call, as that was written. */
function shimResult(part: ToolResultPart, { dialect, names, calls }: Shim): ToolResultPart {
  const { name, callId } = part;
  const call = calls.answer(callId);
  const kind = dialect.hasCustomTools ? part.kind : 'function';
  const known = call?.name ?? (name === undefined ? undefined : names.toProvider(nameOf({ name, kind: part.kind })));
  return {
    ...part,
    kind,
    callId: call?.id ?? shapeName(callId, dialect.maxCallId, dialect.callIdLetter),
    ...(name === undefined || known === undefined ? {} : { name: known }),
  };
}

function shimCall(part: ToolCallPart, { to, dialect, names, calls }: Shim): ToolCallPart {
  const { state, ...rest } = part;
  const own = ownState(state, to);
  const name = names.toProvider(nameOf(part));
  const id = calls.open(part.id, name);
  const call = withoutGroup({ ...rest, name, id, ...(own === undefined ? {} : { state: own }) }, dialect);
  if (part.kind === 'function' || dialect.hasCustomTools) return call;
  return { ...call, kind: 'function', input: stringifyExact({ [TEXT_MEMBER]: part.input }) };
}

function shimChoice(settings: PromptSettings, names: ToolNames, dialect: Dialect): PromptSettings {
  const { toolChoice } = settings;
  if (toolChoice === undefined || toolChoice.type === 'native') return settings;
  return { ...settings, toolChoice: choiceOf(toolChoice, names, dialect) };
}

function choiceOf(choice: ToolChoice, names: ToolNames, dialect: Dialect): ToolChoice {
  if (choice.type === 'tool') {
    const kind = dialect.hasCustomTools ? choice.kind : 'function';
    return withoutGroup({ ...choice, kind, name: names.toProvider(nameOf(choice)) }, dialect);
  }
  if (choice.type !== 'allowed') return choice;
  return {
    ...choice,
    names: choice.names.map((name) => names.toProvider({ name, namespace: null, kind: 'function' })),
  };
}
