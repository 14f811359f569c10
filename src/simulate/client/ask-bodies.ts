import type { Protocol } from '../../core/model/protocol.ts';
import type { AskRow } from '../scenario/scenario.ts';
import { MCP_SERVER, PAST_CALL_ID, SEALED, type Story, TEXT_TOOL_NAME, TOOL_NAME, TOOL_SCHEMA } from './story.ts';

export type BodyParts = {
  readonly row: AskRow;
  readonly stream: boolean;
  readonly story: Story;
  /** Ties requests together; null: this client names no conversation. */
  readonly session: string | null;
};

type Body = Readonly<Record<string, unknown>>;

/** Bodies as clients write them, one way for each protocol. */
export const ASK_BODIES: { readonly [P in Protocol]?: (parts: BodyParts) => Body } = {
  'openai-chat': chatBody,
  'openai-responses': responsesBody,
  'anthropic-messages': messagesBody,
  gemini: geminiBody,
};

/** Members that are not set are not sent. */
const some = (isThere: boolean, members: Body): Body => (isThere ? members : {});

function chatBody({ row, stream, story, session }: BodyParts): Body {
  const { shape, client, model } = row;
  const sealed = { reasoning_details: [{ type: 'reasoning.encrypted', id: 'rs_foreign', data: SEALED, index: 0 }] };
  const call = { id: PAST_CALL_ID, type: 'function', function: { name: TOOL_NAME, arguments: '{"mark":"past"}' } };
  const tools = [
    ...(shape.tools === true || story.toolResult !== null
      ? [{ type: 'function', function: { name: TOOL_NAME, parameters: TOOL_SCHEMA } }]
      : []),
    ...(shape.unsafe === true
      ? [{ type: 'mcp', server_label: MCP_SERVER.name, server_url: MCP_SERVER.url, require_approval: 'never' }]
      : []),
  ];
  const { maxOutputTokens } = shape;
  return {
    model,
    messages: [
      { role: 'system', content: story.system },
      ...story.turns.flatMap(({ user, assistant }) => [
        { role: 'user', content: user },
        { role: 'assistant', content: assistant, ...some(story.isSealed, sealed) },
      ]),
      { role: 'user', content: story.last },
      ...(story.toolResult === null
        ? []
        : [
            { role: 'assistant', content: null, tool_calls: [call] },
            { role: 'tool', tool_call_id: PAST_CALL_ID, content: story.toolResult },
          ]),
    ],
    ...some(stream, { stream: true }),
    ...some(stream && shape.asksUsage === true, { stream_options: { include_usage: true } }),
    ...some(tools.length > 0, { tools }),
    ...some(maxOutputTokens !== undefined, { max_completion_tokens: maxOutputTokens }),
    ...some(session !== null && client.retries === 'openai-sdk', { prompt_cache_key: session }),
  };
}

function responsesBody({ row, stream, story, session }: BodyParts): Body {
  const { shape, client, model } = row;
  const isCodex = client.retries === 'codex';
  const said = (role: string, text: string, n: string): Body => ({
    type: 'message',
    role,
    content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
    ...some(isCodex, { id: `msg_${n}` }),
  });
  const thought = { type: 'reasoning', id: 'rs_foreign', summary: [], encrypted_content: SEALED };
  const tools = [
    ...(shape.tools === true || story.toolResult !== null || isCodex
      ? [{ type: 'function', name: TOOL_NAME, strict: false, parameters: TOOL_SCHEMA }]
      : []),
    ...(shape.textTool === true ? [{ type: 'custom', name: TEXT_TOOL_NAME, description: 'Takes a patch.' }] : []),
    ...(shape.unsafe === true
      ? [{ type: 'mcp', server_label: MCP_SERVER.name, server_url: MCP_SERVER.url, require_approval: 'never' }]
      : []),
  ];
  const { maxOutputTokens } = shape;
  return {
    model,
    ...some(!isCodex, { instructions: story.system }),
    input: [
      ...(isCodex ? [said('developer', story.system, 'developer')] : []),
      ...story.turns.flatMap(({ user, assistant }, n) => [
        said('user', user, `user_${n}`),
        ...(story.isSealed ? [{ ...thought, id: `rs_foreign_${n}` }] : []),
        said('assistant', assistant, `assistant_${n}`),
      ]),
      said('user', story.last, 'last'),
      ...(story.toolResult === null
        ? []
        : [
            { type: 'function_call', call_id: PAST_CALL_ID, name: TOOL_NAME, arguments: '{"mark":"past"}' },
            { type: 'function_call_output', call_id: PAST_CALL_ID, output: story.toolResult },
          ]),
    ],
    stream,
    ...some(isCodex, {
      store: false,
      include: ['reasoning.encrypted_content'],
      client_metadata: { originator: 'codex_exec' },
    }),
    ...some(tools.length > 0, { tools }),
    ...some(maxOutputTokens !== undefined, { max_output_tokens: maxOutputTokens }),
    ...some(session !== null, { prompt_cache_key: session }),
  };
}

