import type { ConfigurationSource } from '../app/configuration.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import type { Terminal } from './terminal.ts';
import { countOf } from './words.ts';

type Started = {
  readonly url: string;
  readonly config: RuntimeConfig;
  /** How this command is called from here. */
  readonly command: string;
};

const DEFAULT_URL = 'http://127.0.0.1:4180';

/** What a start says to people: where it listens, what it serves, and what to try. */
export function renderBanner(terminal: Terminal, source: ConfigurationSource, started: Started): string {
  const lines = source.kind === 'demo' ? demoLines(terminal, started) : plainLines(terminal, source, started);
  // That the demo's providers are one and the same is the point of it.
  const told = source.kind === 'demo' ? [] : started.config.warnings;
  const warnings = told.map((warning) => `  ${terminal.paint('yellow', '!')} ${warning}`);
  return ['', ...lines, ...warnings, ''].join('\n');
}

const title = (terminal: Terminal, { url }: Started): string =>
  `  ${terminal.paint(['bold', 'magenta'], 'Understudy')} ${terminal.paint('dim', 'is listening on')} ${terminal.paint('bold', url)}`;

function plainLines(terminal: Terminal, source: ConfigurationSource, started: Started): readonly string[] {
  const { models, auth } = started.config;
  const from =
    source.kind === 'file' ? source.file.file : 'the keys in the environment (no configuration file was found)';
  const names = [...models.values()].map((model) => `${model.name} (${countOf(model.targets.length, 'target')})`);
  return [
    title(terminal, started),
    '',
    `  ${terminal.paint('dim', 'from   ')} ${from}`,
    `  ${terminal.paint('dim', 'models ')} ${names.join(', ') || 'pinned targets only'}`,
    `  ${terminal.paint('dim', 'keys   ')} ${auth.required ? `needed (${auth.keys.length} known)` : 'not needed from this machine'}`,
  ];
}

/** Shell words that can be pasted: one line, no quotes inside quotes. */
const curl = (url: string): string =>
  `curl -N ${url}/v1/chat/completions -H 'content-type: application/json' \\\n       -d '{"model":"main","stream":true,"messages":[{"role":"user","content":"Who are you?"}]}'`;

function demoLines(terminal: Terminal, started: Started): readonly string[] {
  const say = (text: string): string => terminal.paint('cyan', text);
  const at = started.url === DEFAULT_URL ? '' : ` --url ${started.url}`;
  const peeks: readonly (readonly [string, string])[] = [
    [`${started.command} requests${at}`, 'what was asked, and who served'],
    [`${started.command} explain last${at}`, 'who was tried first, and why another one answered'],
    [`${started.command} targets${at}`, 'who is out of service, and until when'],
  ];
  const wide = Math.max(...peeks.map(([line]) => line.length));
  const keyed = started.config.auth.required ? " -H 'authorization: Bearer '$UNDERSTUDY_KEY" : '';
  return [
    title(terminal, started),
    '',
    `  No configuration and no provider keys: this is ${terminal.paint('bold', 'the demo')}. Nothing leaves this machine.`,
    `  The model ${terminal.paint('bold', 'main')} has two fake providers for each protocol. The first, demo/error-503,`,
    '  is always down; the second, demo/ok, goes on in its place. You will not see the first one fail:',
    '',
    `     ${say(curl(started.url) + keyed)}`,
    '',
    '  Then look behind the curtain, in another terminal:',
    '',
    ...peeks.map(
      ([line, what]) => `     ${say(line)}${' '.repeat(wide - line.length)}  ${terminal.paint('dim', `# ${what}`)}`,
    ),
    '',
    `  For real providers set a key (${terminal.paint('bold', 'OPENAI_API_KEY')}, …) or write an understudy.yaml, and start again.`,
  ];
}
