import { type LoadResult, loadConfig } from '../../config/load.ts';
import { Secret } from '../../core/redact/secret.ts';
import type { Secrets } from '../../port/secrets.ts';
import { PRESETS } from '../../provider/registry.ts';

const TOTAL_MEMORY = 8 * 1024 ** 3;

/** Every variable and file of a made-up world has a value, which nobody else has. */
const SECRETS: Secrets = {
  variable: (name) => (name === 'HOME' ? '/home/me' : `sk-simulated-${name}-4f1c9a2e7b3d`),
  file: (path) => new Secret(`sk-simulated-file-${path.length}-4f1c9a2e7b3d`),
  fingerprint: (parts) => parts.join('\u0000'),
};

/** Reads the configuration that a scenario carries. */
export const loadWorldConfig = (config: Readonly<Record<string, unknown>>): LoadResult =>
  loadConfig({
    text: JSON.stringify(config),
    file: null,
    format: 'json',
    presets: PRESETS,
    secrets: SECRETS,
    totalMemoryBytes: TOTAL_MEMORY,
    stateDirDefault: '/home/me/state',
  });
