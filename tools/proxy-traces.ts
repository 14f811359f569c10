import { PROXY_TRACES, type TraceKind } from '../src/server/proxy-traces.ts';

/** What each kind says, and what is asked of it where the proxy is trusted. */
const WORDS: Readonly<Record<TraceKind, string>> = {
  client: 'whom the proxy speaks for',
  address: 'addresses of whom another proxy saw',
  host: 'names by which the gateway was asked',
  unread: 'the same in forms that are not read',
  mark: 'that a proxy is there',
};

/** The headers by which a proxy is known, as Markdown. */
export function printProxyTraces(): string {
  const rows = Object.entries(WORDS).map(([kind, words]) => {
    const names = PROXY_TRACES.filter((row) => row[1] === kind).map(([pattern]) => `\`${pattern}\``);
    return `| ${words} | ${names.join(', ')} |`;
  });
  return ['| tells | headers |', '|---|---|', ...rows].join('\n');
}
