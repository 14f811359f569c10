import type { ModelEntry, ProviderEntry } from '../../../src/management/contract.ts';

/** What models of the demo provider do, in words. */
const TITLES: Readonly<Record<string, string>> = {
  'error-503': 'answers 503',
  'rate-limited': 'answers 429: come back in 20 s',
  'error-after-200': 'says 200, and then an error',
  'cut-after-20-words': 'breaks off in mid-sentence',
  stall: 'sends a head, and then nothing',
  silent: 'takes the request and says nothing',
  'slow-first-token': 'takes long for its first word',
  empty: 'answers without a word',
  'retired-410': 'says that its model is gone',
  'html-200': 'answers with a web page',
  'damaged-frame': 'sends JSON that breaks off',
};

/** A name to ask for, and what will go wrong. */
export type Fault = { readonly name: string; readonly title: string };

export type Faults = {
  /** Models whose first target fails and that have others. */
  readonly covered: readonly Fault[];
  /** Targets that fail and stand alone: nobody goes on for them. */
  readonly alone: readonly Fault[];
};

/** Faults that can be tried here, by what the configuration has of the demo provider. */
export function faultsOf(models: readonly ModelEntry[], providers: readonly ProviderEntry[]): Faults {
  const demos = providers.filter(({ preset }) => preset.startsWith('demo'));
  const isDemo = new Set(demos.map(({ name }) => name));
  const titleOf = (target: string): string | undefined => {
    const slash = target.indexOf('/');
    return isDemo.has(target.slice(0, slash)) ? TITLES[target.slice(slash + 1)] : undefined;
  };
  const covered = models.flatMap(({ name, targets }) => {
    const title = titleOf(targets[0] ?? '');
    return title === undefined || targets.length < 2 ? [] : [{ name, title }];
  });
  const open = demos.find(({ pinned, protocol }) => pinned === 'any' && protocol === 'openai-chat');
  const alone =
    open === undefined
      ? []
      : Object.entries(TITLES).map(([fault, title]) => ({ name: `${open.name}/${fault}`, title }));
  return { covered, alone };
}
