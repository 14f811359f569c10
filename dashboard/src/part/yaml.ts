/** What JSON can say. */
type Json = unknown;

const PLAIN = /^[A-Za-z_/][\w./ #-]*$/;
/** What YAML would read as something else than text. */
const WORDS = /^(?:true|false|yes|no|on|off|null|~|y|n)$/i;

/** A value as YAML, as people write it in a configuration: maps as blocks, short maps in lists on a line. */
export function toYaml(value: Json, depth = 0): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : list(value, depth);
  if (isMap(value)) return Object.keys(value).length === 0 ? '{}' : map(value, depth);
  return scalar(value);
}

const WIDTH = 100;

const isMap = (value: Json): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isDeep = (value: Json): boolean => typeof value === 'object' && value !== null && Object.keys(value).length > 0;

const indent = (depth: number): string => '  '.repeat(depth);

function list(items: readonly Json[], depth: number): string {
  return items
    .map(
      (item) =>
        `${indent(depth)}- ${isDeep(item) ? (onLine(item) ?? toYaml(item, depth + 1).trimStart()) : toYaml(item)}`,
    )
    .join('\n');
}

function map(value: Readonly<Record<string, Json>>, depth: number): string {
  return Object.entries(value)
    .map(([name, part]) => {
      const head = `${indent(depth)}${scalar(name)}:`;
      return isDeep(part) ? `${head}\n${toYaml(part, depth + 1)}` : `${head} ${toYaml(part)}`;
    })
    .join('\n');
}

/** A map whose parts are all short, on one line; null: it does not fit. */
function onLine(value: Json): string | null {
  if (!isMap(value) || Object.values(value).some((part) => Array.isArray(part) && part.length > 0)) return null;
  const parts = Object.entries(value).map(([name, part]) => {
    const text = isDeep(part) ? onLine(part) : toYaml(part);
    return text === null ? null : `${scalar(name)}: ${text}`;
  });
  const line = `{ ${parts.join(', ')} }`;
  return parts.includes(null) || line.length > WIDTH ? null : line;
}

function scalar(value: Json): string {
  if (typeof value !== 'string') return JSON.stringify(value) ?? 'null';
  const isPlain = PLAIN.test(value) && !WORDS.test(value) && !/\s$| #/.test(value);
  return isPlain || /^\d+(?:\.\d+)?(?:ms|s|m|h|d|KiB|MiB)$/.test(value) ? value : JSON.stringify(value);
}
