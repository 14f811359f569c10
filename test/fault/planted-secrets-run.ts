import { readdirSync, readFileSync, statSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { type RunningGateway, runCommand, startGateway } from '../e2e/gateway-process.ts';
import { until } from '../e2e/server-kit.ts';
import { createFakeProvider, type FakeProvider, type ScriptedAnswer } from '../kit/fake-provider.ts';
import { SPOKEN, type Spoken, WIRE } from '../kit/wire-scripts.ts';
import { createSearch } from './find-planted.ts';
import {
  ADMIN_TOKEN,
  ASKED,
  answerOf,
  CLIENT_KEY,
  CLIENT_PLACES,
  type ClientPlace,
  GOOD_HEADS,
  NEEDLES,
  OWN_KEY,
  type Phase,
  PLANTS,
  type Plant,
  PROMPT,
  PROVIDER_PLACES,
  type ProviderPlace,
} from './planted-secrets.ts';

/** Where a secret was found, and what had been planted there. */
export type Leak = {
  readonly found: string;
  readonly where: string;
  readonly planted: string;
  readonly around: string;
};

export type PlantedReport = {
  readonly leaks: readonly Leak[];
  /** Requests that planted something, and texts that were searched. */
  readonly planted: number;
  readonly searched: number;
  /** Requests of which a record could be read. */
  readonly recorded: number;
  /** Per plant, in how many places it stood. */
  readonly places: ReadonlyMap<string, number>;
  /** What shows that answers were given at all: other targets' answers, and providers' words with something taken out. */
  readonly rescued: number;
  readonly scrubbed: number;
};

const PHASES: readonly Phase[] = ['before', 'total', 'after'];
const ENV = { PLANTED_OWN: OWN_KEY, PLANTED_CLIENT: CLIENT_KEY, PLANTED_ADMIN: ADMIN_TOKEN };
const search = createSearch(NEEDLES);

/** For the record of the last request. */
const GIVEN_UP_MS = 30_000;

const configOf = (leaky: string, good: string, format: 'json' | 'pretty'): string => `
stateDir: ./state
auth: { required: true, adminToken: "\${PLANTED_ADMIN}", keys: [{ name: ci, key: "\${PLANTED_CLIENT}" }] }
health:
  breaker: { failures: 1000 }
  cooldown: { rateLimited: 1ms, quota: 1ms, auth: 1ms, permission: 1ms, notFound: 1ms, retired: 1ms, max: 1ms }
store: { explain: all }
telemetry: { log: { level: debug, format: ${format} } }
modelDefaults: { retry: { sameTarget: 0 }, affinity: auto }
providers:
${SPOKEN.map(
  (protocol) => `  leaky-${protocol}: { protocol: ${protocol}, baseUrl: "${leaky}/v1", apiKey: "\${PLANTED_OWN}" }
  good-${protocol}: { protocol: ${protocol}, baseUrl: "${good}/v1", apiKey: "good-provider-key" }`,
).join('\n')}
models:
${SPOKEN.map(
  (protocol) => `  ${protocol}: { targets: [leaky-${protocol}/m, good-${protocol}/m] }
  total-${protocol}: { targets: [leaky-${protocol}/m] }
  good-${protocol}: { targets: [good-${protocol}/m], aliases: ["any-${protocol}-*"] }`,
).join('\n')}
`;

type Answer = { readonly status: number; readonly head: string; readonly body: string; readonly id: string };

type Asking = {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body: string;
};

/** A request as it is written; the answer's every byte, its headers too. */
function ask(agent: Agent, port: number, { method = 'POST', path, headers = {}, body }: Asking): Promise<Answer> {
  const all = { 'content-type': 'application/json', authorization: `Bearer ${CLIENT_KEY}`, ...headers };
  const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)) as Record<string, string>;
  return new Promise((resolve, reject) => {
    const req = request({ agent, host: '127.0.0.1', port, method, path, headers: sent }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      const head = `${res.statusMessage}\n${res.rawHeaders.join('\n')}`;
      const id = String(res.headers['x-request-id']);
      res.on('close', () => resolve({ status: res.statusCode ?? 0, head, body: text, id }));
    });
    req.on('error', reject).end(body);
  });
}

