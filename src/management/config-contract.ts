import { z } from 'zod';

const time = z.iso.datetime();
const count = z.number().int().nonnegative();

/**
 * An entry of the configuration file as it is written there, `${VAR}` and all. What may hold a secret is `null` where the
 * file itself has it; a reference to a variable or a file stays.
 */
const written = z.record(z.string(), z.unknown());

export const modelEntry = z.strictObject({
  name: z.string(),
  aliases: z.array(z.string()),
  default: z.boolean(),
  strategy: z.string(),
  /** Target ids as they are served, those of catalogues included. */
  targets: z.array(z.string()),
  /** Effective settings. */
  settings: z.record(z.string(), z.unknown()),
  /** Null: no file says so (a demo, the environment). */
  config: written.nullable(),
});

export const providerEntry = z.strictObject({
  name: z.string(),
  preset: z.string(),
  protocol: z.string(),
  origin: z.string(),
  endpoint: z.string(),
  credentials: z.array(z.string()),
  pinned: z.enum(['listed', 'any', 'off']),
  /** Models that have a target there. */
  models: z.array(z.string()),
  config: written.nullable(),
});

const listOf = <T extends z.ZodType>(item: T) =>
  z.strictObject({
    data: z.array(item),
    next: z.null(),
    /** Of the file that is in force; null: there is none. */
    version: z.string().nullable(),
  });

export const modelEntryList = listOf(modelEntry);
export const providerEntryList = listOf(providerEntry);

export const entryBody = z.record(z.string(), z.unknown());

export const configProblem = z.strictObject({
  path: z.string(),
  line: z.number().int().nullable(),
  column: z.number().int().nullable(),
  message: z.string(),
  hint: z.string().nullable(),
});

/** The file was changed, and what it says is in force. */
export const configChange = z.strictObject({
  version: z.string(),
  /** Whether anything is another than it was. */
  changed: z.boolean(),
  warnings: z.array(z.string()),
  /** Keys that only a restart brings in. */
  needs_restart: z.array(z.string()),
});

export const configVersion = z.strictObject({
  version: z.string(),
  saved_at: time,
  /** It is what the file says now. */
  is_current: z.boolean(),
  bytes: count,
});

export const configVersionList = z.strictObject({ data: z.array(configVersion), next: z.null() });

export const rollbackBody = z.strictObject({ version: z.string().min(1).max(64) });
