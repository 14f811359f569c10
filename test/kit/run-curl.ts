import { type IncomingMessage, request } from 'node:http';
import type { CurlRequest } from './page.ts';

/** Where the pages say that the gateway listens. */
export const PAGE_ORIGIN = 'http://127.0.0.1:4180';

/** What a page's curl prints, asked of a gateway at another address. */
export function runCurl({ url, method, headers, body, showsHead }: CurlRequest, origin: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const req = request(url.replace(PAGE_ORIGIN, origin), { method, headers, agent: false }, (res) => {
      let text = showsHead ? printHead(res) : '';
      res.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      res.on('end', () => resolve(text)).on('error', reject);
    });
    req.on('error', reject).end(body ?? undefined);
  });
}

/** The head of an answer as `curl -i` shows it. */
function printHead({ statusCode, statusMessage, rawHeaders }: IncomingMessage): string {
  const lines = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [`${name}: ${rawHeaders[i + 1]}`] : []));
  return [`HTTP/1.1 ${statusCode} ${statusMessage}`, ...lines, '', ''].join('\n');
}
