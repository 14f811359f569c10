import type { ManagementEvent } from '../management/types.ts';
import type { Terminal } from './terminal.ts';
import { countOf, formatDuration, styleOf } from './words.ts';

/** What is known of a provider while a round runs. */
export type ProviderProgress = {
  readonly provider: string;
  /** Routes that could be asked. */
  readonly candidates: number;
  /** States that probes have shown, in their order. */
  readonly ended: readonly string[];
  /** Routes that are asked now. */
  readonly running: readonly string[];
  /** What came of asking it for its models; null: it was not asked, or has not answered yet. */
  readonly listing: string | null;
};

export type ProbeProgressView = {
  readonly models: readonly string[];
  readonly providers: readonly ProviderProgress[];
};

export const NOTHING_YET: ProbeProgressView = { models: [], providers: [] };

/** The view behind an event; whoever joins a round that runs has not seen its beginning. */
export function followProgress(view: ProbeProgressView, event: ManagementEvent): ProbeProgressView {
  switch (event.type) {
    case 'probing':
      return {
        models: event.models,
        providers: event.providers.map((each) => ({ ...each, ended: [], running: [], listing: null })),
      };
    case 'discovered':
      return change(view, event.provider, () => ({ listing: tellListing(event) }));
    case 'probe_started':
      return change(view, event.provider, ({ running }) => ({ running: [...running, event.route] }));
    case 'probe_ended':
      return change(view, event.provider, ({ running, ended }) => ({
        running: running.filter((route) => route !== event.route),
        ended: [...ended, COUNTED_AS[event.state] ?? event.state],
      }));
    default:
      return view;
  }
}

/** As a report counts them. */
const COUNTED_AS: Readonly<Record<string, string>> = { open: 'deferred', half_open: 'deferred' };

/** Null: it was not asked for a list. */
function tellListing({ models, error }: Extract<ManagementEvent, { type: 'discovered' }>): string | null {
  if (error !== null) return `no list: ${error}`;
  return models === null ? null : `${countOf(models, 'model')} listed`;
}

type Change = (before: ProviderProgress) => Partial<ProviderProgress>;

function change(view: ProbeProgressView, provider: string, how: Change): ProbeProgressView {
  const known = view.providers.find((each) => each.provider === provider);
  const before = known ?? { provider, candidates: 0, ended: [], running: [], listing: null };
  const after = { ...before, ...how(before) };
  const providers = known ? view.providers.map((each) => (each === known ? after : each)) : [...view.providers, after];
  return { ...view, providers };
}

const SPINNER = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const MARKS: Readonly<Record<string, string>> = { ready: '●', slow: '◐', rejected: '✗' };
const DEFERRED = '○';
const WAITING = '·';
/** More marks than these are a matter of numbers. */
const MOST_MARKS = 24;
const MOST_NAME = 20;
const MOST_PROVIDERS = 12;

/** Lines for a terminal: what is asked, and one for each provider. `tick` turns what turns. */
export function renderProgress(
  terminal: Terminal,
  { models, providers }: ProbeProgressView,
  { elapsedMs, tick }: { readonly elapsedMs: number; readonly tick: number },
): readonly string[] {
  const turning = SPINNER[tick % SPINNER.length] ?? '';
  const asked = models.length > 3 ? countOf(models.length, 'model') : models.join(', ');
  const head = `${terminal.paint('cyan', turning)} asking ${terminal.paint('bold', asked)}  ${terminal.paint('dim', formatDuration(elapsedMs))}`;
  const names = Math.min(MOST_NAME, Math.max(0, ...providers.map(({ provider }) => provider.length)));
  const marks = Math.max(0, ...providers.map((each) => marksOf(each).length));
  const shown = providers.slice(0, MOST_PROVIDERS);
  const rest = providers.length - shown.length;
  return [
    head,
    ...shown.map((each) => renderProvider(terminal, each, { names, marks, turning })),
    ...(rest === 0 ? [] : [terminal.paint('dim', `  … and ${rest} more providers`)]),
  ];
}

type Mark = { readonly sign: string; readonly style: Parameters<Terminal['paint']>[0] };

function marksOf({ ended, running, candidates }: ProviderProgress, turning = '⠋'): readonly Mark[] {
  const left = Math.max(0, candidates - ended.length - running.length);
  const all: readonly Mark[] = [
    ...ended.map((state) => ({ sign: MARKS[state] ?? DEFERRED, style: styleOf(state) })),
    ...running.map((): Mark => ({ sign: turning, style: 'cyan' })),
    ...Array.from({ length: left }, (): Mark => ({ sign: WAITING, style: 'dim' })),
  ];
  const first = Math.max(0, Math.min(all.length - MOST_MARKS, ended.length + running.length - MOST_MARKS));
  return all.slice(first, first + MOST_MARKS);
}

type Widths = { readonly names: number; readonly marks: number; readonly turning: string };

function renderProvider(terminal: Terminal, each: ProviderProgress, { names, marks, turning }: Widths): string {
  const name = each.provider.length > names ? `${each.provider.slice(0, names - 1)}…` : each.provider.padEnd(names);
  const own = marksOf(each, turning);
  const row = own.map(({ sign, style }) => terminal.paint(style, sign)).join('') + ' '.repeat(marks - own.length);
  const words = [
    ...tally(terminal, each.ended),
    ...(each.listing === null ? [] : [terminal.paint('dim', each.listing)]),
  ];
  const [now] = each.running;
  const asking = now === undefined ? '' : terminal.paint('dim', `  ${now}`);
  return `  ${name}  ${row}  ${words.join(terminal.paint('dim', ' · '))}${asking}`.trimEnd();
}

/** "2 ready", "1 deferred" …, in the order in which they serve. */
function tally(terminal: Terminal, states: readonly string[]): readonly string[] {
  const order = ['ready', 'slow', 'deferred', 'rejected'];
  const words = [...new Set([...order, ...states])].filter((word) => states.includes(word));
  return words.map((word) => {
    const count = states.filter((state) => state === word).length;
    return terminal.paint(styleOf(word), `${count} ${word}`);
  });
}
