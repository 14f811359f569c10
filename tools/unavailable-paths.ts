import { ROUTES } from '../src/server/routes.ts';

/** The pattern of a route as people write it: `{id}` for a part that varies. */
const pathOf = (pattern: RegExp): string =>
  pattern.source
    .replace(/^\^|\$$/g, '')
    .replaceAll('\\/', '/')
    .replace('(?:/.*)?', '/…')
    .replace('\\w+', '{method}')
    .replace(/\(?(?:\.|\[\^\/\])\+\)?/g, '{id}');

/** Paths that clients know and this version does not serve, as Markdown. */
export function printUnavailablePaths(): string {
  const rows = ROUTES.filter(({ name }) => name === 'unavailable').map(
    ({ path, methods, title }) => `| \`${methods.join('`, `')}\` | \`${pathOf(path)}\` | ${title ?? ''} |`,
  );
  return ['| method | path | what |', '|---|---|---|', ...rows].join('\n');
}
