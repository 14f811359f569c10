import type { Secret } from '../core/redact/secret.ts';
import { findHostFault } from './build-server.ts';
import { DEFAULT_SERVER } from './defaults.ts';
import type { LoadInput } from './load.ts';
import { type ConfigProblem, formatPath, type Path } from './problem.ts';
import { readSource } from './read-source.ts';
import type { ConfigInput } from './schema/index.ts';
import { validateTree } from './validate.ts';

/** How to reach the gateway that runs on a configuration. */
export type Access = {
  readonly host: string;
  readonly port: number;
  readonly isEncrypted: boolean;
  readonly adminToken: Secret | null;
};

export type AccessResult =
  | { readonly ok: true; readonly access: Access }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/** Everything that is looked at; what is wrong elsewhere is the running gateway's affair. */
const NEEDED: readonly Path[] = [
  ['server', 'host'],
  ['server', 'port'],
  ['auth', 'adminToken'],
];

/**
 * The address and the admin token of a configuration, for commands that only ask a gateway: a provider's key that is
 * not set in this terminal does not matter to them.
 */
export function readAccess(
  { text, file, secrets }: Pick<LoadInput, 'text' | 'file' | 'secrets'>,
  { needsToken }: { readonly needsToken: boolean },
): AccessResult {
  const read = readSource({ text, file, secrets, unset: 'refuse' });
  if (!read.ok) return { ok: false, problems: read.problems };
  const { document, problems, damaged, place } = read;
  const needed = NEEDED.filter(([section]) => needsToken || section !== 'auth').map(formatPath);
  const unread = problems.filter(({ path }) => needed.includes(path));
  const { input, findings } = validateTree(
    pickNeeded(document.tree, needed),
    damaged.filter((path) => needed.includes(formatPath(path))),
  );
  const access = accessOf(input, document.tree);
  const fault = findHostFault(access.host);
  const found = fault === null ? findings : [...findings, fault];
  const wrong = [...unread, ...found.map(place)];
  return wrong.length > 0 || input === null ? { ok: false, problems: wrong } : { ok: true, access };
}

function accessOf(input: ConfigInput | null, tree: unknown): Access {
  const { host = DEFAULT_SERVER.host, port = DEFAULT_SERVER.port } = input?.server ?? {};
  const token = input?.auth?.adminToken;
  const tls = memberAt(tree, ['server', 'tls']);
  return {
    host,
    port,
    isEncrypted: tls !== null && typeof tls === 'object' && Object.keys(tls).length > 0,
    adminToken: token === undefined || token.isEmpty ? null : token,
  };
}

function pickNeeded(tree: unknown, needed: readonly string[]): object {
  const out: Record<string, Record<string, unknown>> = {};
  for (const [section = '', key = ''] of needed.map((path) => path.split('.'))) {
    const value = memberAt(tree, [section, key]);
    if (value !== undefined) out[section] = { ...out[section], [key]: value };
  }
  return out;
}

function memberAt(tree: unknown, path: readonly string[]): unknown {
  let node = tree;
  for (const key of path) {
    if (node === null || typeof node !== 'object' || !Object.hasOwn(node, key)) return undefined;
    node = Reflect.get(node, key);
  }
  return node;
}
