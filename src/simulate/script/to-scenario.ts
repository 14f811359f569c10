import type { Finding, Path } from '../../config/problem.ts';
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
import { type DoesInput, SHORT_FAULTS } from './behaviour-schema.ts';
import { ACCOUNT, BEHAVIOUR, CLIENT, ROW, rename, SHAPE } from './members.ts';
import { NAMED_BEHAVIOURS } from './named-behaviours.ts';
import {
  type AccountInput,
  type ActInput,
  type AskInput,
  PROTOCOL_NAMES,
  type ProviderInput,
  type ScriptInput,
  type StoreInput,
} from './schema.ts';

/** What an account is of which nothing more is said. */
export const PLAIN_ACCOUNT: Omit<AccountRow, 'account'> = {
  perModel: false,
  perMinute: null,
  burst: 1,
  concurrency: null,
  total: null,
  tells: true,
};

/** An answer that breaks off after so many words would have had so many more. */
const MORE_WORDS = 8;

const SHORTEST_MS = 60_000;
const DEFAULT_ASK: AskInput = { rate: 10 };

/** A script that is valid by its form, as a scenario; what does not fit together is added to `findings`. */
export function toScenario(input: ScriptInput, model: string | null, findings: Finding[]): Scenario {
  const asks = input.asks ?? [DEFAULT_ASK];
  const providers = input.providers ?? [];
  return {
    seed: input.seed ?? 1,
    config: input.config ?? null,
    forMs: input.for ?? lastMoment(input),
    asks: asks.map((ask, i) => askRow(ask, ['asks', i], model, findings)),
    providers: providers.map((row, i) => providerRow(row, ['providers', i], findings)),
    accounts: (input.accounts ?? []).map(accountRow),
    acts: (input.acts ?? []).map((act, i) => operatorAct(act, ['acts', i], findings)),
    stores: (input.stores ?? []).map((row, i) => storeFault(row, ['stores', i], findings)),
  };
}

function lastMoment({ asks = [], providers = [], acts = [], stores = [] }: ScriptInput): number {
  const moments = [...asks, ...providers, ...stores].flatMap(({ from, until }) => [from ?? 0, until ?? 0]);
  return Math.max(SHORTEST_MS, ...moments, ...acts.map(({ at }) => at));
}

function spanOf(
  input: { from?: number | undefined; until?: number | undefined },
  path: Path,
  findings: Finding[],
): Span {
  const span = { fromMs: input.from ?? 0, untilMs: input.until ?? null };
  if (span.untilMs !== null && span.untilMs < span.fromMs)
    findings.push({ path: [...path, 'until'], message: 'ends before it begins' });
  return span;
}

function askRow(input: AskInput, path: Path, fallback: string | null, findings: Finding[]): AskRow {
  const model = input.model ?? fallback;
  if (model === null) {
    const hint = 'several models are configured and none is the default: name one';
    findings.push({ path: [...path, 'model'], message: 'is missing', hint, atKey: true });
  }
  return {
    ...spanOf(input, path, findings),
    model: model ?? '',
    protocol: PROTOCOL_NAMES[input.protocol ?? 'chat'],
    perSecond: input.rate ?? null,
    count: input.count ?? null,
    arrival: input.arrival ?? 'even',
    shape: rename(input, SHAPE),
    client: clientManner(input.client),
  };
}

const clientManner = (input: AskInput['client']): ClientManner =>
  typeof input === 'string' ? { retries: input } : rename(input ?? {}, CLIENT);

function providerRow(input: ProviderInput, path: Path, findings: Finding[]): ProviderRow {
  const { flap } = input;
  if (flap !== undefined && flap.on + flap.off <= 0)
    findings.push({
      path: [...path, 'flap'],
      message: 'takes no time',
      hint: 'write on: 30s and off: 30s, or the like',
    });
  return {
    ...spanOf(input, path, findings),
    routes: input.routes,
    ...rename({ ...input, flap: undefined }, ROW),
    ...(flap === undefined ? {} : { flap: { onMs: flap.on, offMs: flap.off } }),
    does: behaviour(input.does ?? 'answers', [...path, 'does'], findings),
  };
}

function behaviour(input: DoesInput, path: Path, findings: Finding[]): Behaviour {
  if (typeof input === 'string') return NAMED_BEHAVIOURS[input].does;
  const shorts = Object.entries(SHORT_FAULTS).flatMap(([name, kind]) => {
    const at = Reflect.get(input, name) as number | undefined;
    return at === undefined ? [] : [{ name, fault: { kind, at } }];
  });
  const [short, second] = shorts;
  const extra = second ?? (input.fault === undefined ? undefined : short);
  if (extra !== undefined)
    findings.push({
      path: [...path, extra.name],
      message: 'is a second fault in one answer',
      hint: 'keep one of the two',
      atKey: true,
    });
  const { fault, ...rest } = input;
  return {
    ...(rename(rest, BEHAVIOUR) as Behaviour),
    ...(fault === undefined ? {} : { fault: fault as NonNullable<Behaviour['fault']> }),
    ...(short === undefined ? {} : { words: input.words ?? short.fault.at + MORE_WORDS, fault: short.fault }),
  };
}

const accountRow = (input: AccountInput): AccountRow => ({ ...PLAIN_ACCOUNT, ...rename(input, ACCOUNT) }) as AccountRow;

function operatorAct({ at: atMs, does, id }: ActInput, path: Path, findings: Finding[]): OperatorAct {
  if (does === 'drain') return { atMs, does };
  if (id === undefined)
    findings.push({
      path: [...path, 'id'],
      message: 'is missing',
      hint: `it names what to ${does}: provider/model`,
      atKey: true,
    });
  return { atMs, does, id: id ?? '' };
}

function storeFault({ port, how, delay, ...span }: StoreInput, path: Path, findings: Finding[]): StoreFault {
  if (port !== 'claims' && how !== 'throws')
    findings.push({ path: [...path, 'how'], message: `must be throws for ${port}`, hint: 'only claims can be late' });
  return { ...spanOf(span, path, findings), port, how, ...(delay === undefined ? {} : { ms: delay }) };
}