const bodyOf = (protocol: Spoken, model: string, stream: boolean, members = ''): string => {
  const body = WIRE[protocol].body(model, stream).replace('"hi"', JSON.stringify(PROMPT));
  if (members === '') return body;
  const replaced = /^"(model|stream)"/.exec(members)?.[0];
  const rest = replaced === undefined ? body : body.replace(new RegExp(`${replaced}:(?:"[^"]*"|true|false),`), '');
  return rest.replace(/\}$/, `,${members}}`);
};

const goodAnswer = (protocol: Spoken, headers: Readonly<Record<string, string>> = {}): ScriptedAnswer => {
  const { preamble, word, end } = WIRE[protocol];
  const chunks = [preamble, word('All is well. '), end(['All is well. '])];
  return { headers: { 'content-type': 'text/event-stream', ...headers }, chunks };
};

/** What one run holds: a gateway, its two providers, and what was found so far. */
type Bench = {
  readonly gateway: RunningGateway;
  readonly leaky: FakeProvider;
  readonly good: FakeProvider;
  readonly agent: Agent;
  readonly leaks: Leak[];
  /** What each request planted, by its id. */
  readonly labels: Map<string, string>;
  readonly places: Map<string, number>;
  searched: number;
  recorded: number;
  rescued: number;
  scrubbed: number;
  /** The request behind all others, whose traces show that those of the others are there. */
  last: string;
};

function look(bench: Bench, where: string, planted: string, text: string): void {
  bench.searched += 1;
  for (const { name, view, around } of search(text)) {
    bench.leaks.push({ found: name, where: `${where} (${view})`, planted, around });
  }
}

function count(bench: Bench, plant: Plant): void {
  bench.places.set(plant.name, (bench.places.get(plant.name) ?? 0) + 1);
}

/** Behind output only what the gateway itself says counts: the frame of the error, which comes last. */
const ownPart = (body: string): string => body.trimEnd().split('\n\n').at(-1) ?? '';

async function plantAtProvider(
  bench: Bench,
  { place, plant, protocol, phase }: { place: ProviderPlace; plant: Plant; protocol: Spoken; phase: Phase },
): Promise<void> {
  const script = WIRE[protocol];
  const answer = answerOf(place, plant, phase, script);
  if (answer === null) return;
  bench.leaky.play(answer);
  bench.good.play(goodAnswer(protocol));
  const model = phase === 'total' ? `total-${protocol}` : protocol;
  const got = await ask(bench.agent, bench.gateway.port, { path: script.path, body: bodyOf(protocol, model, true) });
  const label = `${plant.name} × ${place.name}, ${protocol}, ${phase} output`.replace(
    'total output',
    'no other target',
  );
  bench.labels.set(got.id, label);
  count(bench, plant);
  look(bench, 'head of an answer', label, got.head);
  const isRelayed = got.status === 200 && !got.body.includes('All is well.') && place.at === 'event';
  look(bench, 'body of an answer', label, isRelayed ? ownPart(got.body) : got.body);
  checkWords(bench, label, got);
  if (phase === 'before' && got.body.includes('All is well.')) bench.rescued += 1;
  if (/\[secret\]|\[…\]/.test(got.body)) bench.scrubbed += 1;
}

/** What a provider may say to a client: short, in one line, with nothing in it that moves a cursor. */
function checkWords(bench: Bench, planted: string, { status, body }: Answer): void {
  if (status < 400) return;
  const { message } = (JSON.parse(body) as { error: { message: string } }).error;
  const isFit = message.length <= 300 && !/[\p{Cc}\p{Cf}\u2028\u2029]/u.test(message);
  if (!isFit) bench.leaks.push({ found: 'unfit words', where: 'message of an error', planted, around: message });
}

async function plantAtClient(bench: Bench, place: ClientPlace, plant: Plant, protocol: Spoken): Promise<void> {
  const put = (text: string): string => text.replaceAll('@@', () => plant.text);
  const putInUrl = (text: string): string => text.replaceAll('@@', () => encodeURIComponent(plant.text));
  const putInName = (text: string): string => text.replaceAll('@@', () => plant.text.replace(/[^\w.~-]/g, '-'));
  const putInJson = (text: string): string => text.replaceAll('@@', () => JSON.stringify(plant.text).slice(1, -1));
  const headers = Object.fromEntries(
    Object.entries(place.headers ?? {}).map(([name, value]) => [putInName(name), value === null ? null : put(value)]),
  );
  const path = place.path?.startsWith('/') ? place.path : WIRE[protocol].path + (place.path ?? '');
  const members = putInJson(place.members ?? '').replace('any-', `any-${protocol}-`);
  const body = place.body === undefined ? bodyOf(protocol, `good-${protocol}`, true, members) : putInJson(place.body);
  bench.good.play(goodAnswer(protocol));
  const asking = {
    path: putInUrl(path),
    headers,
    body,
    ...(place.method === undefined ? {} : { method: place.method }),
  };
  const got = await ask(bench.agent, bench.gateway.port, asking);
  const label = `${plant.name} × client's ${place.name}, ${protocol}`;
  bench.labels.set(got.id, label);
  count(bench, plant);
  look(bench, 'answer to a client', label, `${got.head}\n${got.body}`);
}

