import type { HealthStore } from '../port/health-store.ts';

/**
 * The same health for an engine, of which a prober hears what may put a route out. Changes of a state's word are not
 * enough: a hold that comes when one before it has passed by itself, or an early trial that fails, changes none.
 */
export function lookOnFailure<H extends Pick<HealthStore, 'observe'>>(health: H, look: () => void): H {
  return {
    ...health,
    observe(observation) {
      health.observe(observation);
      if (observation.kind === 'failure' || observation.kind === 'slow' || observation.trial) look();
    },
  };
}
