import { isMap, parseDocument } from 'yaml';
import { PARSE_OPTIONS } from './edit-text.ts';
import { dataOf, nameOf } from './merge-node.ts';

/** An entry as it is written in the file. */
export type Written = Readonly<Record<string, unknown>>;

/** A reference and nothing else, but for the word in front of a token: it tells where a secret is, and nothing of it. */
const REFERENCE = /^\s*(?:Bearer\s+)?\$\{(?:[A-Za-z_][A-Za-z0-9_]*|file:[^{}]+)\}\s*$/;

/** Whether a text tells where a secret is, and nothing of it. */
export const isReference = (text: unknown): boolean => typeof text === 'string' && REFERENCE.test(text);

/** The entries of a section as they are written, references and all; an empty map where they can't be read. */
export function readEntries(text: string, section: string): ReadonlyMap<string, Written> {
  const document = parseDocument(text, PARSE_OPTIONS);
  if (document.errors.length > 0 || !isMap(document.contents)) return new Map();
  const found = document.contents.items.find(({ key }) => nameOf(key) === section)?.value;
  if (!isMap(found)) return new Map();
  return new Map(found.items.map(({ key, value }) => [nameOf(key), asMap(dataOf(document, value))]));
}

const asMap = (value: unknown): Written => (isWritten(value) ? value : {});

export const isWritten = (value: unknown): value is Written =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A provider's entry with null for each secret that stands in the file itself. */
export function hideSecrets(provider: Written): Written {
  return changeSecrets(provider, (secret) => (isReference(secret) ? secret : null));
}

/**
 * A provider's entry as it is to be written, out of what a client sent: a secret that it does not name, or says null of,
 * is what the file has; one that it says is empty goes. Null: it says null of a secret that the file does not have.
 */
export function keepSecrets(sent: Written, known: Written): Written | null {
  const { apiKey, credentials, headers, ...rest } = sent;
  const pool = Array.isArray(credentials) ? credentials : credentials === undefined ? null : [];
  const kept = {
    ...rest,
    ...member('apiKey', apiKey ?? known['apiKey'], ''),
    ...(credentials == null
      ? member('credentials', known['credentials'])
      : { credentials: pool?.map((item) => keepOf(item, known)) ?? credentials }),
    ...(headers == null ? member('headers', known['headers']) : { headers: keepHeaders(headers, known['headers']) }),
  };
  return hasHole(kept) ? null : inOrderOf(kept, sent, known);
}

const member = (key: string, value: unknown, gone?: unknown): Written =>
  value === undefined || value === gone ? {} : { [key]: value };

function keepOf(item: unknown, known: Written): unknown {
  if (!isWritten(item)) return item;
  const before = (Array.isArray(known['credentials']) ? known['credentials'] : []).find(
    (each) => isWritten(each) && each['name'] === item['name'],
  );
  return { ...item, apiKey: item['apiKey'] ?? (isWritten(before) ? before['apiKey'] : undefined) ?? null };
}

function keepHeaders(headers: unknown, known: unknown): unknown {
  if (!isWritten(headers)) return headers;
  const before = isWritten(known) ? known : {};
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, value ?? before[name] ?? null]));
}

/** Keys as they were sent, those that were kept where the file has them. */
function inOrderOf(entry: Written, sent: Written, known: Written): Written {
  const order = [...Object.keys(sent), ...Object.keys(known)];
  const keys = [...new Set(order)].filter((key) => Object.hasOwn(entry, key));
  return Object.fromEntries(keys.map((key) => [key, entry[key]]));
}

function hasHole(entry: Written): boolean {
  let isHole = false;
  changeSecrets(entry, (secret) => {
    isHole ||= secret === null;
    return secret;
  });
  return isHole;
}

/** Each place of a provider that holds a secret. */
function changeSecrets(provider: Written, change: (secret: unknown) => unknown): Written {
  const { apiKey, credentials, headers } = provider;
  return {
    ...provider,
    ...(apiKey === undefined ? {} : { apiKey: change(apiKey) }),
    ...(Array.isArray(credentials)
      ? {
          credentials: credentials.map((item) =>
            isWritten(item) && 'apiKey' in item ? { ...item, apiKey: change(item['apiKey']) } : item,
          ),
        }
      : {}),
    ...(isWritten(headers)
      ? { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)])) }
      : {}),
  };
}
