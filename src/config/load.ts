import { Secret } from '../core/redact/secret.ts';
import type { Secrets } from '../port/secrets.ts';
import { buildCatalogue } from './build-catalogue.ts';
import { buildModels } from './build-models.ts';
import { type BuiltProvider, buildProvider } from './build-provider.ts';
import {
  buildAuth,
  buildHealth,
  buildProbe,
  buildResponses,
  buildServer,
  buildStore,
  buildTelemetry,
  checkStore,
  type Overrides,
} from './build-server.ts';
import { checkClocks } from './check-clocks.ts';
import { checkNames } from './check-names.ts';
import type { SourceDocument } from './document.ts';
import { freeze } from './freeze.ts';
import { Interpolated, sourceWords, type UnsetVariables } from './interpolate.ts';
import type { PresetData } from './preset-data.ts';
import type { ConfigProblem, Finding, Path } from './problem.ts';
import { readSource } from './read-source.ts';
import { createReport, type Report, refuse } from './report.ts';
import type { RuntimeConfig } from './runtime.ts';
import type { ConfigInput } from './schema/index.ts';
import { findUnavailable } from './unavailable.ts';
import { isTouched, validateTree } from './validate.ts';
import { changeTexts } from './warning.ts';

export type LoadInput = {
  readonly text: string;
  /** Absolute path; null for a configuration that no file holds. */
  readonly file: string | null;
  /** For people: JSON is read as the YAML that it is. */
  readonly format?: 'yaml' | 'json';
  readonly presets: readonly PresetData[];
  readonly secrets: Secrets;
  /** Absent: `refuse`. */
  readonly unset?: UnsetVariables;
  readonly totalMemoryBytes: number;
  readonly stateDirDefault: string;
  /** Where the demo's fake providers listen; null or absent where none run. */
  readonly demoOrigin?: string | null;
  readonly overrides?: Overrides;
  /** How the command is called, where a hint names it; absent: by its name. */
  readonly command?: string;
};

export type LoadResult =
  | { readonly ok: true; readonly config: RuntimeConfig }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/**
 * From the text of a configuration file to what runs, or everything that is wrong with it. Reads nothing but variables
 * and secret files, through the port.
 */
export function loadConfig(load: LoadInput): LoadResult {
  const result = loadOnce(load);
  // What stands in for a variable may be what is wrong: then its absence is told.
  return result.ok || load.unset !== 'stand_in' ? result : loadOnce({ ...load, unset: 'refuse' });
}

function loadOnce(load: LoadInput): LoadResult {
  const read = readSource({ ...load, unset: load.unset ?? 'refuse' });
  if (!read.ok) return { ok: false, problems: read.problems };
  const { document, problems, damaged, resolvePath, hide, place } = read;
  const validation = validateTree(document.tree, damaged);
  const told: Finding[] = [...validation.findings, ...findUnavailable(document.tree)];
  const report = createReport((path) => sourceWords(document.textAt(path)));
  const config = validation.input === null ? null : build(validation.input, { load, resolvePath, document, report });
  // What hangs on something that is wrong already is no news.
  const known: Path[] = [...validation.pruned, ...told.map((finding) => finding.path)];
  const news = report.findings.filter((finding) => !isTouched(finding.path, known));
  const all = [...problems, ...[...told, ...news].map(place)];
  if (all.length > 0 || config === null) return { ok: false, problems: inOrder(all) };
  return { ok: true, config: freeze({ ...config, warnings: report.warnings.map((each) => changeTexts(each, hide)) }) };
}

type BuildContext = {
  readonly load: LoadInput;
  readonly resolvePath: (path: string) => string;
  readonly document: SourceDocument;
  readonly report: Report;
};