/** Headers of a good answer go to clients under names of their own. */
async function plantInGoodHead(bench: Bench, line: string, plant: Plant, protocol: Spoken): Promise<void> {
  // A prompt in the head of its own answer goes to who wrote it, and nowhere else.
  if (plant.needle.value === PROMPT) return;
  if (/[^\x20-\x7e]/.test(plant.text) || plant.text.length > 256) return;
  const [name = '', value = ''] = line.split(': ').map((part) => part.replaceAll('@@', () => plant.text));
  if (/[^\w.~%-]/.test(name)) return;
  bench.good.play(goodAnswer(protocol, { [name]: value }));
  const body = bodyOf(protocol, `good-${protocol}`, true);
  const got = await ask(bench.agent, bench.gateway.port, { path: WIRE[protocol].path, body });
  const label = `${plant.name} × good head, ${line}, ${protocol}`;
  bench.labels.set(got.id, label);
  count(bench, plant);
  look(bench, 'head of a good answer', label, got.head);
}

export type PlantedOptions = {
  readonly format: 'json' | 'pretty';
  /** All: every plant in every place, phase and protocol. Else each plant in each place once, in one of them. */
  readonly all: boolean;
};

/** Plants everything everywhere in one gateway, then searches whatever it has said or written. */
export async function runPlantedSecrets({ format, all }: PlantedOptions): Promise<PlantedReport> {
  const leaky = await createFakeProvider();
  const good = await createFakeProvider();
  const gateway = await startGateway(configOf(leaky.origin, good.origin, format), ENV);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const bench: Bench = {
    gateway,
    leaky,
    good,
    agent,
    leaks: [],
    labels: new Map(),
    places: new Map(),
    searched: 0,
    recorded: 0,
    last: '',
    rescued: 0,
    scrubbed: 0,
  };
  try {
    await plantEverywhere(bench, all);
    await searchApi(bench);
    await searchCommands(bench);
    gateway.child.kill('SIGTERM');
    await gateway.ended;
    searchLog(bench);
    searchFiles(bench, join(gateway.home, 'state'));
  } finally {
    agent.destroy();
    gateway.child.kill('SIGKILL');
    await Promise.all([leaky.close(), good.close()]);
  }
  const { leaks, labels, searched, recorded, places, rescued, scrubbed } = bench;
  return { leaks, planted: labels.size, searched, recorded, places, rescued, scrubbed };
}

/** What a client can know of others' secrets, it can write in plain words. */
const CLIENT_PLANTS = PLANTS.filter(({ name }) => !name.startsWith('own key,') || name === 'own key, plain').filter(
  ({ name }) => name !== 'prompt',
);

/** Of these every place is tried in every run, of the others one in four. */
const ALWAYS: readonly string[] = ['own key, plain', 'prompt', 'foreign key'];
const SHARE = 4;

async function plantEverywhere(bench: Bench, all: boolean): Promise<void> {
  let turn = 0;
  const some = <T>(options: readonly T[]): readonly T[] => (all ? options : [options[turn++ % options.length] as T]);
  const few = <T>(plant: Plant, options: readonly T[]): readonly T[] =>
    all || ALWAYS.includes(plant.name) ? options : options.filter((_, n) => (n + PLANTS.indexOf(plant)) % SHARE === 0);
  for (const plant of PLANTS) {
    for (const place of few(plant, PROVIDER_PLACES)) {
      const phases = PHASES.filter((phase) => answerOf(place, plant, phase, WIRE['openai-chat']) !== null);
      for (const phase of phases.length === 0 ? [] : some(phases)) {
        for (const protocol of some(SPOKEN)) await plantAtProvider(bench, { place, plant, protocol, phase });
      }
    }
    for (const line of few(plant, GOOD_HEADS)) {
      for (const protocol of some(SPOKEN)) await plantInGoodHead(bench, line, plant, protocol);
    }
  }
  for (const plant of CLIENT_PLANTS) {
    for (const place of few(plant, CLIENT_PLACES)) {
      for (const protocol of some(SPOKEN)) await plantAtClient(bench, place, plant, protocol);
    }
  }
}

