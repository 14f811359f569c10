import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { codeOf } from '../config/error-code.ts';
import { type KeptListing, readKeptListings } from '../core/catalogue/read-catalogue.ts';
import type { Telemetry } from '../port/telemetry.ts';

const FILE = 'catalogue.json';
const CONTRACT = 'understudy-catalogue-v1';
/** More than thousands of models take. */
const MAX_BYTES = 16 * 1024 * 1024;

export type SavedCatalogue = {
  read(now: number): ReadonlyMap<string, KeptListing>;
  write(listings: ReadonlyMap<string, KeptListing>): void;
};

/**
 * What providers listed, in the state directory, so that a restart serves at once. A file that can't be read or written
 * costs that, and nothing else.
 */
export function createSavedCatalogue(stateDir: string, telemetry: Pick<Telemetry, 'notice'>): SavedCatalogue {
  const path = join(stateDir, FILE);
  let isTroubled = false;
  return {
    read(now) {
      try {
        if (statSync(path).size > MAX_BYTES) throw Object.assign(new Error('too large'), { code: 'EFBIG' });
        const { contract, providers } = JSON.parse(readFileSync(path, 'utf8')) as {
          readonly contract?: unknown;
          readonly providers?: unknown;
        };
        return contract === CONTRACT ? readKeptListings(providers, now) : new Map();
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') {
          const file = { file: path, code: codeOf(error) };
          telemetry.notice('warn', 'saved lists of models can not be read: providers are asked anew', file);
        }
        return new Map();
      }
    },
    write(listings) {
      const draft = `${path}.new`;
      const providers = Object.fromEntries(
        [...listings].map(([provider, { place, at, leftOut, models }]) => [
          provider,
          { place, at: Math.round(at), left_out: leftOut, models },
        ]),
      );
      try {
        writeFileSync(draft, JSON.stringify({ contract: CONTRACT, providers }), { mode: 0o600 });
        renameSync(draft, path);
        isTroubled = false;
      } catch (error) {
        rmSync(draft, { force: true });
        if (!isTroubled) telemetry.notice('warn', 'lists of models could not be written down', { code: codeOf(error) });
        isTroubled = true;
      }
    },
  };
}
