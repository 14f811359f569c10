import { type LookupAddress, lookup as systemLookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { buildConnector } from 'undici';

/** Whether a connection may be made to an address that a host name of a provider has led to. */
export type IsAddressAllowed = (hostname: string, address: string) => boolean;

/**
 * Resolves names and leaves out addresses that are not allowed, so that the check and the connection see the same one.
 */
export function guardLookup(lookup: LookupFunction | undefined, isAllowed: IsAddressAllowed): LookupFunction {
  const resolve = lookup ?? systemLookup;
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = (found as LookupAddress[]).filter(({ address }) => isAllowed(hostname, address));
      const first = addresses[0];
      if (first === undefined) return callback(refusal(hostname), []);
      return options.all ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

/** Literal addresses never reach a lookup: they are checked where the connection would begin. */
export function guardConnector(
  connect: buildConnector.connector,
  isAllowed: IsAddressAllowed,
): buildConnector.connector {
  return (options, callback) => {
    const { hostname } = options;
    if (isIP(hostname) === 0 || isAllowed(hostname, hostname)) return connect(options, callback);
    return setImmediate(() => callback(refusal(hostname), null));
  };
}

function refusal(hostname: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`no allowed address for ${hostname}`), { code: 'EHOSTUNREACH' });
}
