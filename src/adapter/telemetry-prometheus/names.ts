/** What stands for every name that has no series of its own. */
export const OTHER = 'other';

/** So many names get series of their own, in the life of a process and over all its configurations. */
export const MAX_NAMES = 1_000;

/**
 * Makes label values of names: a name that `isKnown` says is one of the configuration stays what it is, up to a bound;
 * every other one is `other`. So neither a client nor a provider can put a word on the page, or make it grow.
 */
export function createNames(isKnown: (name: string) => boolean, max = MAX_NAMES): (name: string) => string {
  const taken = new Set<string>();
  return (name) => {
    if (taken.has(name)) return name;
    if (taken.size >= max || !isKnown(name)) return OTHER;
    taken.add(name);
    return name;
  };
}
