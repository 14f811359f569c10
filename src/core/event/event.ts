import { type Field, fits, type IsOurs } from './field.ts';
import { isNameOf } from './names.ts';
import { AT, definitionOf, type EventName, isEventName } from './schema.ts';

type Value = string | number | boolean;

/** What happened, in words, names and numbers of the schema. A member that is absent was not known, or did not fit. */
export type TelemetryEvent = {
  readonly event: EventName;
  readonly v: number;
  readonly at?: string;
  readonly request?: string;
  readonly [member: string]: Value | undefined;
};

export type MadeEvent = {
  readonly event: TelemetryEvent;
  /** Members that the schema does not have, and values that their fields do not take. Null and undefined are neither. */
  readonly dropped: number;
};

/** Longer than any event. */
export const MAX_EVENT_LENGTH = 2048;

/** Members behind `event` and `v`, in the order in which they are written. */
const membersOf = (name: EventName): readonly (readonly [string, Field])[] => [
  ['at', AT],
  ...Object.entries(definitionOf(name).fields),
];

/**
 * An event of what is known. `at` may be epoch ms. What the schema does not have is left out and counted, whole: a value
 * is never cut to fit. `isOurs` decides on names, instead of their form alone.
 */
export function makeEvent(
  name: EventName,
  fields: Readonly<Record<string, unknown>>,
  isOurs: IsOurs = isNameOf,
): MadeEvent {
  const told = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  const given = new Map<string, unknown>(told.map(([key, value]) => [key, key === 'at' ? toTime(value) : value]));
  const taken = membersOf(name).filter(([key, field]) => given.has(key) && fits(field, given.get(key), isOurs));
  const members = taken.map(([key]) => [key, given.get(key)] as const);
  const event = { event: name, v: definitionOf(name).version, ...Object.fromEntries(members) } as TelemetryEvent;
  return { event, dropped: given.size - taken.length };
}

/** The years that are written with four digits. */
const LAST = 253_402_300_799_999;

const toTime = (value: unknown): unknown =>
  typeof value === 'number' && value >= 0 && value <= LAST ? new Date(value).toISOString() : value;

/** One line, without its end. */
export const writeEvent = (event: TelemetryEvent): string => JSON.stringify(event);

/**
 * The event that a line is, whole and as `writeEvent` writes it (members in any order); null for everything else. What is
 * given back is made anew of what the schema knows.
 */
export function readEvent(line: string): TelemetryEvent | null {
  const members = readFlat(line);
  const name = members?.get('event');
  if (members === null || !isEventName(name) || members.get('v') !== definitionOf(name).version) return null;
  const { event, dropped } = makeEvent(
    name,
    Object.fromEntries([...members].filter(([key]) => !OPENING.includes(key))),
  );
  return dropped === 0 ? event : null;
}

const OPENING: readonly string[] = ['event', 'v'];

/**
 * The members of an object without others inside, if the line is just as JSON is written of it: then no member stands
 * twice, nothing is escaped that need not be, no number has another form, and nothing stands before or behind.
 */
export function readFlat(line: string): ReadonlyMap<string, Value> | null {
  if (line.length > MAX_EVENT_LENGTH || !line.startsWith('{"')) return null;
  const parsed = parse(line);
  if (typeof parsed !== 'object' || parsed === null || JSON.stringify(parsed) !== line) return null;
  const members = Object.entries(parsed);
  return members.every((member): member is [string, Value] => isValue(member[1])) ? new Map(members) : null;
}

const isValue = (value: unknown): value is Value => ['string', 'number', 'boolean'].includes(typeof value);

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return null;
  }
}
