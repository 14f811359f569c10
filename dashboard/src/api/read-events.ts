/**
 * The `data` of each event of a stream, as it comes. Lines may be cut anywhere; what is no JSON is passed over.
 * Rejects as the stream does.
 */
export async function* readEvents<T>(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<T> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const lines = (rest + part.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const value = parse(line);
      if (value !== null) yield value as T;
    }
  }
  const last = parse(rest);
  if (last !== null) yield last as T;
}

function parse(line: string): object | null {
  if (!line.startsWith('data:')) return null;
  try {
    const value: unknown = JSON.parse(line.slice('data:'.length));
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
