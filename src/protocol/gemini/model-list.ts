import type { ModelListFormat } from '../model-list.ts';
import { parseList, type ReadEntry, readEntries, windowOf, wordsOf } from '../shared/read-list.ts';
import { isObject } from '../shared/value.ts';

const PAGE = '/models?pageSize=1000';
/** Stands before each name of the list, and in no request. */
const FOLDER = 'models/';
const CHAT = 'generateContent';

export const modelList: ModelListFormat = {
  path: (cursor) => (cursor === null ? PAGE : `${PAGE}&pageToken=${encodeURIComponent(cursor)}`),
  headers: {},
  decode(body) {
    const list = parseList(body);
    if (!isObject(list)) return null;
    const { models, nextPageToken } = list as { readonly models?: unknown; readonly nextPageToken?: unknown };
    // A list without models has no member for them.
    const isBare = models === undefined && Object.keys(list).every((key) => key === 'nextPageToken');
    if (!isBare && !Array.isArray(models)) return null;
    const next = typeof nextPageToken === 'string' && nextPageToken !== '' ? nextPageToken : null;
    return { ...readEntries(Array.isArray(models) ? models : [], readEntry), next };
  },
};

const readEntry: ReadEntry = ({ name, supportedGenerationMethods, inputTokenLimit, thinking }) => {
  const methods = wordsOf(supportedGenerationMethods);
  if (methods !== null && !methods.includes(CHAT)) return null;
  if (typeof name !== 'string' || !name.startsWith(FOLDER)) return null;
  return {
    id: name.slice(FOLDER.length),
    price: 'unknown',
    capabilities: { ...(thinking === true ? { reasoningEffort: true } : {}), ...windowOf(inputTokenLimit) },
  };
};
