import type { RuntimeConfig } from '../config/runtime.ts';
import { cleanName, cleanText, createScrubber } from '../core/redact/index.ts';

export type SecretMemory = {
  scrub(text: string): string;
  /** The same, and everything that looks like a secret. */
  clean(text: string, maxLength?: number): string;
  /** The same for names and ids, which may look like one. */
  cleanName(text: string): string;
  learn(config: RuntimeConfig): void;
};

/** Takes known secrets out of texts. It never forgets: what was a secret before a reload may still be echoed. */
export function createSecretMemory(first: RuntimeConfig): SecretMemory {
  const known = new Set(secretsOf(first));
  let scrub = createScrubber([...known]);
  return {
    scrub: (text) => scrub(text),
    clean: (text, maxLength) => cleanText(text, { scrub, ...(maxLength === undefined ? {} : { maxLength }) }),
    cleanName: (text) => cleanName(text, { scrub }),
    learn(config) {
      for (const secret of secretsOf(config)) known.add(secret);
      scrub = createScrubber([...known]);
    },
  };
}

/** What a configuration keeps secret, as it is written where it is used. */
export function secretsOf({ providers, auth, telemetry }: RuntimeConfig): readonly string[] {
  const credentials = [...providers.values()].flatMap((provider) => provider.credentials.map((c) => c.secret));
  const tokens = [auth.adminToken, telemetry.prometheus.token].filter((token) => token !== null);
  const all = [...credentials, ...auth.keys.map((key) => key.secret), ...tokens];
  return [...all.filter((secret) => !secret.isEmpty).map((secret) => secret.reveal()), ...secretHeaders(providers)];
}

const SECRET_HEADER = /auth|key|token|secret|cookie|password/i;

/** A key may stand in a provider's own headers, with a word like "Bearer" before it. */
function secretHeaders(providers: RuntimeConfig['providers']): readonly string[] {
  const headers = [...providers.values()].flatMap((provider) => Object.entries(provider.headers));
  return headers.filter(([name]) => SECRET_HEADER.test(name)).flatMap(([, value]) => value.reveal().split(' '));
}
