import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withholdSecrets } from '../config/edit/withheld-secrets.ts';
import type { SavedVersion } from '../management/index.ts';

const FOLDER = 'config-versions';
const MAX_VERSIONS = 50;
const NAME = /^(\d{13})-([0-9a-f]{12})$/;

/** Configuration files as they were before and after changes from here, without the secrets in them. */
export type ConfigVersions = {
  /** Throws what the system says. */
  save(version: string, text: string, at: number): void;
  /** Newest first; each version once. */
  list(): readonly SavedVersion[];
  /** Null: there is no such version. */
  read(version: string): string | null;
};

export function createConfigVersions(stateDir: string): ConfigVersions {
  const folder = join(stateDir, FOLDER);
  const names = (): readonly string[] => {
    try {
      return readdirSync(folder)
        .filter((name) => NAME.test(name))
        .sort()
        .reverse();
    } catch {
      return [];
    }
  };
  const versionOf = (name: string): string => NAME.exec(name)?.[2] ?? '';
  return {
    save(version, text, at) {
      const known = names();
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, `${Math.round(at)}-${version}`), withholdSecrets(text), { mode: 0o600 });
      // It stands where it was saved last.
      const old = [...known.filter((name) => versionOf(name) === version), ...known.slice(MAX_VERSIONS - 1)];
      for (const name of new Set(old)) {
        if (name !== `${Math.round(at)}-${version}`) rmSync(join(folder, name), { force: true });
      }
    },
    list: () =>
      names().map((name) => ({
        version: versionOf(name),
        savedAt: Number(NAME.exec(name)?.[1]),
        bytes: sizeOf(join(folder, name)),
      })),
    read(version) {
      const name = names().find((each) => versionOf(each) === version);
      return name === undefined ? null : readFileSync(join(folder, name), 'utf8');
    },
  };
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}