const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };

/** What is written is written in order: when the record of one more request is there, so are those of all before it. */
async function untilWritten({ gateway, good, agent }: Bench): Promise<string> {
  good.play(goodAnswer('openai-chat'));
  const body = bodyOf('openai-chat', 'good-openai-chat', true);
  const { id } = await ask(agent, gateway.port, { path: WIRE['openai-chat'].path, body });
  const path = `/api/v1/requests/${id}`;
  const isWritten = async (): Promise<boolean> => {
    const { status, body: record } = await ask(agent, gateway.port, { method: 'GET', path, headers: ADMIN, body: '' });
    return status === 200 && (JSON.parse(record) as { outcome: string | null }).outcome === 'ok';
  };
  await until(isWritten, GIVEN_UP_MS, 'the record of the last request did not come');
  return id;
}

async function searchApi(bench: Bench): Promise<void> {
  const { gateway, agent } = bench;
  const headers = ADMIN;
  const get = async (path: string): Promise<string> => {
    const { head, body } = await ask(agent, gateway.port, { method: 'GET', path, headers, body: '' });
    return `${head}\n${body}`;
  };
  const ids = [...bench.labels.keys()].filter((id) => id.startsWith('req_'));
  bench.last = await untilWritten(bench);
  for (const id of ids) {
    const record = await get(`/api/v1/requests/${id}`);
    if (record.includes(`"${id}"`)) bench.recorded += 1;
    look(bench, 'GET /api/v1/requests/{id}', bench.labels.get(id) ?? '', record);
    look(
      bench,
      'GET /api/v1/requests/{id}/explain',
      bench.labels.get(id) ?? '',
      await get(`/api/v1/requests/${id}/explain`),
    );
  }
  for (const path of ASKED) {
    look(bench, `GET ${path}`, 'anything', await get(path));
  }
}

async function searchCommands(bench: Bench): Promise<void> {
  const { gateway, leaky, good } = bench;
  const leak = `{"error":{"message":"${OWN_KEY}"},"data":[{"id":"${OWN_KEY}"}]}`;
  for (const provider of [leaky, good])
    provider.play({ status: 200, headers: { 'x-request-id': OWN_KEY }, chunks: [leak] });
  const url = ['--url', gateway.url];
  const commands: readonly (readonly string[])[] = [
    ['requests', ...url],
    ['requests', '--json', ...url],
    ['explain', 'last', ...url],
    ['targets', ...url],
    ['plan', '--model', 'openai-chat', ...url],
    ['plan', '--model', OWN_KEY, ...url],
    ['check'],
    ['doctor'],
    ['doctor', '--json'],
    ['explain', OWN_KEY, ...url],
  ];
  const ends = await Promise.all(
    commands.map(
      (args) => runCommand(args, { home: gateway.home, env: { ...ENV, UNDERSTUDY_ADMIN_TOKEN: ADMIN_TOKEN } }).ended,
    ),
  );
  for (const [n, { out, err }] of ends.entries()) {
    const [name = ''] = commands[n] ?? [];
    // What a person typed stands on their screen already.
    const isTyped = commands[n]?.includes(OWN_KEY) === true;
    if (!isTyped) look(bench, `understudy ${name}`, 'anything', `${out}\n${err}`);
  }
}

function searchLog(bench: Bench): void {
  const { gateway, labels, last } = bench;
  if (!gateway.out().includes(last)) throw new Error('the last request was never logged');
  for (const line of `${gateway.out()}\n${gateway.err()}`.split('\n')) {
    const id = /req_[0-9A-Z]{26}/.exec(line)?.[0] ?? '';
    look(bench, 'log', labels.get(id) ?? 'anything', line);
  }
}

/** Every byte of every file, as they lie on the disk. */
function searchFiles(bench: Bench, folder: string): void {
  let isLastThere = false;
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name);
    if (!statSync(file).isFile()) continue;
    const bytes = readFileSync(file);
    isLastThere ||= bytes.includes(bench.last);
    for (let at = 0; at < bytes.length; at += 65_000) {
      look(bench, `file ${name}`, 'anything', bytes.subarray(at, at + 65_536).toString('utf8'));
    }
  }
  if (!isLastThere) throw new Error('the last request is in no file');
}
