import type { Mutant } from '../../mutation/types.ts';

/** A deliberate fault that worlds must see; which invariant does is no part of it. */
export type Fault = Pick<Mutant, 'name' | 'file' | 'from' | 'to'>;
