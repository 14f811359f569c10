import type { Env } from '../../app/configuration.ts';
import { nameOfProtocol } from '../../config/service-order.ts';
import type { Target, VirtualModel } from '../../core/routing/candidate.ts';
import { EXIT } from '../exit-code.ts';
import { loadToReadOrEnd, openOrEnd } from '../open-configuration.ts';
import { renderTable } from '../table.ts';
import type { Terminal } from '../terminal.ts';

type Options = { readonly config?: string; readonly json?: boolean };

/** Shows what clients may ask for and who stands behind each name, as the configuration has it. */
export function listConfiguredModels(terminal: Terminal, env: Env, options: Options): void {
  const { models: configured } = loadToReadOrEnd(openOrEnd(options, env, EXIT.configuration));
  const models = [...configured.values()];
  terminal.out(
    options.json ? JSON.stringify({ data: models.map(viewModel) }, null, 2) : renderModels(terminal, models),
  );
}

const viewModel = (model: VirtualModel): unknown => ({
  name: model.name,
  aliases: model.aliases,
  strategy: model.strategy,
  targets: model.targets.map(({ id, protocol, tier, weight, routes }) => ({
    target: id,
    protocol,
    tier,
    weight,
    credentials: routes.length,
  })),
});

function renderModels(terminal: Terminal, models: readonly VirtualModel[]): string {
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
  const rows = models.flatMap((model) => model.targets.map((target, i) => rowOf(terminal, model, target, i === 0)));
  return renderTable(terminal, columns, rows);
}

function rowOf(terminal: Terminal, model: VirtualModel, target: Target, isFirst: boolean): readonly string[] {
  return [
    isFirst ? terminal.paint('bold', model.name) : '',
    isFirst ? model.strategy : '',
    String(target.tier),
    target.id,
    nameOfProtocol(target.protocol),
    model.strategy === 'failover' ? '–' : String(target.weight),
    String(target.routes.length),
    isFirst ? model.aliases.join(', ') : '',
  ];
}
