import { isNameOf, NAMES, type NameKind } from './names.ts';

/** What one member of an event may say. There is no kind for free text. */
export type Field = { readonly about: string } & (
  | { readonly type: 'word'; readonly words: readonly string[] }
  | { readonly type: 'name'; readonly kind: NameKind }
  | { readonly type: 'whole'; readonly least: number; readonly most: number }
  | { readonly type: 'flag' }
  | { readonly type: 'time' }
);

/** A name that fits its kind may still be refused, by those who know the names of the configuration. */
export type IsOurs = (kind: NameKind, name: string) => boolean;

type Check<T extends Field['type']> = (field: Extract<Field, { type: T }>, value: unknown, isOurs: IsOurs) => boolean;

const CHECKS: { readonly [T in Field['type']]: Check<T> } = {
  word: ({ words }, value) => typeof value === 'string' && words.includes(value),
  name: ({ kind }, value, isOurs) => typeof value === 'string' && isOurs(kind, value),
  whole: ({ least, most }, value) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most && !Object.is(value, -0),
  flag: (_, value) => typeof value === 'boolean',
  time: (_, value) => typeof value === 'string' && isTime(value),
};

/** Whether a value may stand in a field. Nothing is cut to fit. */
export const fits = (field: Field, value: unknown, isOurs: IsOurs = isNameOf): boolean =>
  (CHECKS[field.type] as Check<Field['type']>)(field, value, isOurs);

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** An instant as `Date` writes it, and one that the calendar has. */
function isTime(text: string): boolean {
  if (!TIME.test(text)) return false;
  const at = Date.parse(text);
  return !Number.isNaN(at) && new Date(at).toISOString() === text;
}

/** What may stand there, for people. */
export function sayField(field: Field): string {
  switch (field.type) {
    case 'word':
      return field.words.map((word) => `\`${word}\``).join(', ');
    case 'name':
      return `${NAMES[field.kind].form}, at most ${NAMES[field.kind].maxLength} characters`;
    case 'whole':
      return `a whole number, ${field.least} to ${field.most}`;
    case 'flag':
      return '`true`, `false`';
    case 'time':
      return '`2026-01-31T12:00:00.000Z`';
  }
}
