import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { ServerTool, ToolChoice, ToolDefinition } from '../../core/model/tool.ts';
import { isJsonObject, listOf, textOrNull, without } from '../shared/json-object.ts';
import type { RequestProblem } from '../types.ts';
import { common } from './part-read.ts';

/** The members of `known` that are as the canonical model has them: said by it, and not left over. */
const saidBy = (object: JsonObject, known: Readonly<Record<string, (value: JsonValue) => boolean>>): string[] =>
  Object.entries(known).flatMap(([name, isGood]) => {
    const value = object[name];
    return value === undefined || value === null || isGood(value) ? [name] : [];
  });

const isText = (value: JsonValue): boolean => typeof value === 'string';

const FUNCTION_MEMBERS = {
  name: isText,
  description: isText,
  parameters: isJsonObject,
  strict: (value: JsonValue) => typeof value === 'boolean',
};

function readFunction(fn: JsonValue | undefined, tool: JsonObject, place: string[]): ToolDefinition | null {
  if (!isJsonObject(fn) || typeof fn['name'] !== 'string') return null;
  const { name, parameters, strict } = fn;
  const rest = without(fn, saidBy(fn, FUNCTION_MEMBERS));
  const inner = place.length === 0 || Object.keys(rest).length === 0 ? {} : { [place[0] as string]: rest };
  return {
    type: 'function',
    name,
    description: textOrNull(fn['description']),
    parameters: isJsonObject(parameters) ? parameters : null,
    strict: typeof strict === 'boolean' ? strict : null,
    ...common(tool, ['type', ...place], inner),
  };
}

function readCustom(tool: JsonObject): ToolDefinition | null {
  const { custom } = tool;
  if (!isJsonObject(custom) || typeof custom['name'] !== 'string') return null;
  const { name, format } = custom;
  const grammar = isJsonObject(format) ? format['grammar'] : null;
  const { syntax, definition } = isJsonObject(grammar) ? grammar : {};
  const isGrammar = typeof syntax === 'string' && typeof definition === 'string';
  const isSaid = format == null || isGrammar || (isJsonObject(format) && format['type'] === 'text');
  const rest = without(custom, ['name', 'description', ...(isSaid ? ['format'] : [])]);
  return {
    type: 'custom',
    name,
    description: textOrNull(custom['description']),
    grammar: isGrammar ? { syntax, definition } : null,
    ...common(tool, ['type', 'custom'], Object.keys(rest).length === 0 ? {} : { custom: rest }),
  };
}

/** Tools that a provider of this format runs, by the word that all protocols have for them. */
const SERVER_TOOLS: ReadonlyMap<string, ServerTool['what']> = new Map([
  ['web_search', 'web_search'],
  ['web_search_preview', 'web_search'],
  ['openrouter:web_search', 'web_search'],
  ['browser_search', 'web_search'],
  ['code_interpreter', 'code_execution'],
  ['code_execution', 'code_execution'],
  ['file_search', 'file_search'],
  ['mcp', 'mcp'],
]);

const serverTool = (what: string, value: JsonObject): ServerTool => ({
  type: 'server',
  what: SERVER_TOOLS.get(what) ?? what,
  protocol: 'openai-chat',
  value,
});

export type ReadTools = { readonly tools: readonly ToolDefinition[]; readonly problem: RequestProblem | null };

/** The tools of a request; those of the older `functions` stand behind them, as the same. */
export function readTools(body: JsonObject): ReadTools {
  const tools: ToolDefinition[] = [];
  for (const [position, tool] of listOf(body['tools']).entries()) {
    const read = isJsonObject(tool) ? readTool(tool) : null;
    if (read === null) return broken(`tools[${position}]`);
    tools.push(read);
  }
  for (const [position, fn] of listOf(body['functions']).entries()) {
    const read = isJsonObject(fn) ? readFunction(fn, without(fn, Object.keys(FUNCTION_MEMBERS)), []) : null;
    if (read === null) return broken(`functions[${position}]`);
    tools.push(read);
  }
  const search = body['web_search_options'];
  if (isJsonObject(search)) tools.push(serverTool('web_search', { web_search_options: search }));
  return { tools, problem: null };
}

const broken = (param: string): ReadTools => ({
  tools: [],
  problem: { message: `"${param}" must be a tool with a type and a name.`, param },
});

function readTool(tool: JsonObject): ToolDefinition | null {
  const { type } = tool;
  if (type === 'function' || (type === undefined && 'function' in tool)) {
    return readFunction(tool['function'], tool, ['function']);
  }
  if (type === 'custom') return readCustom(tool);
  return typeof type === 'string' ? serverTool(type, tool) : null;
}

/** `any`: as Mistral has it. */
const WORDS: ReadonlyMap<unknown, ToolChoice> = new Map([
  ['auto', { type: 'auto' }],
  ['none', { type: 'none' }],
  ['required', { type: 'required' }],
  ['any', { type: 'required' }],
]);

/** Which tools may be called, by the newer member or the older one; undefined: neither says so. */
export function readToolChoice(body: JsonObject): ToolChoice | undefined {
  const value = body['tool_choice'] ?? legacyChoice(body['function_call']);
  if (value == null) return undefined;
  const word = WORDS.get(value);
  if (word !== undefined) return word;
  return (isJsonObject(value) ? readNamed(value) : null) ?? { type: 'native', protocol: 'openai-chat', value };
}

const legacyChoice = (value: JsonValue | undefined): JsonValue | undefined =>
  isJsonObject(value) ? { type: 'function', function: value } : value;

function readNamed(value: JsonObject): ToolChoice | null {
  const { type } = value;
  if (type === 'function' || type === 'custom') {
    const name = nameIn(value, type);
    return name === null ? null : { type: 'tool', kind: type, name };
  }
  const allowed = type === 'allowed_tools' ? value['allowed_tools'] : null;
  if (!isJsonObject(allowed)) return null;
  const mode = allowed['mode'] === 'required' ? 'required' : 'auto';
  const names = listOf(allowed['tools']).map((tool) => {
    const kind = isJsonObject(tool) ? tool['type'] : null;
    return isJsonObject(tool) && (kind === 'function' || kind === 'custom') ? nameIn(tool, kind) : null;
  });
  const known = names.filter((name) => name !== null);
  return known.length === names.length ? { type: 'allowed', mode, names: known } : null;
}

function nameIn(value: JsonObject, kind: 'function' | 'custom'): string | null {
  const tool = value[kind];
  return isJsonObject(tool) ? textOrNull(tool['name']) : null;
}
