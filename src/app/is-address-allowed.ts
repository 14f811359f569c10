import { isPlainlyPrivate } from '../config/address.ts';
import type { RuntimeConfig } from '../config/runtime.ts';

/** A name that resolves to a private address is a trap, unless its provider says that this is meant. */
export function isAddressAllowed(config: RuntimeConfig, host: string, address: string): boolean {
  if (!isPlainlyPrivate(address)) return true;
  const bare = host.toLowerCase();
  return [...config.providers.values()].some(
    (provider) => provider.allowPrivateNetwork && new URL(provider.origin).hostname.replace(/^\[|\]$/g, '') === bare,
  );
}
