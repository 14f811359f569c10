import type { CacheMark } from '../../core/model/content.ts';
import type { JsonObject } from '../../core/model/json-value.ts';
import type { CustomTool, FunctionTool, ToolChoice, ToolDefinition } from '../../core/model/tool.ts';
import type { Dropped } from '../shared/extensions.ts';
import { given, isJsonObject } from '../shared/json-object.ts';
import { withExtensions } from './members.ts';

/** What parts and tools are written by. */
export type PartWriter = {
  readonly dropped: Dropped;
  /** The mark as this target takes it. */
  readonly cache: (mark: CacheMark | undefined) => JsonObject;
};

const writeFunction = ({ name, description, parameters, strict }: FunctionTool): JsonObject => ({
  type: 'function',
  function: given({ name, description, parameters, strict }),
});

const writeCustom = ({ name, description, grammar }: CustomTool): JsonObject => ({
  type: 'custom',
  custom: given({ name, description, format: grammar === null ? null : { type: 'grammar', grammar } }),
});

/** The members of a request that tell of its tools. */
export function writeTools(tools: readonly ToolDefinition[], writer: PartWriter): JsonObject {
  const written: JsonObject[] = [];
  let top: JsonObject = {};
  for (const tool of tools) {
    const { dropped } = writer;
    if (tool.type !== 'server') {
      const plain = tool.type === 'function' ? writeFunction(tool) : writeCustom(tool);
      written.push(withExtensions({ ...plain, ...writer.cache(tool.cache) }, tool, dropped));
    } else if (tool.protocol !== 'openai-chat' || !isJsonObject(tool.value)) dropped.add(tool.what);
    else if (isJsonObject(tool.value['web_search_options'])) top = { ...top, ...tool.value };
    else written.push(withExtensions({ ...tool.value, ...writer.cache(tool.cache) }, tool, dropped));
  }
  return written.length === 0 ? top : { tools: written, ...top };
}

/** Which tools may be called; nothing for what only another protocol can say. */
export function writeToolChoice(choice: ToolChoice, tools: readonly ToolDefinition[], dropped: Dropped): JsonObject {
  switch (choice.type) {
    case 'auto':
    case 'none':
    case 'required':
      return { tool_choice: choice.type };
    case 'tool':
      return { tool_choice: reference(choice.kind, choice.name) };
    case 'allowed': {
      const customs = new Set(tools.flatMap((tool) => (tool.type === 'custom' ? [tool.name] : [])));
      const list = choice.names.map((name) => reference(customs.has(name) ? 'custom' : 'function', name));
      return { tool_choice: { type: 'allowed_tools', allowed_tools: { mode: choice.mode, tools: list } } };
    }
    case 'native':
      if (choice.protocol === 'openai-chat') return { tool_choice: choice.value };
      dropped.add('toolChoice');
      return {};
  }
}

const reference = (kind: 'function' | 'custom', name: string): JsonObject => ({ type: kind, [kind]: { name } });
