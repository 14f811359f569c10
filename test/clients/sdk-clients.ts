import { copyFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Protocol } from '../../src/core/model/protocol.ts';
import { type Client, KEY, PROMPT, type Scene } from './client.ts';

const PROGRAMS = fileURLToPath(new URL('sdk/', import.meta.url));

/** A program of `sdk/`, beside the packages that it imports. */
function program(scene: Scene, name: string): string {
  symlinkSync(join(scene.installed, 'node_modules'), join(scene.home, 'node_modules'));
  for (const file of [name, 'tool.mjs']) copyFileSync(join(PROGRAMS, file), join(scene.home, file));
  return join(scene.home, name);
}

function sdk(
  title: string,
  dependency: string,
  [name, api, mode = 'stream']: readonly [program: string, api: string, mode?: 'stream' | 'json'],
  [protocol, foreign]: readonly [Protocol, Protocol],
): Client {
  return {
    title,
    package: 'sdk',
    dependency,
    protocol,
    foreign,
    isSdk: true,
    launch: (scene) => ({
      command: process.execPath,
      args: [program(scene, `${name}.mjs`)],
      env: {
        GATEWAY: scene.url,
        MODEL: scene.model,
        API: api,
        MODE: mode,
        KEY,
        PROMPT,
        // Compiled once for all cells.
        NODE_COMPILE_CACHE: join(scene.installed, '.compiled'),
      },
    }),
  };
}

const CHAT = ['openai-chat', 'anthropic-messages'] as const;
const RESPONSES = ['openai-responses', 'anthropic-messages'] as const;
const GEMINI = ['gemini', 'openai-chat'] as const;
const MESSAGES = ['anthropic-messages', 'openai-responses'] as const;

const COMPATIBLE = '@ai-sdk/openai-compatible';
const LANGCHAIN = '@langchain/openai';

export const SDK_CLIENTS = {
  'openai-chat': sdk('OpenAI SDK, Chat', 'openai', ['openai', 'chat'], CHAT),
  'openai-chat-json': sdk('OpenAI SDK, Chat, no stream', 'openai', ['openai', 'chat', 'json'], CHAT),
  'openai-responses': sdk('OpenAI SDK, Responses', 'openai', ['openai', 'responses'], RESPONSES),
  'openai-responses-json': sdk(
    'OpenAI SDK, Responses, no stream',
    'openai',
    ['openai', 'responses', 'json'],
    RESPONSES,
  ),
  anthropic: sdk('Anthropic SDK', '@anthropic-ai/sdk', ['anthropic', 'messages'], MESSAGES),
  'anthropic-json': sdk('Anthropic SDK, no stream', '@anthropic-ai/sdk', ['anthropic', 'messages', 'json'], MESSAGES),
  genai: sdk('Google Gen AI SDK', '@google/genai', ['genai', 'gemini'], GEMINI),
  'genai-json': sdk('Google Gen AI SDK, no stream', '@google/genai', ['genai', 'gemini', 'json'], GEMINI),
  'ai-chat': sdk('Vercel AI SDK, Chat', COMPATIBLE, ['ai', 'chat'], CHAT),
  'ai-responses': sdk('Vercel AI SDK, Responses', '@ai-sdk/openai', ['ai', 'responses'], RESPONSES),
  'ai-messages': sdk('Vercel AI SDK, Messages', '@ai-sdk/anthropic', ['ai', 'messages'], MESSAGES),
  'ai-gemini': sdk('Vercel AI SDK, Gemini', '@ai-sdk/google', ['ai', 'gemini'], GEMINI),
  'langchain-chat': sdk('LangChain, Chat', LANGCHAIN, ['langchain', 'chat'], CHAT),
  'langchain-responses': sdk('LangChain, Responses', LANGCHAIN, ['langchain', 'responses'], RESPONSES),
  'langchain-messages': sdk('LangChain, Messages', '@langchain/anthropic', ['langchain', 'messages'], MESSAGES),
} as const satisfies Readonly<Record<string, Client>>;