/** What the protocol demands where a client has no limit of its own in mind. */
const MAX_TOKENS = 32_000;

function messagesBody({ row, stream, story, session }: BodyParts): Body {
  const { shape, client, model } = row;
  const isClaudeCode = client.retries === 'claude-code';
  const thought = { type: 'thinking', thinking: 'as before', signature: SEALED };
  const tools = [
    ...(shape.tools === true || story.toolResult !== null || isClaudeCode
      ? [{ name: TOOL_NAME, description: 'Looks something up.', input_schema: TOOL_SCHEMA }]
      : []),
    ...(shape.unsafe === true ? [{ type: 'mcp_toolset', mcp_server_name: MCP_SERVER.name }] : []),
  ];
  return {
    model,
    max_tokens: shape.maxOutputTokens ?? MAX_TOKENS,
    system: isClaudeCode
      ? [
          // Varies by session, so that whoever hashes the system text sees a new conversation each time.
          { type: 'text', text: `x-anthropic-billing-header: cc_session=${session ?? ''}` },
          { type: 'text', text: story.system, cache_control: { type: 'ephemeral' } },
        ]
      : story.system,
    messages: [
      ...story.turns.flatMap(({ user, assistant }) => [
        { role: 'user', content: user },
        {
          role: 'assistant',
          content: [...(story.isSealed ? [thought] : []), { type: 'text', text: assistant }],
        },
      ]),
      { role: 'user', content: [{ type: 'text', text: story.last }] },
      ...(story.toolResult === null
        ? []
        : [
            {
              role: 'assistant',
              content: [{ type: 'tool_use', id: PAST_CALL_ID, name: TOOL_NAME, input: { mark: 'past' } }],
            },
            {
              role: 'user',
              content: [{ type: 'tool_result', tool_use_id: PAST_CALL_ID, content: story.toolResult }],
            },
          ]),
    ],
    ...some(stream, { stream: true }),
    ...some(tools.length > 0, { tools }),
    ...some(shape.unsafe === true, {
      mcp_servers: [{ type: 'url', name: MCP_SERVER.name, url: MCP_SERVER.url }],
    }),
    ...some(isClaudeCode && session !== null, {
      metadata: { user_id: JSON.stringify({ device_id: 'simulated', account_uuid: '', session_id: session }) },
    }),
  };
}

/** Model and stream stand in the path. */
function geminiBody({ row, story }: BodyParts): Body {
  const { shape } = row;
  const said = (role: string, ...parts: readonly Body[]): Body => ({ role, parts });
  const seal = some(story.isSealed, { thoughtSignature: SEALED });
  const call = { name: TOOL_NAME, args: { mark: 'past' } };
  const tools = [
    ...(shape.tools === true || story.toolResult !== null
      ? [{ functionDeclarations: [{ name: TOOL_NAME, description: 'Looks it up.', parameters: TOOL_SCHEMA }] }]
      : []),
    ...(shape.unsafe === true
      ? [{ mcpServers: [{ name: MCP_SERVER.name, streamableHttpTransport: { url: MCP_SERVER.url } }] }]
      : []),
  ];
  const { maxOutputTokens } = shape;
  return {
    systemInstruction: { parts: [{ text: story.system }] },
    contents: [
      ...story.turns.flatMap(({ user, assistant }) => [
        said('user', { text: user }),
        said('model', { text: assistant, ...seal }),
      ]),
      said('user', { text: story.last }),
      ...(story.toolResult === null
        ? []
        : [
            said('model', { functionCall: call }),
            said('user', { functionResponse: { name: TOOL_NAME, response: { result: story.toolResult } } }),
          ]),
    ],
    ...some(tools.length > 0, { tools }),
    ...some(maxOutputTokens !== undefined, { generationConfig: { maxOutputTokens } }),
  };
}
