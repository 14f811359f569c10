import { hash, timingSafeEqual } from 'node:crypto';
import type { ClientKey, RuntimeConfig } from '../config/runtime.ts';
import type { Headers } from '../core/model/protocol.ts';
import type { Secret } from '../core/redact/secret.ts';

type Hashed = { readonly key: ClientKey; readonly digest: Buffer };

/** Keys of a configuration as hashes, made once for each configuration. */
const hashedKeys = new WeakMap<RuntimeConfig, readonly Hashed[]>();

/**
 * Texts that were found to be keys, so that a client who comes again and again is hashed once. Only whole keys get in:
 * whoever finds one here knows it already.
 */
const provedKeys = new WeakMap<RuntimeConfig, Map<string, ClientKey>>();

const sha256 = (text: string): Buffer => hash('sha256', text, 'buffer');

/** Everything in a request that may be a key, on whatever path: clients of all protocols call all paths. */
function presentedKeys(headers: Headers): readonly string[] {
  const bearer = bearerToken(headers);
  return [bearer, headers['x-api-key'], headers['x-goog-api-key']].filter(
    (k) => k !== undefined && k !== '',
  ) as string[];
}

/** The token of `Authorization: Bearer`. */
function bearerToken(headers: Headers): string | undefined {
  return /^Bearer[ \t]+(\S+)[ \t]*$/i.exec(headers['authorization'] ?? '')?.[1];
}

/**
 * The client key that a request carries, or null. Hashes of equal length are compared, all of them, so that time tells
 * nothing of a key.
 */
export function findClientKey(config: RuntimeConfig, headers: Headers): ClientKey | null {
  const presented = presentedKeys(headers);
  const [only] = presented;
  if (only === undefined) return null;
  const proved = provedKeys.get(config)?.get(only);
  if (proved !== undefined) return proved;
  const known = hashesOf(config);
  let found: ClientKey | null = null;
  for (const text of presented) {
    const digest = sha256(text);
    for (const entry of known) {
      if (!timingSafeEqual(digest, entry.digest)) continue;
      found ??= entry.key;
      remember(config, text, entry.key);
    }
  }
  return found;
}

function remember(config: RuntimeConfig, text: string, key: ClientKey): void {
  const proved = provedKeys.get(config) ?? new Map<string, ClientKey>();
  provedKeys.set(config, proved);
  if (!proved.has(text)) proved.set(text, key);
}

/** Whether the request carries the admin token. */
export const hasAdminToken = (config: RuntimeConfig, headers: Headers): boolean =>
  isBearer(headers, config.auth.adminToken);

/** Whether the request carries the token for metrics. */
export const hasMetricsToken = (config: RuntimeConfig, headers: Headers): boolean =>
  isBearer(headers, config.telemetry.prometheus.token);

/** Whether a text is the admin token. */
export const isAdminToken = (config: RuntimeConfig, text: string): boolean => isSecret(text, config.auth.adminToken);

const isBearer = (headers: Headers, wanted: Secret | null): boolean => isSecret(bearerToken(headers), wanted);

function isSecret(text: string | undefined, wanted: Secret | null): boolean {
  if (text === undefined || wanted === null || wanted.isEmpty) return false;
  return timingSafeEqual(sha256(text), sha256(wanted.reveal()));
}

function hashesOf(config: RuntimeConfig): readonly Hashed[] {
  const made = hashedKeys.get(config);
  if (made) return made;
  const hashes = config.auth.keys
    .filter((key) => !key.secret.isEmpty)
    .map((key) => ({ key, digest: sha256(key.secret.reveal()) }));
  hashedKeys.set(config, hashes);
  return hashes;
}
