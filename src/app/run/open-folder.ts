import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { wordsOfRefusal } from '../make-folder.ts';
import { type Evidence, NO_EVIDENCE, openEvidence } from './evidence.ts';
import type { RunOptions } from './types.ts';

export type RunFolder =
  | {
      readonly ok: true;
      readonly evidence: Evidence;
      readonly stateDir: string;
      /** Takes away what nobody needs behind the run. */
      readonly tidy: () => void;
    }
  | { readonly ok: false; readonly message: string };

/** The state of a run is its own: what another gateway on this machine knows, or writes, does not meet it. */
export function openFolder(
  { evidence: asked, cwd }: Pick<RunOptions, 'evidence' | 'cwd'>,
  scrub: (text: string) => string,
): RunFolder {
  const place = asked === undefined ? null : resolve(cwd, asked);
  try {
    if (place === null) {
      const stateDir = mkdtempSync(join(tmpdir(), 'understudy-run-'));
      return { ok: true, evidence: NO_EVIDENCE, stateDir, tidy: () => discard(stateDir) };
    }
    const evidence = openEvidence(place, { scrub });
    const stateDir = join(place, 'state');
    // It is there for other starts on the same state, and evidence is what people pass on.
    return { ok: true, evidence, stateDir, tidy: () => discard(join(stateDir, 'fingerprint.key')) };
  } catch (error) {
    const where = place === null ? `a folder in ${tmpdir()}` : `the evidence folder ${place}`;
    return { ok: false, message: `${where} can't be written (${wordsOfRefusal(error)})` };
  }
}

function discard(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  } catch {
    // It stays.
  }
}
