import { SPOKEN, type Spoken } from '../kit/wire-scripts.ts';
import { between, isDrawn, randomOf } from './draw.ts';
import type { Asked } from './seen.ts';
import { loneRoute, mainRoute, pinnedRoute } from './world.ts';

const LEAVING_SHARE = 0.04;
const SLOW_SHARE = 0.005;
const LONE_SHARE = 0.1;
const STREAM_SHARE = 0.7;

/** The `index`th request of a run. Follows from seed and index alone. */
export function drawRequest(seed: number, index: number): Asked {
  const random = randomOf(seed, 'request', index);
  const protocol = SPOKEN[between(random, 0, SPOKEN.length - 1)] as Spoken;
  const manner = isDrawn(random, LEAVING_SHARE) ? 'leaves' : isDrawn(random, SLOW_SHARE) ? 'reads_slowly' : 'stays';
  const isStream = manner === 'reads_slowly' || isDrawn(random, STREAM_SHARE);
  const route = isDrawn(random, LONE_SHARE) ? loneRoute(protocol) : mainRoute(protocol);
  return {
    tag: `q${index}${manner === 'reads_slowly' ? 'L' : ''}`,
    protocol,
    form: isStream ? 'stream' : 'json',
    ...route,
    wantsUsage: isDrawn(random, 0.5),
    manner,
  };
}

/** A request for one target by its name. */
export const pinnedRequest = (index: number, name: string, protocol: Spoken): Asked => ({
  tag: `q${index}`,
  protocol,
  form: 'json',
  ...pinnedRoute(name, protocol),
  wantsUsage: false,
  manner: 'stays',
});
