import type { Downstream } from '../port/downstream.ts';
import { createArrayForm } from '../protocol/gemini/index.ts';
import { concatBytes } from '../protocol/json/index.ts';

/**
 * A client of Gemini's protocol that asked for a stream without `alt=sse`: it reads one JSON array, an element for each
 * event.
 */
export function arrayDownstream(inner: Downstream): Downstream {
  const form = createArrayForm();
  let isStream = false;
  return {
    ...inner,
    head(status, headers) {
      isStream = headers['content-type']?.startsWith('text/event-stream') === true;
      inner.head(status, isStream ? { ...headers, 'content-type': 'application/json; charset=utf-8' } : headers);
    },
    write(bytes) {
      const given = isStream ? form.push(bytes) : bytes;
      return given.length === 0 || inner.write(given);
    },
    end(bytes) {
      if (!isStream) inner.end(bytes);
      else inner.end(concatBytes([...(bytes === undefined ? [] : [form.push(bytes)]), form.end()]));
    },
  };
}