function build(input: ConfigInput, { load, resolvePath, document, report }: BuildContext): RuntimeConfig {
  // Names as the file has them: one whose entry is broken is not unknown.
  const providerNames = namesOf(document.tree, 'providers');
  const providers = buildProviders(input, load, report);
  checkNames(input, providerNames, report);
  const models = buildModels({ input, providers, providerNames, report });
  checkServes(input, providers, report);
  checkStore(input, report);
  const overrides = load.overrides ?? {};
  const server = buildServer(input, { ...load, overrides, resolvePath, report });
  const fallback = Object.entries(input.models ?? {}).find(([, model]) => model.default === true)?.[0];
  return {
    file: load.file,
    stateDir: overrides.stateDir ?? (input.stateDir === undefined ? load.stateDirDefault : resolvePath(input.stateDir)),
    server,
    auth: buildAuth(
      input,
      { host: server.host, hasFile: load.file !== null, command: load.command ?? 'understudy' },
      report,
    ),
    providers,
    models,
    catalogue: buildCatalogue({ input, providers, providerNames, report }),
    ...(fallback === undefined ? {} : { defaultModel: fallback }),
    health: buildHealth(input, report),
    responses: buildResponses(input),
    readiness: { probe: buildProbe(input) },
    store: buildStore(input, report),
    telemetry: buildTelemetry(input, report),
    warnings: report.warnings,
  };
}

function buildProviders(input: ConfigInput, load: LoadInput, report: Report): Map<string, BuiltProvider> {
  const modelDefaults = input.modelDefaults ?? {};
  const context = {
    presets: load.presets,
    secrets: load.secrets,
    modelDefaults,
    demoOrigin: load.demoOrigin ?? null,
    report,
  };
  const providers = new Map<string, BuiltProvider>();
  for (const [name, provider] of Object.entries(input.providers ?? {})) {
    const built = buildProvider(name, provider, context);
    if (built === null) continue;
    checkClocks(built.settings, [['providers', name], ['modelDefaults']], { input, report });
    providers.set(name, built);
  }
  return providers;
}

function checkServes(input: ConfigInput, providers: ReadonlyMap<string, BuiltProvider>, report: Report): void {
  const hasModels = Object.keys(input.models ?? {}).length > 0;
  const isOpen = ({ name, pinned }: BuiltProvider): boolean =>
    pinned === 'any' || (pinned === 'listed' && input.providers?.[name]?.discover === true);
  if (hasModels || [...providers.values()].some(isOpen)) return;
  refuse(report, ['models'], 'there is no model to serve', 'add one: models: { main: { targets: [provider/model] } }');
}

function namesOf(tree: unknown, key: string): string[] {
  if (tree === null || typeof tree !== 'object' || !Object.hasOwn(tree, key)) return [];
  const names = Reflect.get(tree, key);
  return names !== null && typeof names === 'object' && !Array.isArray(names) ? Object.keys(names) : [];
}

function inOrder(problems: readonly ConfigProblem[]): ConfigProblem[] {
  const place = (problem: ConfigProblem): number =>
    (problem.line ?? 0) * 100_000 + Math.min(problem.column ?? 0, 99_999);
  return [...problems].sort((a, b) => place(a) - place(b));
}

export type StateDirInput = Pick<LoadInput, 'text' | 'file' | 'stateDirDefault' | 'overrides'> & {
  readonly secrets: Pick<Secrets, 'variable'>;
};

/** The state directory that a configuration will have: secrets need it, and loading needs secrets. Never fails. */
export function findStateDir({ text, file, stateDirDefault, overrides, secrets }: StateDirInput): string {
  if (overrides?.stateDir !== undefined) return overrides.stateDir;
  const variable = (name: string): string | undefined => secrets.variable(name);
  const read = readSource({ text, file, secrets: { variable, file: () => new Secret('') }, unset: 'refuse' });
  const tree = read.ok ? read.document.tree : null;
  if (tree === null || typeof tree !== 'object' || !Object.hasOwn(tree, 'stateDir')) return stateDirDefault;
  const value: unknown = Reflect.get(tree, 'stateDir');
  const path = value instanceof Interpolated ? value.secret.reveal() : value;
  return read.ok && typeof path === 'string' && path !== '' ? read.resolvePath(path) : stateDirDefault;
}
