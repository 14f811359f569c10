import type { ClassifierRow } from '../core/failure/table.ts';
import type { HttpClient } from '../port/http-client.ts';
import { discover } from '../prober/index.ts';
import { CODECS } from '../protocol/index.ts';
import { MODEL_LISTS } from '../protocol/model-lists.ts';
import { type CatalogueKeeper, type CatalogueParts, createCatalogueKeeper } from './catalogue.ts';
import { createSavedCatalogue } from './saved-catalogue.ts';

type Parts = Pick<CatalogueParts, 'clock' | 'telemetry' | 'onChange'> & {
  readonly http: Pick<HttpClient, 'send'>;
  /** Where lists are kept; null: nowhere. */
  readonly stateDir: string | null;
  readonly failureRows: (provider: string) => readonly ClassifierRow[];
  readonly cleanName: (name: string) => string;
};

/** The lists of real providers. */
export function openCatalogue({ stateDir, http, failureRows, cleanName, ...parts }: Parts): CatalogueKeeper {
  const { clock, telemetry } = parts;
  const ports = { http, clock, lists: MODEL_LISTS, codecs: CODECS, failureRows, cleanName };
  return createCatalogueKeeper({
    ...parts,
    saved: stateDir === null ? null : createSavedCatalogue(stateDir, telemetry),
    ask: (providers, deadlineAt) => discover(providers, deadlineAt, ports),
  });
}
