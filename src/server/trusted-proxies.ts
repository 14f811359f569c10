import { BlockList, isIP } from 'node:net';
import type { Headers } from '../core/model/protocol.ts';

/** Addresses and networks of a configuration (`server.trustedProxies`), made once for each. */
const lists = new WeakMap<readonly string[], BlockList>();

/** Whether an address is one of the proxies whose X-Forwarded-* headers are believed. IPv4 in IPv6 clothes is IPv4. */
export function isTrustedProxy(address: string | undefined, trusted: readonly string[]): boolean {
  const family = address === undefined ? 0 : isIP(address);
  if (address === undefined || family === 0 || trusted.length === 0) return false;
  return listOf(trusted).check(address, nameOf(family));
}

/**
 * The address for which trusted proxies speak: in X-Forwarded-For the rightmost that is none of theirs, since each of
 * them writes behind what it was told, and what stands before that may be made up. Null: they name nobody.
 */
export function forwardedClient(headers: Headers, trusted: readonly string[]): string | null {
  const hops = (headers['x-forwarded-for'] ?? '').split(',').map(addressOf);
  const client = hops.findLastIndex((hop) => hop === null || !isTrustedProxy(hop, trusted));
  return hops[Math.max(client, 0)] ?? null;
}

/** The address of a hop, null for anything else. Some proxies write a port behind it. */
export function addressOf(hop: string): string | null {
  const text = hop.trim();
  const bare = /^\[(.+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
  return isIP(bare) === 0 ? null : bare;
}

const nameOf = (family: number): 'ipv4' | 'ipv6' => (family === 4 ? 'ipv4' : 'ipv6');

function listOf(trusted: readonly string[]): BlockList {
  const made = lists.get(trusted);
  if (made !== undefined) return made;
  const list = new BlockList();
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/');
    const family = nameOf(isIP(address));
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  lists.set(trusted, list);
  return list;
}
