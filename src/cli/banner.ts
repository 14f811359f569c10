import type { ConfigurationSource } from '../app/configuration.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import { tellWarning } from '../config/warning.ts';
import { ORDER_INDENT, renderModelOrder } from './order-lines.ts';
import { proseErr } from './prose.ts';
import { renderSteps } from './step-lines.ts';
import type { Terminal } from './terminal.ts';
import { countOf } from './words.ts';

type Started = {
  readonly url: string;
  readonly config: RuntimeConfig;
  /** How this command is called from here. */
  readonly command: string;
  /** Ready routes that `/readyz` waits for; null: it does not. */
  readonly waitReady?: number | null;
};

const DEFAULT_URL = 'http://127.0.0.1:4180';

/** What a start says to people: where it listens, what it serves, and what to try. */
export function renderBanner(terminal: Terminal, source: ConfigurationSource, started: Started): string {
  const lines = source.kind === 'demo' ? demoLines(terminal, started) : plainLines(terminal, source, started);
  // That the demo's providers are one and the same is the point of it.
  const told = source.kind === 'demo' ? [] : started.config.warnings;
  // Who is alone stands in the order, where that is shown.
  const news = told.filter((warning) => !showsOrder(started) || warning.code !== 'nobody_stands_in');
  const warn = (text: string): string => proseErr(terminal, `  ${terminal.paint('yellow', '!')} ${text}`);
  const warnings = [...news.map(tellWarning), ...tellVainWait(started)].map(warn);
  // Below the prose of the demo it stands alone.
  const gap = source.kind === 'demo' && started.waitReady ? [''] : [];
  return ['', ...lines, ...gap, ...waitLines(terminal, started), ...warnings, ''].join('\n');
}

/** What `--wait-ready` is about, beside the other facts. */
function waitLines(terminal: Terminal, { waitReady = null }: Started): readonly string[] {
  if (waitReady === null) return [];
  const what = waitReady === 1 ? 'a ready route' : `${waitReady} ready routes`;
  const text = `/readyz says 503 until a model has ${what}; requests are served meanwhile`;
  return [proseErr(terminal, `  ${terminal.paint('dim', 'waits'.padEnd(7))} ${text}`, MARGIN)];
}

/** A catalogue may bring as many as are missing, or may not. */
function tellVainWait({ waitReady = null, config: { models } }: Started): readonly string[] {
  const routes = [...models.values()].map(({ targets }) => targets.flatMap((target) => target.routes).length);
  const most = Math.max(0, ...routes);
  if (waitReady === null || models.size === 0 || most >= waitReady) return [];
  return [`--wait-ready=${waitReady}: no model has more than ${countOf(most, 'route')} now`];
}

const title = (terminal: Terminal, { url }: Started): string =>
  `  ${terminal.paint(['bold', 'magenta'], 'Understudy')} ${terminal.paint('dim', 'is listening on')} ${terminal.paint('bold', url)}`;

/** More models than these fill the screen. */
const FEW_MODELS = 3;
const showsOrder = ({ config: { models } }: Started): boolean => models.size > 0 && models.size <= FEW_MODELS;

/** Columns of what stands before each line's words. */
const MARGIN = 10;

function modelLines(started: Started): readonly string[] {
  const { models, catalogue } = started.config;
  if (models.size === 0) return ['pinned targets only: clients name them as provider/model'];
  if (!showsOrder(started)) {
    return [
      [...models.values()].map(({ name, targets }) => `${name} (${countOf(targets.length, 'target')})`).join(', '),
    ];
  }
  return [...models.values()].flatMap((model) => [
    model.name,
    ...renderModelOrder(model, catalogue.models.has(model.name)).map((line) => `  ${line}`),
  ]);
}

function plainLines(terminal: Terminal, source: ConfigurationSource, started: Started): readonly string[] {
  const { auth } = started.config;
  const from =
    source.kind === 'file' ? source.file.file : 'the keys in the environment (no configuration file was found)';
  const line = (name: string, text: string, hang = MARGIN): string =>
    proseErr(terminal, `  ${terminal.paint('dim', name.padEnd(7))} ${text}`, hang);
  const [first = '', ...more] = modelLines(started);
  return [
    title(terminal, started),
    '',
    line('from', from),
    line('models', first),
    ...more.map((text) => line('', text, text.startsWith(' ') ? MARGIN + 2 + ORDER_INDENT : MARGIN)),
    line('keys', auth.required ? `needed (${auth.keys.length} known)` : 'not needed from this machine'),
  ];
}

/** Shell words that can be pasted, narrow enough for any terminal. */
const curl = (url: string): string =>
  `curl -N ${url}/v1/chat/completions \\
       -H 'content-type: application/json' \\
       -d '{"model":"main","stream":true,
            "messages":[{"role":"user","content":"Who are you?"}]}'`;

function demoLines(terminal: Terminal, started: Started): readonly string[] {
  const type = (text: string): string => terminal.paint('cyan', text);
  const say = (text: string): string => proseErr(terminal, text);
  const at = started.url === DEFAULT_URL ? '' : ` --url ${started.url}`;
  const peeks: readonly (readonly [string, string])[] = [
    [`${started.command} requests${at}`, 'what was asked, and who served'],
    [`${started.command} explain last${at}`, 'who was tried first, and why another one answered'],
    [`${started.command} targets${at}`, 'who is out of service, and until when'],
  ];
  const keyed = started.config.auth.required ? " -H 'authorization: Bearer '$UNDERSTUDY_KEY" : '';
  return [
    title(terminal, started),
    '',
    say(
      `  No configuration and no provider keys: this is ${terminal.paint('bold', 'the demo')}. Nothing leaves this machine. The model ${terminal.paint('bold', 'main')} has two fake providers for each protocol. The first, demo/error-503, is always down; the second, demo/ok, goes on in its place. You will not see the first one fail:`,
    ),
    '',
    `     ${type(curl(started.url) + keyed)}`,
    '',
    '  Then look behind the curtain, in another terminal:',
    '',
    ...renderSteps(peeks, {
      indent: '     ',
      columns: terminal.errColumns,
      paint: { typed: type, note: (text) => terminal.paint('dim', text) },
    }),
    '',
    say(
      `  For real providers set a key (${terminal.paint('bold', 'OPENAI_API_KEY')}, …) or write an understudy.yaml (${started.command} init), and start again.`,
    ),
  ];
}
