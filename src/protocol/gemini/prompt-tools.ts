import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { FunctionTool, ServerTool, ToolDefinition } from '../../core/model/tool.ts';
import { isJsonObject } from '../shared/json-object.ts';
import { own } from '../shared/value.ts';
import { asList, camel, extended, withoutUndefined } from './members.ts';
import { toJsonSchema } from './schema.ts';

/** The common word for each tool that the provider runs. */
const SERVER_TOOLS: Readonly<Record<string, string>> = {
  googleSearch: 'web_search',
  googleSearchRetrieval: 'web_search',
  enterpriseWebSearch: 'web_search',
  urlContext: 'web_fetch',
  codeExecution: 'code_execution',
  fileSearch: 'file_search',
  retrieval: 'file_search',
  computerUse: 'computer',
  mcpServers: 'mcp',
};

/** Tools of others that the protocol has under a name of its own, where their settings can't be said. */
export const OWN_TOOLS: Readonly<Record<string, string>> = {
  web_search: 'googleSearch',
  web_fetch: 'urlContext',
  code_execution: 'codeExecution',
};

export const readTools = (tools: readonly JsonValue[]): ToolDefinition[] =>
  tools.flatMap((tool) =>
    Object.entries(camel(tool)).flatMap(([name, value]): ToolDefinition[] => {
      if (name !== 'functionDeclarations') return [readServerTool(name, value)];
      return asList(value).flatMap((each) => readFunction(each) ?? []);
    }),
  );

const readServerTool = (name: string, value: JsonValue): ServerTool => ({
  type: 'server',
  what: own(SERVER_TOOLS, name) ?? name,
  protocol: 'gemini',
  value: { [name]: value },
});

function readFunction(value: JsonValue): FunctionTool | null {
  const { name, description, parameters, parametersJsonSchema, ...rest } = camel(value);
  if (typeof name !== 'string') return null;
  const schema = isJsonObject(parametersJsonSchema)
    ? parametersJsonSchema
    : isJsonObject(parameters)
      ? toJsonSchema(parameters)
      : null;
  return {
    type: 'function',
    name,
    description: typeof description === 'string' ? description : null,
    parameters: schema,
    strict: null,
    ...extended(rest),
  };
}

/**
 * The schema goes as `parametersJsonSchema`, which takes JSON schemas as they are; `parameters` knows only a part of
 * OpenAPI's, and refuses a request for one keyword more
 * (https://ai.google.dev/api/caching#FunctionDeclaration).
 */
const writeFunction = (tool: FunctionTool): JsonObject => ({
  ...withoutUndefined({
    name: tool.name,
    description: tool.description ?? undefined,
    parametersJsonSchema: tool.parameters ?? undefined,
  }),
  ...tool.extensions?.gemini,
});

/** `isMixed`: the model takes tools of its own beside functions. `drop`: told the word of each tool that is left out. */
export function writeTools(
  tools: readonly ToolDefinition[],
  isMixed: boolean,
  drop: (what: string) => void,
): JsonObject[] {
  const written: JsonObject[] = [];
  let functions: JsonObject[] = [];
  const hasFunctions = tools.some(({ type }) => type === 'function');
  for (const tool of tools) {
    if (tool.type === 'function') {
      if (functions.length === 0) written.push({ functionDeclarations: functions });
      functions.push(writeFunction(tool));
      continue;
    }
    const value = tool.type === 'server' ? serverTool(tool, isMixed || !hasFunctions) : null;
    if (value === null) drop(tool.type === 'server' ? tool.what : tool.type);
    else {
      functions = [];
      written.push(value);
    }
  }
  return written;
}

function serverTool(tool: ServerTool, mayStand: boolean): JsonObject | null {
  if (tool.protocol === 'gemini') return isJsonObject(tool.value) ? tool.value : null;
  const name = own(OWN_TOOLS, tool.what);
  return name === undefined || !mayStand ? null : { [name]: {} };
}
