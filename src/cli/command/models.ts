import type { Env } from '../../app/configuration.ts';
import type { RuntimeConfig } from '../../config/runtime.ts';
import { nameOfProtocol } from '../../config/service-order.ts';
import type { Target, VirtualModel } from '../../core/routing/candidate.ts';
import { EXIT } from '../exit-code.ts';
import { loadToReadOrEnd, openOrEnd } from '../open-configuration.ts';
import { renderTable } from '../table.ts';
import type { Terminal } from '../terminal.ts';

type Options = { readonly config?: string; readonly json?: boolean };

/** Shows what clients may ask for and who stands behind each name, as the configuration has it. */
export function listConfiguredModels(terminal: Terminal, env: Env, options: Options): void {
  const { models: configured, catalogue } = loadToReadOrEnd(openOrEnd(options, env, EXIT.configuration));
  const models = [...configured.values()].map((model) => ({ model, lists: listsOf(catalogue, model.name) }));
  terminal.out(
    options.json ? JSON.stringify({ data: models.map(viewModel) }, null, 2) : renderModels(terminal, models),
  );
}

/** Providers out of whose lists it takes targets, each once. */
const listsOf = ({ models }: RuntimeConfig['catalogue'], name: string): readonly string[] => [
  ...new Set((models.get(name)?.selectors ?? []).flatMap(({ providers }) => providers)),
];

type Shown = { readonly model: VirtualModel; readonly lists: readonly string[] };

const viewModel = ({ model, lists }: Shown): unknown => ({
  name: model.name,
  aliases: model.aliases,
  strategy: model.strategy,
  lists,
  targets: model.targets.map(({ id, protocol, tier, weight, routes, catalogue }) => ({
    target: id,
    protocol,
    tier,
    weight,
    credentials: routes.length,
    listed: catalogue !== undefined,
  })),
});

function renderModels(terminal: Terminal, models: readonly Shown[]): string {
  if (models.length === 0) return 'There are no models: clients name targets as provider/model.';
  const columns = [
    { title: 'model' },
    { title: 'strategy', drop: 3 },
    { title: 'tier', align: 'right' as const, drop: 4 },
    { title: 'target' },
    { title: 'protocol' },
    { title: 'weight', align: 'right' as const, drop: 2 },
    { title: 'credentials', align: 'right' as const, drop: 1 },
    { title: 'also known as', fit: 'wrap' as const },
  ];
  const rows = models.flatMap(({ model }) =>
    model.targets.length === 0
      ? [rowOf(terminal, model, null, true)]
      : model.targets.map((target, i) => rowOf(terminal, model, target, i === 0)),
  );
  return [renderTable(terminal, columns, rows), ...listLines(terminal, models)].join('\n');
}

/** Which of them take targets out of lists: those that a gateway kept stand in the table. */
function listLines(terminal: Terminal, models: readonly Shown[]): readonly string[] {
  const lines = models.flatMap(({ model, lists }) =>
    lists.length === 0 ? [] : [`  ${model.name}: targets out of what ${lists.join(', ')} lists`],
  );
  return lines.length === 0 ? [] : ['', ...lines.map((line) => terminal.paint('dim', line))];
}

function rowOf(terminal: Terminal, model: VirtualModel, target: Target | null, isFirst: boolean): readonly string[] {
  return [
    isFirst ? terminal.paint('bold', model.name) : '',
    isFirst ? model.strategy : '',
    target === null ? '–' : String(target.tier),
    target?.id ?? 'none yet',
    target === null ? '–' : nameOfProtocol(target.protocol),
    target === null || model.strategy === 'failover' ? '–' : String(target.weight),
    target === null ? '–' : String(target.routes.length),
    isFirst ? model.aliases.join(', ') : '',
  ];
}
