import { Secret } from '../core/redact/secret.ts';
import type { ProviderRuntime } from '../core/routing/provider.ts';
import type { PresetData } from './preset-data.ts';
import type { Path } from './problem.ts';
import { type Report, refuse } from './report.ts';
import type { ProviderInput } from './schema/index.ts';

type Credential = { readonly name: string; readonly secret: Secret };

/** The pool of a provider; one without a key has a single empty credential. */
export function credentialsOf(
  name: string,
  input: ProviderInput,
  preset: PresetData | null,
  report: Report,
): readonly Credential[] {
  const path = ['providers', name];
  if (input.apiKey !== undefined && input.credentials !== undefined) {
    refuse(
      report,
      [...path, 'credentials'],
      'stands beside apiKey',
      'keep one of the two: a pool has its keys in credentials',
    );
  }
  if (input.credentials !== undefined) return poolOf(name, input.credentials, report);
  if (input.apiKey !== undefined) {
    checkKey(input.apiKey, [...path, 'apiKey'], report);
    return [{ name: 'default', secret: input.apiKey }];
  }
  if (needsKey(input, preset)) {
    refuse(report, path, 'needs an apiKey', `add apiKey: "\${${preset?.keyVariable}}"`);
  }
  return [{ name: 'default', secret: new Secret('') }];
}

/** A key goes into a header: it must be there, in one line of plain text. */
export function checkKey(key: Secret, path: Path, report: Report): void {
  const source = report.sourceOf(path);
  const subject = source === null ? '' : `${source} `;
  const place = source ?? 'the variable or file that it comes from';
  if (key.isEmpty) {
    refuse(report, path, `${subject}is an empty key`, `set ${place}, or remove the entry`);
  } else if (PLACEHOLDER.test(key.reveal())) {
    refuse(report, path, `${subject}holds "…", which no key has`, '"…" stands for your key: put that in its place');
  } else if (!/^[\x21-\x7e]+$/.test(key.reveal())) {
    const what = 'holds a space, a line break or another character that no key has';
    refuse(report, path, `${subject}${what}`, `check ${source ?? 'the variable or file'}`);
  }
}

/** As samples have it where a key belongs. */
const PLACEHOLDER = /…|^\.+$/;

/** A known vendor at its own address, and no header that could stand in for the key. */
function needsKey(input: ProviderInput, preset: PresetData | null): boolean {
  const hasOwnAuth = Object.keys(input.headers ?? {}).some((header) =>
    ['authorization', 'x-api-key', 'api-key'].includes(header.toLowerCase()),
  );
  return preset?.keyVariable != null && input.baseUrl === undefined && !hasOwnAuth;
}

function poolOf(name: string, pool: NonNullable<ProviderInput['credentials']>, report: Report): readonly Credential[] {
  const path = ['providers', name, 'credentials'];
  if (pool.length === 0) refuse(report, path, 'is an empty pool', 'add a credential, or remove the key');
  const names = new Set<string>();
  const values = new Map<string, string>();
  pool.forEach((credential, index) => {
    if (names.has(credential.name)) {
      refuse(
        report,
        [...path, index, 'name'],
        `two credentials are named "${credential.name}"`,
        'give each a name of its own',
      );
    }
    names.add(credential.name);
    checkKey(credential.apiKey, [...path, index, 'apiKey'], report);
    const twin = values.get(credential.apiKey.reveal());
    if (twin !== undefined && !credential.apiKey.isEmpty) {
      report.warnings.push({ code: 'same_key', provider: name, first: twin, second: credential.name });
    }
    values.set(credential.apiKey.reveal(), credential.name);
  });
  return pool.map((credential) => ({ name: credential.name, secret: credential.apiKey }));
}

const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
/** Visible text of Latin-1: what a header field may hold. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Written by the transport itself. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'content-type',
  'transfer-encoding',
  'upgrade',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
]);

/** Its own headers, names in lower case. Any of them may carry a key. */
export function headersOf(name: string, input: ProviderInput, report: Report): ProviderRuntime['headers'] {
  const headers: [string, Secret][] = [];
  for (const [header, value] of Object.entries(input.headers ?? {})) {
    const path = ['providers', name, 'headers', header];
    const lower = header.toLowerCase();
    if (!HEADER_NAME.test(header)) refuse(report, path, 'is no header name');
    else if (OWN_HEADERS.has(lower)) refuse(report, path, 'is a header that the gateway writes itself', 'remove it');
    else if (headers.some(([other]) => other === lower))
      refuse(report, path, 'stands twice', 'case makes no difference');
    else if (!HEADER_VALUE.test(value.reveal()))
      refuse(report, path, 'holds what a header can not hold', 'a single line of plain text');
    else if (!value.isEmpty) headers.push([lower, value]);
  }
  return Object.fromEntries(headers);
}
