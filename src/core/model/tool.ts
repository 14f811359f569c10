import type { CacheMark, Extensions } from './content.ts';
import type { JsonObject, JsonValue } from './json-value.ts';
import type { Protocol } from './protocol.ts';

type Common = { readonly cache?: CacheMark; readonly extensions?: Extensions };

/** A tool that the client runs on JSON. `parameters`: a JSON schema; null: none was given. */
export type FunctionTool = Common & {
  readonly type: 'function';
  readonly name: string;
  readonly namespace?: string;
  readonly description: string | null;
  readonly parameters: JsonObject | null;
  readonly strict: boolean | null;
};

/** A tool that the client runs on text of any form; `grammar` bounds the form. */
export type CustomTool = Common & {
  readonly type: 'custom';
  readonly name: string;
  readonly namespace?: string;
  readonly description: string | null;
  readonly grammar: { readonly syntax: string; readonly definition: string } | null;
};

/**
 * A tool that the provider runs, or that changes how tools are found. `what`: one word over all protocols, where several
 * have the same tool; else the protocol's own type. `value`: as its protocol writes it.
 */
export type ServerTool = Common & {
  readonly type: 'server';
  readonly what:
    | 'web_search'
    | 'web_fetch'
    | 'code_execution'
    | 'file_search'
    | 'computer'
    | 'mcp'
    | 'tool_search'
    | (string & {});
  readonly protocol: Protocol;
  readonly value: JsonValue;
};

export type ToolDefinition = FunctionTool | CustomTool | ServerTool;

/** `allowed`: only these may be called; `mode` says whether one must. */
export type ToolChoice =
  | { readonly type: 'auto' | 'none' | 'required' }
  | { readonly type: 'tool'; readonly kind: 'function' | 'custom'; readonly name: string; readonly namespace?: string }
  | { readonly type: 'allowed'; readonly mode: 'auto' | 'required'; readonly names: readonly string[] }
  | { readonly type: 'native'; readonly protocol: Protocol; readonly value: JsonValue };
