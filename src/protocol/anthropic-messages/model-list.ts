import type { ModelListFormat } from '../model-list.ts';
import { parseList, type ReadEntry, readEntries, saidOf, windowOf } from '../shared/read-list.ts';
import { isObject } from '../shared/value.ts';
import { COMMON_VERSION } from './headers.ts';

const PAGE = '/v1/models?limit=1000';

/** A page ends with the id behind which the next one begins. */
export const modelList: ModelListFormat = {
  path: (cursor) => (cursor === null ? PAGE : `${PAGE}&after_id=${encodeURIComponent(cursor)}`),
  headers: { 'anthropic-version': COMMON_VERSION },
  decode(body) {
    const list = parseList(body);
    if (!isObject(list) || !Array.isArray(list['data'])) return null;
    const {
      data,
      has_more: hasMore,
      last_id: lastId,
    } = list as {
      readonly data: readonly unknown[];
      readonly has_more?: unknown;
      readonly last_id?: unknown;
    };
    return { ...readEntries(data, readEntry), next: hasMore === true && typeof lastId === 'string' ? lastId : null };
  },
};

const readEntry: ReadEntry = ({ id, type, max_input_tokens: window, capabilities }) => {
  if (type !== undefined && type !== 'model') return null;
  const isSupported = (name: string): unknown => {
    const said = isObject(capabilities) ? capabilities[name] : null;
    return isObject(said) ? said['supported'] : null;
  };
  return {
    id,
    price: 'unknown',
    capabilities: {
      ...saidOf({
        images: isSupported('image_input'),
        files: isSupported('pdf_input'),
        responseFormat: isSupported('structured_outputs'),
      }),
      // Efforts become budgets of thinking where a model has no levels: only that it has them is of use.
      ...(isSupported('effort') === true || isSupported('thinking') === true ? { reasoningEffort: true } : {}),
      ...windowOf(window),
    },
  };
};
