import type { ModelSettings } from '../core/model/settings.ts';
import type { Path } from './problem.ts';
import { type Report, refuse } from './report.ts';
import type { ConfigInput } from './schema/index.ts';

/**
 * A request must be allowed to last as long as its first output may take. `places`: where the settings may come from,
 * nearest first; the finding points at the key that made it so.
 */
export function checkClocks(
  settings: ModelSettings,
  places: readonly Path[],
  context: { readonly input: ConfigInput; readonly report: Report },
): void {
  const { totalMs, firstOutputMs } = settings.timeouts;
  if (totalMs >= firstOutputMs) return;
  const { path, key } = originOf(places, context.input);
  // One key may spoil many targets: once is enough.
  const isTold = context.report.findings.some((finding) => finding.path.join('\0') === path.join('\0'));
  if (isTold) return;
  const [message, hint] =
    key === 'firstOutput'
      ? [`is longer than "total" (${words(totalMs)})`, 'shorten it, or give timeouts.total at least as much']
      : [`is shorter than "firstOutput" (${words(firstOutputMs)})`, 'lengthen it, or shorten timeouts.firstOutput'];
  refuse(context.report, path, message, hint);
}

function originOf(places: readonly Path[], input: ConfigInput): { readonly path: Path; readonly key: string } {
  for (const key of ['total', 'firstOutput']) {
    const place = places.find((candidate) => memberAt(input, [...candidate, 'timeouts', key]) !== undefined);
    if (place) return { path: [...place, 'timeouts', key], key };
  }
  return { path: places[0] ?? [], key: 'total' };
}

function memberAt(root: unknown, path: Path): unknown {
  let node = root;
  for (const step of path) {
    if (node === null || typeof node !== 'object' || !Object.hasOwn(node, step)) return undefined;
    node = Reflect.get(node, step);
  }
  return node;
}

const words = (ms: number): string => (ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`);
