import { type Env, openConfiguration } from '../app/configuration.ts';
import { tellProblems } from '../config/problem.ts';
import type { Access } from '../config/read-access.ts';
import { CommandError, EXIT } from './exit-code.ts';
import type { Gateway } from './gateway-client.ts';
import { fileOf, noConfiguration } from './open-configuration.ts';

const DEFAULT_URL = 'http://127.0.0.1:4180';
const TOKEN = 'UNDERSTUDY_ADMIN_TOKEN';
const EVERYWHERE = ['0.0.0.0', '::', '[::]'];

/**
 * Where the gateway is and what opens it: `--url`, `UNDERSTUDY_URL`, else address and token of the configuration found.
 */
export function findGateway(options: { readonly url?: string; readonly config?: string }, env: Env): Gateway {
  const named = options.url ?? (env['UNDERSTUDY_URL'] || undefined);
  if (named !== undefined && !(/^https?:\/\//.test(named) && URL.canParse(named))) {
    throw new CommandError(EXIT.wrongUse, `${named} is no URL: write it whole, such as ${DEFAULT_URL}.`);
  }
  const token = env[TOKEN] || null;
  const found = readConfiguration(options, env, { isAddress: named === undefined, isToken: token === null });
  return {
    url: named ?? (found === null ? DEFAULT_URL : addressOf(found)),
    token: token ?? found?.adminToken?.reveal() ?? null,
    tokenFrom: token === null ? 'auth.adminToken in the configuration that was found' : TOKEN,
    isNamed: named !== undefined,
  };
}

type Needs = { readonly isAddress: boolean; readonly isToken: boolean };

/**
 * With an address given, a configuration that can't be read is no matter; nor is its token, if the environment has one.
 */
function readConfiguration(options: { readonly config?: string }, env: Env, needs: Needs): Access | null {
  const opened = openConfiguration(options, env, process.cwd());
  if (!opened.ok) {
    if (!needs.isAddress) return null;
    throw noConfiguration(opened, EXIT.configuration);
  }
  const read = opened.configuration.readAccess({ needsToken: needs.isToken });
  if (read.ok) return read.access;
  if (!needs.isAddress) return null;
  const hint = `Only the address and the admin token are needed here: or name the gateway with --url${
    needs.isToken ? ', and its token with UNDERSTUDY_ADMIN_TOKEN' : ''
  }.`;
  throw new CommandError(EXIT.configuration, `${tellProblems(read.problems, fileOf(opened.configuration))}\n${hint}`);
}

function addressOf({ host: given, port, isEncrypted }: Access): string {
  const bare = EVERYWHERE.includes(given) ? '127.0.0.1' : given;
  const host = bare.includes(':') && !bare.startsWith('[') ? `[${bare}]` : bare;
  return `${isEncrypted ? 'https' : 'http'}://${host}:${port}`;
}
