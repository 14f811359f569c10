import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Protocol } from '../../src/core/model/protocol.ts';
import { type Client, KEY, PROMPT, type Scene } from './client.ts';

const bin = (scene: Scene, name: string): string => join(scene.installed, 'node_modules/.bin', name);

function write(folder: string, name: string, text: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), text);
}

function codex(title: string, websockets: boolean): Client {
  return {
    title,
    package: 'codex',
    dependency: '@openai/codex',
    protocol: 'openai-responses',
    foreign: 'anthropic-messages',
    // It would go on over HTTP.
    ...(websockets ? { forbidden: /failed to connect to Responses WebSocket|Falling back from WebSockets/i } : {}),
    launch(scene) {
      const folder = join(scene.home, '.codex');
      write(
        folder,
        'config.toml',
        `model = "${scene.model}"
model_provider = "gateway"
check_for_update_on_startup = false
[model_providers.gateway]
name = "Gateway"
base_url = "${scene.url}/v1"
env_key = "GATEWAY_KEY"
wire_api = "responses"
supports_websockets = ${websockets}
[analytics]
enabled = false
`,
      );
      const args = ['exec', '--skip-git-repo-check', '-s', 'danger-full-access', '-C', scene.work, PROMPT];
      return { command: bin(scene, 'codex'), args, env: { CODEX_HOME: folder, GATEWAY_KEY: KEY } };
    },
  };
}

const claudeCode: Client = {
  title: 'Claude Code',
  package: 'claude-code',
  dependency: '@anthropic-ai/claude-code',
  protocol: 'anthropic-messages',
  foreign: 'openai-responses',
  launch(scene) {
    return {
      command: bin(scene, 'claude'),
      args: ['-p', PROMPT, '--model', scene.model, '--allowedTools', 'Bash'],
      env: {
        CLAUDE_CONFIG_DIR: join(scene.home, '.claude'),
        ANTHROPIC_BASE_URL: scene.url,
        ANTHROPIC_AUTH_TOKEN: KEY,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: scene.model,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
        DISABLE_AUTOUPDATER: '1',
        DISABLE_TELEMETRY: '1',
      },
    };
  },
};

function opencode(title: string, npm: string, protocol: Protocol, foreign: Protocol): Client {
  return {
    title,
    package: 'opencode',
    dependency: 'opencode-ai',
    protocol,
    foreign,
    launch(scene) {
      const model = { name: 'Scripted', limit: { context: 100_000, output: 8000 } };
      const options = { baseURL: `${scene.url}/v1`, apiKey: KEY };
      const config = {
        $schema: 'https://opencode.ai/config.json',
        autoupdate: false,
        share: 'disabled',
        model: `gateway/${scene.model}`,
        small_model: `gateway/${scene.model}`,
        provider: { gateway: { npm, name: 'Gateway', options, models: { [scene.model]: model } } },
      };
      write(scene.work, 'opencode.json', JSON.stringify(config));
      const off = ['AUTOUPDATE', 'MODELS_FETCH', 'DEFAULT_PLUGINS', 'LSP_DOWNLOAD', 'SHARE'];
      return {
        command: bin(scene, 'opencode'),
        args: ['run', PROMPT],
        env: Object.fromEntries(off.map((name) => [`OPENCODE_DISABLE_${name}`, '1'])),
      };
    },
  };
}

const QUIET = {
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { disableAutoUpdate: true, enableAutoUpdate: false, enableAutoUpdateNotification: false },
};

const geminiCli: Client = {
  title: 'Gemini CLI',
  package: 'gemini-cli',
  dependency: '@google/gemini-cli',
  protocol: 'gemini',
  foreign: 'openai-chat',
  launch(scene) {
    const security = { auth: { selectedType: 'gemini-api-key' } };
    write(join(scene.home, '.gemini'), 'settings.json', JSON.stringify({ ...QUIET, security }));
    const program = join(scene.installed, 'node_modules/@google/gemini-cli/bundle/gemini.js');
    return {
      command: process.execPath,
      args: [program, '--skip-trust', '--yolo', '-m', scene.model, '-p', PROMPT],
      env: { GEMINI_API_KEY: KEY, GOOGLE_GEMINI_BASE_URL: scene.url },
    };
  },
};

const qwenCode: Client = {
  title: 'Qwen Code',
  package: 'qwen-code',
  dependency: '@qwen-code/qwen-code',
  protocol: 'openai-chat',
  foreign: 'anthropic-messages',
  launch(scene) {
    const security = { auth: { selectedType: 'openai' } };
    write(join(scene.home, '.qwen'), 'settings.json', JSON.stringify({ ...QUIET, security }));
    const program = join(scene.installed, 'node_modules/@qwen-code/qwen-code/cli.js');
    return {
      command: process.execPath,
      args: [program, '--auth-type', 'openai', '--yolo', '-p', PROMPT],
      env: { OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${scene.url}/v1`, OPENAI_MODEL: scene.model },
    };
  },
};

export const CODING_AGENTS = {
  codex: codex('Codex', false),
  'codex-websocket': codex('Codex, WebSocket', true),
  'claude-code': claudeCode,
  'opencode-chat': opencode('opencode, Chat', '@ai-sdk/openai-compatible', 'openai-chat', 'anthropic-messages'),
  'opencode-responses': opencode('opencode, Responses', '@ai-sdk/openai', 'openai-responses', 'anthropic-messages'),
  'opencode-messages': opencode('opencode, Messages', '@ai-sdk/anthropic', 'anthropic-messages', 'openai-responses'),
  'gemini-cli': geminiCli,
  'qwen-code': qwenCode,
} as const satisfies Readonly<Record<string, Client>>;
