import type { ManagementAnswer } from '../types.ts';

let made: Promise<unknown> | null = null;

/** `GET /openapi.json`: what the API takes and says. It is made with the first request for it, of the shapes themselves. */
export async function answerOpenApi(): Promise<ManagementAnswer> {
  made ??= import('./document.ts').then(({ describeApi }) => describeApi());
  return { ok: true, body: await made };
}
