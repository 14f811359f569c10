import { randomBytes } from 'node:crypto';

/** Text that nobody can guess, for a door that nobody else is to pass. */
export const oneTimeKey = (prefix: string): string => `${prefix}-${randomBytes(32).toString('base64url')}`;
