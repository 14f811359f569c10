import { once } from 'node:events';
import { get } from 'node:http';
import { createInterface } from 'node:readline';
import { type Child, startChild } from './children.ts';

export type Provider = { readonly child: Child; readonly port: number; readonly faultPort: number };
export type ProviderStats = { readonly requests: number; readonly faults: number; readonly bad: number };

export async function startProvider(program: string, folder: string, core: number): Promise<Provider> {
  const child = await startChild([program], { core, folder });
  if (child.process.stdout === null) throw new Error('no output');
  const lines = createInterface({ input: child.process.stdout });
  const first = await Promise.race([once(lines, 'line'), child.ended]);
  if (!Array.isArray(first)) throw new Error(`The provider does not start: ${child.complaints()}`);
  const ports = JSON.parse(String(first[0])) as { readonly port: number; readonly faultPort: number };
  return { child, ...ports };
}

/** What the provider has counted since it started. */
export const statsOf = ({ port }: Provider): Promise<ProviderStats> =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, path: '/stats', agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve(JSON.parse(text))).on('error', reject);
    }).on('error', reject);
  });
