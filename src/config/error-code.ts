/** The system's code for a failure (`ENOENT`); `unknown` where it has none: a message may quote what nobody should see. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
