import { Secret } from '../core/redact/secret.ts';
import type { Secrets } from '../port/secrets.ts';
import { buildModels } from './build-models.ts';
import { type BuiltProvider, buildProvider } from './build-provider.ts';
import {
  buildAuth,
  buildHealth,
  buildServer,
  buildStore,
  buildTelemetry,
  checkStore,
  type Overrides,
  resolvePathFrom,
} from './build-server.ts';
import { checkClocks } from './check-clocks.ts';
import { checkNames } from './check-names.ts';
import { readDocument, type SourceDocument } from './document.ts';
import { freeze } from './freeze.ts';
import { Interpolated, interpolate } from './interpolate.ts';
import type { PresetData } from './preset-data.ts';
import { type ConfigProblem, type Finding, formatPath, type Path } from './problem.ts';
import { createReport, type Report, refuse } from './report.ts';
import type { RuntimeConfig } from './runtime.ts';
import type { ConfigInput } from './schema/index.ts';
import { findUnavailable } from './unavailable.ts';
import { isTouched, validateTree } from './validate.ts';

export type LoadInput = {
  readonly text: string;
  /** Absolute path; null for a configuration that no file holds. */
  readonly file: string | null;
  /** For people: JSON is read as the YAML that it is. */
  readonly format?: 'yaml' | 'json';
  readonly presets: readonly PresetData[];
  readonly secrets: Secrets;
  readonly totalMemoryBytes: number;
  readonly stateDirDefault: string;
  /** Where the demo's fake providers listen; null or absent where none run. */
  readonly demoOrigin?: string | null;
  readonly overrides?: Overrides;
};

export type LoadResult =
  | { readonly ok: true; readonly config: RuntimeConfig }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/**
 * From the text of a configuration file to what runs, or everything that is wrong with it. Reads nothing but variables
 * and secret files, through the port.
 */
export function loadConfig(load: LoadInput): LoadResult {
  const resolvePath = (path: string): string =>
    resolvePathFrom(path, { file: load.file, home: load.secrets.variable('HOME') });
  const interpolated = new Set<string>();
  const read = readDocument(load.text, (text) => {
    const result = interpolate(text, { secrets: load.secrets, resolvePath });
    if (result.ok && result.value instanceof Interpolated) interpolated.add(result.value.secret.reveal());
    return result;
  });
  if (!read.ok) return { ok: false, problems: read.problems };
  const { document, problems, damaged } = read;
  const validation = validateTree(document.tree, damaged);
  const told: Finding[] = [...validation.findings, ...findUnavailable(document.tree)];
  const report = createReport();
  const config = validation.input === null ? null : build(validation.input, { load, resolvePath, document, report });
  // What hangs on something that is wrong already is no news.
  const known: Path[] = [...validation.pruned, ...told.map((finding) => finding.path)];
  const news = report.findings.filter((finding) => !isTouched(finding.path, known));
  const hide = hiderOf(interpolated);
  const all = [...problems, ...[...told, ...news].map((finding) => locateFinding(finding, document, hide))];
  if (all.length > 0 || config === null) return { ok: false, problems: inOrder(all) };
  return { ok: true, config: freeze({ ...config, warnings: report.warnings.map(hide) }) };
}

/** Shorter values are words, not secrets, and would take other text along. */
const SHORTEST_HIDDEN = 4;

/** Takes values that came from the environment or from files out of a text for people. */
function hiderOf(values: ReadonlySet<string>): (text: string) => string {
  const hidden = [...values].filter((value) => value.length >= SHORTEST_HIDDEN).sort((a, b) => b.length - a.length);
  return (text) => hidden.reduce((cleaned, value) => cleaned.replaceAll(value, '[interpolated]'), text);
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
    auth: buildAuth(input, { host: server.host, hasFile: load.file !== null }, report),
    providers,
    models,
    ...(fallback === undefined ? {} : { defaultModel: fallback }),
    health: buildHealth(input, report),
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
  if (hasModels || [...providers.values()].some((provider) => provider.pinned === 'any')) return;
  refuse(report, ['models'], 'there is no model to serve', 'add one: models: { main: { targets: [provider/model] } }');
}

function namesOf(tree: unknown, key: string): string[] {
  if (tree === null || typeof tree !== 'object' || !Object.hasOwn(tree, key)) return [];
  const names = Reflect.get(tree, key);
  return names !== null && typeof names === 'object' && !Array.isArray(names) ? Object.keys(names) : [];
}

function locateFinding(finding: Finding, document: SourceDocument, hide: (text: string) => string): ConfigProblem {
  const { line, column } = document.locate(finding.path, finding.atKey === true);
  const hint = finding.hint === undefined || finding.hint === null ? null : hide(finding.hint);
  return { path: formatPath(finding.path), line, column, message: hide(finding.message), hint };
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
  const resolvePath = (path: string): string => resolvePathFrom(path, { file, home: secrets.variable('HOME') });
  const sources = {
    secrets: { variable: (name: string) => secrets.variable(name), file: () => new Secret('') },
    resolvePath,
  };
  const read = readDocument(text, (string) => interpolate(string, sources));
  const tree = read.ok ? read.document.tree : null;
  if (tree === null || typeof tree !== 'object' || !Object.hasOwn(tree, 'stateDir')) return stateDirDefault;
  const value: unknown = Reflect.get(tree, 'stateDir');
  const path = value instanceof Interpolated ? value.secret.reveal() : value;
  return typeof path === 'string' && path !== '' ? resolvePath(path) : stateDirDefault;
}
