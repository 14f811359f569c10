import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { broken, type Found, fine, skipped, warning } from './finding.ts';

/** The Node that runs this, against the oldest one that will do. */
export function checkNode(version: string, floor: string): Found {
  const told = `${version}, ${floor} or newer is needed`;
  if (compareVersions(version, floor) >= 0) return fine(told);
  return broken(told, 'install Node 24, or run bin/understudy of a checkout after "npm ci", which brings it');
}

const numbersOf = (version: string): readonly number[] => (version.match(/\d+/g) ?? []).map(Number);

function compareVersions(a: string, b: string): number {
  const [left, right] = [numbersOf(a), numbersOf(b)];
  for (let i = 0; i < 3; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether state can be written there; makes nothing. */
export function checkStateDir(path: string): Found {
  const place = nearestThere(path);
  const isThere = place === path;
  const remedy = `name another directory with stateDir or --state-dir, or let this user write there`;
  if (!statSync(place).isDirectory()) return broken(`${place} is no directory`, remedy);
  try {
    accessSync(place, constants.W_OK | constants.X_OK);
    return fine(isThere ? `${path} can be written` : `${path} will be made`);
  } catch {
    return broken(`${path} can't be written by this user${isThere ? '' : `: it would be made in ${place}`}`, remedy);
  }
}

const nearestThere = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : nearestThere(dirname(path));

/** The client's and the provider's. */
const SOCKETS_PER_REQUEST = 2;
const FEWEST_FILES = 256;

/** Whether this process may open as many sockets as the configuration lets in. */
export function checkOpenFiles(limit: number | null, maxInFlight: number): Found {
  if (limit === null) return skipped('the limit of open files could not be read');
  const wanted = maxInFlight * SOCKETS_PER_REQUEST;
  const told = limit === Number.POSITIVE_INFINITY ? 'open files are not limited' : `${limit} open files are allowed`;
  const remedy = `raise it (ulimit -n ${wanted}, LimitNOFILE=${wanted} for systemd), or lower server.maxInFlight`;
  if (limit < FEWEST_FILES) return broken(`${told}: too few to serve`, remedy);
  if (limit >= wanted) return fine(`${told}, enough for ${maxInFlight} requests at once`);
  return warning(`${told}: enough for about ${Math.floor(limit / SOCKETS_PER_REQUEST)} requests at once`, remedy);
}

/** How many files this process may open; null where nothing tells. Node takes up to the hard limit by itself. */
export function readOpenFilesLimit(): number | null {
  if (process.platform === 'win32') return null;
  try {
    const text = execFileSync('/bin/sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8', timeout: 2000 }).trim();
    if (text === 'unlimited') return Number.POSITIVE_INFINITY;
    return /^\d+$/.test(text) ? Number(text) : null;
  } catch {
    return null;
  }
}
