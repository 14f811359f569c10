import type { ConfigProblem } from '../config/problem.ts';

/** Parts of the file whose entries have names. */
export type ConfigSection = 'models' | 'providers';

/** The file as it is now. */
export type ConfigFileView = {
  readonly version: string;
  /** Entries by section and name, as they are written there; secrets that stand in the file are null. */
  readonly entries: { readonly [S in ConfigSection]: ReadonlyMap<string, Readonly<Record<string, unknown>>> };
};

export type SavedVersion = {
  readonly version: string;
  /** Epoch ms. */
  readonly savedAt: number;
  readonly bytes: number;
};

export type ConfigEdit =
  | { readonly kind: 'put'; readonly section: ConfigSection; readonly name: string; readonly value: unknown }
  | { readonly kind: 'delete'; readonly section: ConfigSection; readonly name: string }
  | { readonly kind: 'rollback'; readonly version: string };

export type ConfigEditAnswer =
  | {
      readonly ok: true;
      readonly version: string;
      readonly changed: boolean;
      readonly warnings: readonly string[];
      readonly needsRestart: readonly string[];
    }
  | {
      readonly ok: false;
      /**
       * `no_file`, `not_writable`, `not_taken`: it can't be changed from here; `conflict`: somebody else has changed it;
       * `missing`: there is no such entry or version; `invalid`: it would not be valid.
       */
      readonly why: 'no_file' | 'not_writable' | 'not_taken' | 'conflict' | 'missing' | 'invalid';
      readonly message: string;
      readonly problems?: readonly ConfigProblem[];
    };

/** Changes the configuration file, one change after the other. */
export interface ConfigEditor {
  /** Null: no file holds the configuration, or it can't be read as one. */
  read(): ConfigFileView | null;
  /**
   * Writes one change and waits until it is in force. `expected`: the version that the caller has seen; null: whatever
   * there is.
   */
  edit(edit: ConfigEdit, expected: string | null): Promise<ConfigEditAnswer>;
  /** Those before changes from here, newest first. */
  versions(): readonly SavedVersion[];
}
