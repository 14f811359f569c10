/** What a client asks for: the verb behind the model's name. */
const METHODS = ['generateContent', 'streamGenerateContent', 'countTokens'] as const;

export type Method = (typeof METHODS)[number];

/** `isArray`: the stream is to be one JSON array, as it is without `alt=sse`. */
export type Target = { readonly model: string; readonly method: Method; readonly isArray: boolean };

/** A model's name may hold colons and slashes: the last colon ends it. */
const PATH = /^\/v\d+(?:alpha|beta)?\d*\/(models|tunedModels)\/([^?]+):([a-zA-Z]+)(?:\?(.*))?$/;

/** Reads a request's path with its query: `/v1beta/models/{model}:streamGenerateContent?alt=sse`. Null: another one. */
export function readTarget(path: string): Target | null {
  const [, kind = '', name = '', word = '', query = ''] = PATH.exec(path) ?? [];
  const method = METHODS.find((known) => known === word);
  const model = decoded(name);
  if (method === undefined || model === null) return null;
  const isSse = query.split('&').includes('alt=sse');
  return {
    model: kind === 'models' ? model : `${kind}/${model}`,
    method,
    isArray: method === 'streamGenerateContent' && !isSse,
  };
}

function decoded(name: string): string | null {
  try {
    return decodeURIComponent(name);
  } catch {
    return null;
  }
}

const COLLECTION = /^(?:models|tunedModels)\//;

/** Behind the base URL, which ends with the version. */
export function modelPath(model: string, method: Method): string {
  const full = COLLECTION.test(model) ? model : `models/${model}`;
  const path = full.split('/').map(encodeURIComponent).join('/');
  return `/${path}:${method}${method === 'streamGenerateContent' ? '?alt=sse' : ''}`;
}
