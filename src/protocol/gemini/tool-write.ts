import type { JsonObject } from '../../core/model/json-value.ts';
import type { FunctionTool, ServerTool, ToolDefinition } from '../../core/model/tool.ts';
import { given, isJsonObject } from '../shared/json-object.ts';
import { own } from '../shared/value.ts';

/** Tools of others that the protocol has under a name of its own, where their settings can't be said. */
export const OWN_TOOLS: Readonly<Record<string, string>> = {
  web_search: 'googleSearch',
  web_fetch: 'urlContext',
  code_execution: 'codeExecution',
};

/**
 * The schema goes as `parametersJsonSchema`, which takes JSON schemas as they are; `parameters` knows only a part of
 * OpenAPI's, and refuses a request for one keyword more
 * (https://ai.google.dev/api/caching#FunctionDeclaration).
 */
const writeFunction = (tool: FunctionTool): JsonObject => ({
  ...given({ name: tool.name, description: tool.description, parametersJsonSchema: tool.parameters }),
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
