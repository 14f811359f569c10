import type { RuntimeConfig } from '../config/runtime.ts';
import { entryBody, rollbackBody } from './config-contract.ts';
import type { ConfigEdit, ConfigEditAnswer, ConfigSection } from './config-editor.ts';
import type { ConfigChange, ConfigVersion, ModelEntry, ProviderEntry } from './contract.ts';
import { readJson } from './read-json.ts';
import { viewSettings } from './settings-view.ts';
import { formatTime } from './time.ts';
import { type ManagementAnswer, type ManagementPorts, type ManagementRequest, notFound, problem } from './types.ts';

type Run = (
  ids: readonly string[],
  request: ManagementRequest,
  ports: ManagementPorts,
) => Promise<ManagementAnswer> | ManagementAnswer;

/** `GET /models` and `GET /providers`, with what the file says of each. */
export const listEntries =
  (section: ConfigSection): Run =>
  (_ids, { config }, { editor }) => {
    const file = editor?.read() ?? null;
    const data = VIEWS[section](config).map((entry) => ({
      ...entry,
      config: file?.entries[section].get(entry.name) ?? null,
    }));
    const version = file?.version ?? null;
    return { ok: true, body: { data, next: null, version }, ...tagOf(version) };
  };

/** `GET /models/{name}` and `GET /providers/{name}`. */
export const showEntry =
  (section: ConfigSection): Run =>
  ([name = ''], { config }, { editor }) => {
    const file = editor?.read() ?? null;
    const found = VIEWS[section](config).find((entry) => entry.name === name);
    if (found === undefined) return noEntry(section, name);
    const written = file?.entries[section].get(name) ?? null;
    return { ok: true, body: { ...found, config: written }, ...tagOf(file?.version ?? null) };
  };

export const putEntry =
  (section: ConfigSection): Run =>
  ([name = ''], request, ports) => {
    const body = entryBody.safeParse(readJson(request.body));
    if (!body.success) {
      return problem(400, 'invalid_request_error', `The body is the entry under ${section} of the file, as JSON.`);
    }
    return edit({ kind: 'put', section, name, value: body.data }, request, ports);
  };

export const deleteEntry =
  (section: ConfigSection): Run =>
  ([name = ''], request, ports) =>
    edit({ kind: 'delete', section, name }, request, ports);

/** The version that a rollback asks for; null where its body names none. */
export function namedVersion({ body }: Pick<ManagementRequest, 'body'>): string | null {
  const read = rollbackBody.safeParse(readJson(body));
  return read.success ? read.data.version : null;
}

export const rollBack: Run = (_ids, request, ports) => {
  const version = namedVersion(request);
  if (version === null)
    return problem(400, 'invalid_request_error', 'The body is {"version": one of /config/versions}.');
  return edit({ kind: 'rollback', version }, request, ports);
};

export const listVersions: Run = (_ids, _request, { editor }) => {
  const current = editor?.read()?.version ?? null;
  const data = (editor?.versions() ?? []).map(
    ({ version, savedAt, bytes }): ConfigVersion => ({
      version,
      saved_at: formatTime(savedAt),
      is_current: version === current,
      bytes,
    }),
  );
  return { ok: true, body: { data, next: null } };
};

async function edit(
  edit: ConfigEdit,
  { headers }: ManagementRequest,
  { editor }: ManagementPorts,
): Promise<ManagementAnswer> {
  if (editor === undefined)
    return problem(409, 'config_unavailable', 'The configuration can not be changed from here.');
  const expected = /^\s*(?:W\/)?"?([\w-]{1,64})"?\s*$/.exec(headers['if-match'] ?? '')?.[1] ?? null;
  if (expected === null && headers['if-match'] !== undefined && headers['if-match'].trim() !== '*') {
    return problem(400, 'invalid_request_error', 'If-Match is a version, as the lists tell it.');
  }
  return answerEdit(await editor.edit(edit, expected));
}

type Refused = Extract<ConfigEditAnswer, { ok: false }>;

const REFUSALS: { readonly [W in Refused['why']]: (refused: Refused) => ManagementAnswer } = {
  no_file: ({ message }) => problem(409, 'config_unavailable', message),
  not_writable: ({ message }) => problem(409, 'config_unavailable', message),
  not_taken: ({ message }) => problem(503, 'config_unavailable', message),
  conflict: ({ message }) => problem(412, 'config_changed', message),
  missing: ({ message }) => notFound(message),
  invalid({ message, problems = [] }) {
    const { problem: told } = problem(422, 'config_invalid', message);
    return { ok: false, problem: { ...told, problems } };
  },
};

function answerEdit(answer: ConfigEditAnswer): ManagementAnswer {
  if (!answer.ok) return REFUSALS[answer.why](answer);
  const { version, changed, warnings, needsRestart } = answer;
  const body: ConfigChange = { version, changed, warnings: [...warnings], needs_restart: [...needsRestart] };
  return { ok: true, body, ...tagOf(version) };
}

const tagOf = (version: string | null) => (version === null ? {} : { headers: { etag: `"${version}"` } });

const noEntry = (section: ConfigSection, name: string): ManagementAnswer =>
  notFound(
    `There is nothing named ${JSON.stringify(name.slice(0, 200))} under ${section}: GET /api/v1/${section} lists them.`,
  );

type Views = { readonly models: ModelEntry; readonly providers: ProviderEntry };

const VIEWS: { readonly [S in ConfigSection]: (config: RuntimeConfig) => readonly Omit<Views[S], 'config'>[] } = {
  models: (config) =>
    [...config.models.values()].map((model) => ({
      name: model.name,
      aliases: [...model.aliases],
      default: config.defaultModel === model.name,
      strategy: model.strategy,
      targets: model.targets.map(({ id }) => id),
      settings: viewSettings(model.settings),
    })),
  providers: (config) =>
    [...config.providers.values()].map((provider) => ({
      name: provider.name,
      preset: provider.preset,
      protocol: provider.protocol,
      origin: provider.origin,
      endpoint: provider.endpoint,
      credentials: provider.credentials.map(({ name }) => name),
      pinned: provider.pinned,
      models: [...config.models.values()]
        .filter((model) => model.targets.some((target) => target.provider === provider.name))
        .map(({ name }) => name),
    })),
};
