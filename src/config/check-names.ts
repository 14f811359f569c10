import { isGlob } from './glob.ts';
import { type Report, refuse } from './report.ts';
import type { ConfigInput } from './schema/index.ts';

const MODEL_NAME = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,127}$/;
const ALIAS = /^[A-Za-z0-9*][A-Za-z0-9._:/*-]{0,127}$/;

/** Names of models and aliases: their form, and that each means one thing. */
export function checkNames(input: ConfigInput, providerNames: readonly string[], report: Report): void {
  const models = Object.entries(input.models ?? {});
  const modelNames = new Set(models.map(([name]) => name));
  const owners = new Map<string, string>();
  for (const [name, model] of models) {
    if (!MODEL_NAME.test(name)) {
      const hint = 'begin with a letter or digit; then letters, digits and . _ : / -, at most 128';
      refuse(report, ['models', name], `the model name ${JSON.stringify(name.slice(0, 140))} is not allowed`, hint);
    }
    (model.aliases ?? []).forEach((alias, index) => {
      const clash = clashOf(alias, { modelNames, owners, providerNames });
      if (!ALIAS.test(alias)) {
        refuse(
          report,
          ['models', name, 'aliases', index],
          `the alias ${JSON.stringify(alias.slice(0, 140))} is not allowed`,
          ALIAS_HINT,
        );
      } else if (clash) {
        refuse(report, ['models', name, 'aliases', index], clash.message, clash.hint);
      }
      if (!owners.has(alias)) owners.set(alias, name);
    });
  }
  checkDefault(models, report);
}

const ALIAS_HINT = 'letters, digits and . _ : / -, with * for anything, at most 128';

type Taken = {
  readonly modelNames: ReadonlySet<string>;
  readonly owners: ReadonlyMap<string, string>;
  readonly providerNames: readonly string[];
};

function clashOf(alias: string, taken: Taken): { readonly message: string; readonly hint: string } | null {
  const owner = taken.owners.get(alias);
  if (owner !== undefined) {
    return {
      message: `the alias "${alias}" stands twice`,
      hint: `models.${owner} has it already: remove one of the two`,
    };
  }
  if (taken.modelNames.has(alias)) {
    return {
      message: `the alias "${alias}" is the name of a model`,
      hint: 'choose another alias, or rename the model',
    };
  }
  const provider = taken.providerNames.find((name) => alias === name || alias.startsWith(`${name}/`));
  if (provider === undefined) return null;
  const message =
    isGlob(alias) || alias !== provider
      ? `the alias "${alias}" hides targets of the provider "${provider}"`
      : `the alias "${alias}" is the name of a provider`;
  return { message, hint: 'choose an alias that does not begin with the name of a provider' };
}

function checkDefault(
  models: readonly (readonly [string, NonNullable<ConfigInput['models']>[string]])[],
  report: Report,
): void {
  const [first, ...others] = models.filter(([, model]) => model.default === true).map(([name]) => name);
  for (const name of others) {
    refuse(
      report,
      ['models', name, 'default'],
      'a second model is the default',
      `models.${first} is it already: keep one`,
    );
  }
}
