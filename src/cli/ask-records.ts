import { type Records, recordedOf } from '../app/recorded-requests.ts';
import type { RequestRecords } from '../management/contract.ts';
import type { RecordedRequest } from '../simulate/replay/index.ts';
import { CommandError, EXIT } from './exit-code.ts';
import { askGateway, type Gateway } from './gateway-client.ts';

const PAGE = 500;

/** The newest requests (at most `most`) that began since (epoch ms), of the gateway that runs. */
export async function askRecords(gateway: Gateway, since: number, most: number): Promise<Records> {
  const read: RecordedRequest[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ attempts: '1', since: new Date(since).toISOString(), limit: String(PAGE) });
    if (cursor !== null) query.set('cursor', cursor);
    const page = (await askGateway(gateway, `/requests?${query.toString()}`)) as RequestRecords;
    // An older gateway takes no notice of what it does not know.
    if (page.data.some(({ attempts }) => (attempts as unknown) === undefined))
      throw new CommandError(
        EXIT.wrongUse,
        `The gateway at ${gateway.url} is older than this command: name --state-dir.`,
      );
    read.push(...page.data.map(recordedOf));
    cursor = page.next;
  } while (cursor !== null && read.length < most);
  return { requests: read.slice(0, most), hasMore: cursor !== null || read.length > most };
}
