/** A fenced block of a Markdown page. */
export type Fence = {
  readonly lang: string;
  readonly text: string;
  /** Of the opening fence, from 1. */
  readonly line: number;
  /** `<!-- fragment -->` stands right above it: a part of a file, not a whole one. */
  readonly isFragment: boolean;
};

export function listFences(page: string): Fence[] {
  return [...page.matchAll(/(<!-- fragment -->\n+)?^```(\w*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    lang: match[2] ?? '',
    text: match[3] ?? '',
    line: page.slice(0, match.index + (match[1]?.length ?? 0)).split('\n').length,
    isFragment: match[1] !== undefined,
  }));
}

export type CurlRequest = {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** `-i`: the head is printed too. */
  readonly showsHead: boolean;
};

const WITHOUT_MEANING = ['-N', '-s', '-sS'];

/** What a pasted curl command would send. Throws on options that no page uses. */
export function readCurl(command: string): CurlRequest {
  const words = shellWords(command.replaceAll('\\\n', ' '));
  if (words.shift() !== 'curl') throw new Error(`no curl: ${command}`);
  const headers: Record<string, string> = {};
  let url = '';
  let method: string | null = null;
  let body: string | null = null;
  let showsHead = false;
  const value = (): string => words.shift() ?? '';
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '-H') {
      const [name = '', text = ''] = value().split(/:\s*(.*)/s);
      headers[name.toLowerCase()] = text;
    } else if (word === '-d') body = value();
    else if (word === '-X') method = value();
    else if (word === '-i') showsHead = true;
    else if (/^https?:/.test(word) && url === '') url = word;
    else if (!WITHOUT_MEANING.includes(word)) throw new Error(`what is ${word} in: ${command}`);
  }
  return { url, method: method ?? (body === null ? 'GET' : 'POST'), headers, body, showsHead };
}

/** Words of a POSIX shell, with quotes and without anything that a shell would expand. */
function shellWords(text: string): string[] {
  return [...text.matchAll(/(?:'[^']*'|"[^"$`]*"|[^\s'"])+/g)].map((match) =>
    match[0].replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  );
}

/** Does a print fit what a page shows of it? `…` stands for anything, line ends included. */
export function fitsSample(sample: string, printed: string): boolean {
  const whole = printed.trim();
  const [first = '', ...rest] = sample.trim().split(/\n?…\n?/);
  const last = rest.pop();
  if (last === undefined) return whole === first;
  if (!whole.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = whole.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return whole.endsWith(last) && whole.length - last.length >= from;
}
