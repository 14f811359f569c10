import { Document, isMap } from 'yaml';
import type {
  AccountRow,
  AskRow,
  Behaviour,
  ClientManner,
  OperatorAct,
  ProviderRow,
  Scenario,
  Span,
  StoreFault,
} from '../scenario/scenario.ts';
import { SHORT_FAULTS } from './behaviour-schema.ts';
import { SCHEMA_LINE } from './json-schema.ts';
import { ACCOUNT, BEHAVIOUR, CLIENT, ROW, SHAPE, SHORT_PROTOCOLS, write } from './members.ts';
import { PLAIN_ACCOUNT } from './to-scenario.ts';
import { writeRate, writeTime } from './write-words.ts';

type Map = Record<string, unknown>;

/** Maps that stand on one line. */
const ON_ONE_LINE = ['does', 'flap', 'client'];

/**
 * A scenario as the text of a script, which reads back to the same scenario. `notes` stand above it as comments.
 * Times are written as whole or decimal milliseconds at least; longer ones than a year have no words.
 */
export function printScript(scenario: Scenario, notes: readonly string[] = []): string {
  const document = new Document(scriptOf(scenario), { version: '1.2', schema: 'core', aliasDuplicateObjects: false });
  for (const rows of ['asks', 'providers', 'accounts', 'acts', 'stores']) putOnLines(document, rows);
  const comments = notes.flatMap((note) => note.split('\n')).map((line) => `# ${line}`.trimEnd());
  return [SCHEMA_LINE, ...comments, document.toString({ lineWidth: 0, flowCollectionPadding: true })].join('\n');
}

function putOnLines(document: Document, rows: string): void {
  const list = document.get(rows) as { items?: readonly unknown[] } | undefined;
  for (const row of list?.items ?? []) {
    if (!isMap(row)) continue;
    const inner = ON_ONE_LINE.map((name) => row.get(name, true)).filter((node) => isMap(node));
    for (const node of inner) node.flow = true;
  }
}

function scriptOf(scenario: Scenario): Map {
  const { seed, config, forMs, asks, providers, accounts, acts, stores } = scenario;
  return {
    seed,
    for: writeTime(forMs),
    // Without any, ten requests a second would be asked for.
    asks: asks.map(askMap),
    ...unlessEmpty({ providers: providers.map(providerMap) }),
    ...unlessEmpty({ accounts: accounts.map(accountMap) }),
    ...unlessEmpty({ acts: acts.map(actMap) }),
    ...unlessEmpty({ stores: stores.map(storeMap) }),
    ...(config === null ? {} : { config }),
  };
}

const unlessEmpty = (named: Readonly<Record<string, readonly Map[]>>): Map =>
  Object.fromEntries(Object.entries(named).filter(([, rows]) => rows.length > 0));

const spanMap = ({ fromMs, untilMs }: Span): Map => ({
  ...(fromMs === 0 ? {} : { from: writeTime(fromMs) }),
  ...(untilMs === null ? {} : { until: writeTime(untilMs) }),
});

function askMap({ model, protocol, perSecond, count, arrival, shape, client, ...span }: AskRow): Map {
  return {
    model,
    ...(protocol === 'openai-chat' ? {} : { protocol: SHORT_PROTOCOLS.get(protocol) ?? protocol }),
    ...(perSecond === null ? {} : { rate: writeRate(perSecond, 1) }),
    ...(count === null ? {} : { count }),
    ...(arrival === 'even' ? {} : { arrival }),
    ...spanMap(span),
    ...write(shape, SHAPE),
    ...clientMap(client),
  };
}

function clientMap(client: ClientManner): Map {
  const map = write(client, CLIENT);
  const names = Object.keys(map);
  if (names.length === 0) return {};
  return { client: names.length === 1 && names[0] === 'retries' ? map['retries'] : map };
}

const providerMap = ({ routes, does, sends, share, flap, ...span }: ProviderRow): Map => ({
  routes,
  ...spanMap(span),
  ...write({ sends, share, flap }, ROW),
  does: doesMap(does),
});

function doesMap(does: Behaviour): Map {
  const { fault, ...rest } = write(does, BEHAVIOUR) as Map & { fault?: NonNullable<Behaviour['fault']> };
  if (fault === undefined) return rest;
  const short = Object.entries(SHORT_FAULTS).find(([, kind]) => kind === fault.kind)?.[0];
  const isShort =
    short !== undefined &&
    typeof fault.at === 'number' &&
    fault.code === undefined &&
    fault.form === undefined &&
    does.words !== undefined;
  return isShort ? { ...rest, [short]: fault.at } : { ...rest, fault };
}

function accountMap(row: AccountRow): Map {
  const given = Object.entries(row).filter(([name, value]) => value !== Reflect.get(PLAIN_ACCOUNT, name));
  return write(Object.fromEntries(given), ACCOUNT);
}

const actMap = (act: OperatorAct): Map => ({
  at: writeTime(act.atMs),
  does: act.does,
  ...('id' in act ? { id: act.id } : {}),
});

const storeMap = ({ port, how, ms, ...span }: StoreFault): Map => ({
  port,
  how,
  ...spanMap(span),
  ...(ms === undefined ? {} : { delay: writeTime(ms) }),
});
