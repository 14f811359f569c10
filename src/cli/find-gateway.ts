import { type Env, openConfiguration } from '../app/configuration.ts';
import type { RuntimeConfig } from '../config/runtime.ts';
import { CommandError, EXIT } from './exit-code.ts';
import type { Gateway } from './gateway-client.ts';

const DEFAULT_URL = 'http://127.0.0.1:4180';
const EVERYWHERE = ['0.0.0.0', '::', '[::]'];

/** Where the gateway is and what opens it: `--url`, `UNDERSTUDY_URL`, else address and token of the configuration found. */
export function findGateway(options: { readonly url?: string; readonly config?: string }, env: Env): Gateway {
  const named = options.url ?? (env['UNDERSTUDY_URL'] || undefined);
  if (named !== undefined && !/^https?:\/\//.test(named)) {
    throw new CommandError(EXIT.wrongUse, `${named} is no URL: write it whole, such as ${DEFAULT_URL}.`);
  }
  const token = env['UNDERSTUDY_ADMIN_TOKEN'] || null;
  const found = readConfiguration(options, env, named === undefined);
  return {
    url: named ?? (found === null ? DEFAULT_URL : addressOf(found)),
    token: token ?? found?.auth.adminToken?.reveal() ?? null,
  };
}

/** With an address given, a configuration that can't be read is no matter. */
function readConfiguration(options: { readonly config?: string }, env: Env, isNeeded: boolean): RuntimeConfig | null {
  const opened = openConfiguration(options, env, process.cwd());
  const loaded = opened.ok ? opened.configuration.load(opened.configuration.text, null) : null;
  if (loaded?.ok) return loaded.config;
  if (!isNeeded) return null;
  const file = opened.ok && opened.configuration.source.kind === 'file' ? opened.configuration.source.file.file : 'It';
  throw new CommandError(
    EXIT.configuration,
    opened.ok
      ? `${file} is not valid: see "understudy check", or name the gateway with --url.`
      : `${opened.file}: ${opened.message}`,
  );
}

function addressOf({ server }: RuntimeConfig): string {
  const bare = EVERYWHERE.includes(server.host) ? '127.0.0.1' : server.host;
  const host = bare.includes(':') && !bare.startsWith('[') ? `[${bare}]` : bare;
  return `${server.tls === null ? 'http' : 'https'}://${host}:${server.port}`;
}
