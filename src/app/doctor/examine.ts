import { createUndiciClient } from '../../adapter/http-undici/index.ts';
import { renderProblems } from '../../config/problem.ts';
import type { RuntimeConfig } from '../../config/runtime.ts';
import { describeOrder } from '../../config/service-order.ts';
import { type ConfigWarning, tellWarning } from '../../config/warning.ts';
import { PRESETS } from '../../provider/registry.ts';
import { type Configuration, type ConfigurationFlags, type Env, openConfiguration } from '../configuration.ts';
import { isAddressAllowed } from '../is-address-allowed.ts';
import { withSavedLists } from '../saved-lists.ts';
import { broken, type Finding, type Found, fine, skipped, warning } from './finding.ts';
import { checkNode, checkOpenFiles, checkStateDir, readOpenFilesLimit } from './machine.ts';
import { checkPort } from './port.ts';
import { checkProvider, type ProviderReport } from './provider.ts';

export type { Finding, FindingStatus } from './finding.ts';

export type Examination = {
  readonly flags: ConfigurationFlags;
  readonly env: Env;
  readonly cwd: string;
  readonly version: string;
  /** The oldest Node that will do. */
  readonly nodeFloor: string;
  /** How the command is called from here, for what is advised. */
  readonly command: string;
  /** No provider is asked. */
  readonly isOffline: boolean;
  /** Told as they are found, in the order of the result. */
  readonly onFinding?: (finding: Finding) => void;
};

/** What each provider may take. */
const PROVIDER_LIMIT_MS = 2000;
const DEMO = 'demo';

/** Looks at the machine, the configuration and the providers. */
export async function examine(examination: Examination): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const tell = (check: Finding['check'], found: Found, subject: string | null = null): void => {
    const finding = { check, subject, ...found };
    findings.push(finding);
    examination.onFinding?.(finding);
  };
  tell('node', checkNode(process.version, examination.nodeFloor));
  const { flags, command } = examination;
  const opened = openConfiguration({ ...flags, command }, examination.env, examination.cwd);
  if (!opened.ok) {
    tell('configuration', broken(`${opened.file}: ${opened.message}`, opened.hint));
    return findings;
  }
  const { configuration } = opened;
  const loaded = configuration.load(configuration.text, null);
  const state = checkStateDir(loaded.ok ? loaded.config.stateDir : configuration.stateDir);
  if (!loaded.ok) {
    const { source } = configuration;
    const file = source.kind === 'file' ? source.file.file : null;
    tell(
      'configuration',
      broken(renderProblems(loaded.problems, file), `"${examination.command} check" shows the same`),
    );
    tell('state', state);
    return findings;
  }
  const config = withSavedLists(loaded.config);
  for (const found of describeConfiguration(configuration, config, examination.command)) tell('configuration', found);
  tell('state', state);
  tell('port', await checkPort(config.server, examination.version));
  tell('files', checkOpenFiles(readOpenFilesLimit(), config.server.maxInFlight));
  await examineProviders(config, examination, tell);
  return findings;
}

function describeConfiguration({ source }: Configuration, config: RuntimeConfig, command: string): readonly Found[] {
  if (source.kind === 'demo') {
    const detail = "there is no file and no provider's key: this would be the demo";
    return [warning(detail, `write a file with "${command} init", or set a key such as OPENAI_API_KEY`)];
  }
  const where = source.kind === 'file' ? source.file.file : 'no file: what the keys in the environment make';
  const counts = [countOf(config.models.size, 'model'), countOf(config.providers.size, 'provider')].join(', ');
  const shown = [...config.models.values()]
    .slice(0, MODELS_SHOWN)
    .flatMap(({ name, targets, strategy, settings }) =>
      targets.length === 0
        ? [`${name}: no target yet, but those out of lists`]
        : describeOrder(targets, strategy, settings.translate, { hasLists: config.catalogue.models.has(name) }).map(
            ({ name: protocol, order }) => `${name}, ${protocol}: ${order}`,
          ),
    );
  const remedy = 'docs/configuration.md tells more of it';
  return [
    fine([`${where} (${counts})`, ...shown].join('\n')),
    ...config.warnings.map((each) => warning(tellWarning(each), REMEDIES[each.code] ?? remedy)),
  ];
}

const MODELS_SHOWN = 5;
/** What to do about a warning, where there is more to say than its page does. */
const REMEDIES: { readonly [C in ConfigWarning['code']]?: string } = {
  nobody_stands_in: 'let requests be translated (translate: last), or list a second target of that protocol',
};

const countOf = (n: number, word: string): string => `${n} ${word}${n === 1 ? '' : 's'}`;

type Tell = (check: Finding['check'], found: Found, subject?: string | null) => void;

async function examineProviders(config: RuntimeConfig, { isOffline }: Examination, tell: Tell): Promise<void> {
  const providers = [...config.providers.values()];
  const asked = providers.filter(({ preset }) => preset !== DEMO);
  for (const { name } of providers.filter(({ preset }) => preset === DEMO)) {
    tell('provider', skipped('built in: it runs with the gateway'), name);
  }
  if (isOffline) {
    for (const { name, endpoint } of asked) tell('provider', skipped(`${endpoint} was not asked (--offline)`), name);
    return;
  }
  const http = createUndiciClient({ isAddressAllowed: (host, address) => isAddressAllowed(config, host, address) });
  try {
    const ports = { http, now: Date.now, limitMs: PROVIDER_LIMIT_MS };
    const reports = asked.map(async (provider) => ({
      name: provider.name,
      report: await checkProvider(
        {
          provider,
          models: modelsOf(config, provider.name),
          keyVariable: PRESETS.find(({ name }) => name === provider.preset)?.keyVariable ?? null,
        },
        ports,
      ),
    }));
    const skews: number[] = [];
    for (const pending of reports) {
      const { name, report } = await pending;
      tellReport(name, report, tell);
      if (report.skewMs !== null) skews.push(report.skewMs);
    }
    tell('clock', checkClock(skews));
  } finally {
    await http.close();
  }
}

function tellReport(name: string, { found }: ProviderReport, tell: Tell): void {
  for (const one of found) tell('provider', one.found, one.credential === 'all' ? name : `${name}#${one.credential}`);
}

const modelsOf = ({ models }: RuntimeConfig, provider: string): readonly string[] => {
  const targets = [...models.values()].flatMap((model) => model.targets);
  return [...new Set(targets.filter((target) => target.provider === provider).map((target) => target.model))];
};

const NOTABLE_SKEW_MS = 10_000;
const BROKEN_SKEW_MS = 5 * 60_000;

/** One provider's clock may be wrong; the middle one of several is not. */
function checkClock(skews: readonly number[]): Found {
  const middle = [...skews].sort((a, b) => a - b)[Math.floor(skews.length / 2)];
  if (middle === undefined) return skipped('no provider said what time it is');
  const seconds = Math.round(Math.abs(middle) / 1000);
  if (Math.abs(middle) < NOTABLE_SKEW_MS) return fine(`right to within ${Math.max(1, seconds)} s`);
  const detail = `${seconds} s ${middle > 0 ? 'behind' : 'ahead of'} the providers' clocks`;
  const remedy = 'set it right (an NTP service): moments that providers name would be missed';
  return Math.abs(middle) < BROKEN_SKEW_MS ? warning(detail, remedy) : broken(detail, remedy);
}
