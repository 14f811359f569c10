import type { JsonValue } from '../../core/model/json-value.ts';
import type { FunctionTool, ServerTool, ToolDefinition } from '../../core/model/tool.ts';
import { isJsonObject } from '../shared/json-object.ts';
import { own } from '../shared/value.ts';
import { asList, camel, extended } from './members.ts';
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
