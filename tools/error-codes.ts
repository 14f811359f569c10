import { anthropicStatus, CATALOGUE, type CatalogueEntry } from '../src/core/failure/catalogue.ts';

/** Whose fault it is, for people. */
const FAULT: { readonly [C in CatalogueEntry['component']]: string } = {
  client: 'the request',
  gateway: 'the gateway',
  credential: "a provider's key or account",
  target: 'the provider',
  endpoint: "the provider's host",
  policy: 'a content policy',
  deadline: 'a time limit',
};

/** Every code as a section of its own, so that it can be linked to: what it means and what to do. */
export const printErrorCodes = (): string => Object.values(CATALOGUE).map(printCode).join('\n\n');

function printCode(entry: CatalogueEntry): string {
  const status = entry.overload
    ? `${entry.status} (${anthropicStatus(entry.code)} for Anthropic clients)`
    : entry.status;
  return [
    `### ${entry.code}`,
    '',
    `Status ${status}, type \`${entry.openaiType}\`. Fault: ${FAULT[entry.component]}, unless \`component\` says otherwise.`,
    '',
    entry.meaning,
    '',
    `**What to do:** ${entry.remedy}`,
  ].join('\n');
}
