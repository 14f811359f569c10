import { describeOrder } from '../config/service-order.ts';
import type { VirtualModel } from '../core/routing/candidate.ts';

type Order = ReturnType<typeof describeOrder>;

const NAME_WIDTH = 'Responses'.length;
/** Where the names of targets begin in a line of `renderOrder`. */
export const ORDER_INDENT = NAME_WIDTH + 2;

/** Who answers, a line for each protocol: `Chat       openai/gpt-5.6, then groq/llama`. */
export const renderOrder = (order: Order): readonly string[] =>
  order.map(({ name, order: targets }) => `${name.padEnd(NAME_WIDTH)}  ${targets}`);

/** The same for a model of the configuration; `hasLists`: some of its targets come out of lists. */
export const renderModelOrder = (
  { targets, strategy, settings }: VirtualModel,
  hasLists: boolean,
): readonly string[] =>
  targets.length === 0
    ? ['no target yet: they come out of lists']
    : renderOrder(describeOrder(targets, strategy, settings.translate, { hasLists }));
