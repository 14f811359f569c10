import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VerdictFile } from '../../src/app/run/verdict-file.ts';
import { createFakeProvider, type FakeProvider, type ScriptedAnswer } from '../kit/fake-provider.ts';

// What the tests of `run` have in common: scripted providers, a configuration over them, a command that asks.

export const PROVIDER_KEY = 'sk-provider-1234567890-planted';

/** What a run leaves beside its state. */
export const FILES = [
  'attempts.jsonl',
  'events.jsonl',
  'readiness.json',
  'requests.jsonl',
  'summary.md',
  'verdict.json',
];

export const answerJson = (status: number, body: unknown): ScriptedAnswer => ({
  status,
  headers: { 'content-type': 'application/json' },
  framing: 'length',
  chunks: [JSON.stringify(body)],
});

export const OK = answerJson(200, {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Here I am.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
});

const chunk = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;

export const OK_STREAM: ScriptedAnswer = {
  status: 200,
  headers: { 'content-type': 'text/event-stream' },
  chunks: [chunk({ content: 'Hi' }, null), chunk({}, 'stop'), 'data: [DONE]\n\n'],
};

export const failure = (status: number, code = 'x'): ScriptedAnswer =>
  answerJson(status, { error: { message: `it says no to ${PROVIDER_KEY}`, type: 'x', code } });

/** Never in time. */
export const SILENT: ScriptedAnswer = { status: null, end: 'hang' };

const providers: FakeProvider[] = [];

export const closeProviders = async (): Promise<void> => {
  await Promise.all(providers.splice(0).map((provider) => provider.close()));
};

export async function provide(...answers: readonly ScriptedAnswer[]): Promise<FakeProvider> {
  const provider = await createFakeProvider();
  providers.push(provider);
  provider.play(...answers);
  return provider;
}

/** Asks `n` times for `UNDERSTUDY_MODEL`, `atOnce` at once, writes what it got into a file, and ends with `code`. */
const ASK = `
import { appendFileSync } from 'node:fs';
const [n, code, atOnce] = process.argv.slice(2);
const { OPENAI_BASE_URL: base, OPENAI_API_KEY: key, UNDERSTUDY_MODEL: model } = process.env;
const ask = async () => {
  const response = await fetch(base + '/chat/completions', {
    method: 'POST',
    headers: { authorization: 'Bearer ' + key, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  });
  await response.text();
  appendFileSync(import.meta.dirname + '/asked', response.status + '\\n');
};
for (let i = 0; i < Number(n); i++) await Promise.all(Array.from({ length: Number(atOnce) }, ask));
process.exitCode = Number(code);
`;

/** A command that asks; `layOut` puts it into its folder. */
export const ask = (home: string, n = 1, code = 0, atOnce = 1): readonly string[] => [
  process.execPath,
  join(home, 'ask.mjs'),
  String(n),
  String(code),
  String(atOnce),
];

export const NOT_PROBED = 'readiness: { probe: { mode: off } }\n';

/** Lays a folder out for a run: the command that asks, and a configuration. Providers are targets of `main`, in order. */
export function layOut(home: string, targets: readonly FakeProvider[] | string | null, more = NOT_PROBED): void {
  writeFileSync(join(home, 'ask.mjs'), ASK);
  if (targets === null) return;
  const text = typeof targets === 'string' ? targets : configOf(targets, more);
  writeFileSync(join(home, 'understudy.yaml'), text);
}

function configOf(targets: readonly FakeProvider[], more: string): string {
  const entries = targets.map(
    ({ origin }, i) => `  p${i}: { protocol: openai-chat, baseUrl: "${origin}/v1", apiKey: "\${PROVIDER_KEY}" }\n`,
  );
  const names = targets.map((_, i) => `p${i}/m`).join(', ');
  return `${more}providers:\n${entries.join('')}models: { main: { targets: [${names}], retry: { sameTarget: 0 } } }\n`;
}

export const read = (folder: string, file: string): string => readFileSync(join(folder, file), 'utf8');

export const verdictIn = (folder: string): VerdictFile => JSON.parse(read(folder, 'verdict.json')) as VerdictFile;

export const linesIn = (folder: string, file: string): readonly Record<string, unknown>[] =>
  read(folder, file)
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
