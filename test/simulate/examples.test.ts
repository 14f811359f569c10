import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openConfiguration } from '../../src/app/configuration.ts';
import { playScenario } from '../../src/app/play-scenario.ts';
import { renderComparison } from '../../src/cli/comparison-lines.ts';
import { renderShown } from '../../src/cli/shown-request-lines.ts';
import { renderSimulation } from '../../src/cli/simulation-lines.ts';
import { createTerminal } from '../../src/cli/terminal.ts';
import { fillSections } from '../../src/config/reference.ts';
import type { RuntimeConfig } from '../../src/config/runtime.ts';
import { simulationAnswer } from '../../src/management/simulation-contract.ts';
import { INVARIANTS } from '../../src/simulate/invariants/index.ts';
import { type Comparison, compareReports, drawTraffic, type Reported } from '../../src/simulate/report/index.ts';
import {
  checkScenario,
  fallbackModel,
  readScript,
  SCHEMA_LINE,
  scriptSections,
} from '../../src/simulate/script/index.ts';

const DOCS = join(import.meta.dirname, '..', '..', 'docs');
const FOLDER = join(DOCS, 'examples', 'simulate');
const PAGE = join(DOCS, 'simulate.md');

/** `UPDATE_GENERATED=1 npx vitest run test/simulate/examples.test.ts` writes what is generated. */
const isUpdate = process.env['UPDATE_GENERATED'] === '1';

const SILENT = { write: () => true };
const terminal = createTerminal(SILENT, SILENT, {});

function load(name: string): RuntimeConfig {
  const opened = openConfiguration({ config: join(FOLDER, name) }, { HOME: '/nowhere' }, '/nowhere');
  const loaded = opened.ok ? opened.configuration.loadToRead() : null;
  if (!loaded?.ok) throw new Error(`${name} does not load`);
  return { ...loaded.config, file: name };
}

const CONFIG = load('understudy.yaml');
const OTHER = load('resilient.yaml');
const played = new Map<string, Promise<Reported>>();

function play(name: string, config = CONFIG): Promise<Reported> {
  const key = `${name} ${config.file}`;
  const known = played.get(key);
  if (known !== undefined) return known;
  const read = readScript(readFileSync(join(FOLDER, `${name}.yaml`), 'utf8'), { model: fallbackModel(config) });
  if (!read.ok) throw new Error(JSON.stringify(read.problems));
  expect(checkScenario(read.script, config)).toEqual({ problems: [], notes: [] });
  const reported = playScenario({ scenario: read.script.scenario, config, show: null });
  played.set(key, reported);
  return reported;
}

const fence = (text: string): string => `\`\`\`text\n${text}\n\`\`\``;
const script = (name: string): string => {
  const [, ...lines] = readFileSync(join(FOLDER, `${name}.yaml`), 'utf8')
    .trimEnd()
    .split('\n');
  return `<!-- fragment -->\n\`\`\`yaml\n${lines.join('\n')}\n\`\`\``;
};
const result = ({ report }: Reported): string => fence(renderSimulation(terminal, report));
const shown = ({ report }: Reported): string =>
  report.shown === null ? '' : fence(renderShown(terminal, report.shown));

const PROMISES = ['| | promise |', '|---|---|', ...INVARIANTS.map(({ id, promise }) => `| ${id} | ${promise} |`)].join(
  '\n',
);

type Example = {
  readonly name: string;
  /** What the example is there to show. */
  readonly check: (reported: Reported) => void | Promise<void>;
  readonly print?: (reported: Reported) => string | Promise<string>;
};

const outcomes = ({ report }: Reported): readonly string[] =>
  report.routes.flatMap((route) => route.outcomes.map(({ outcome }) => outcome));
const served = ({ report }: Reported, target: string): number =>
  report.served.find((each) => each.target === target)?.count ?? 0;

const EXAMPLES: readonly Example[] = [
  {
    name: 'provider-outage',
    check: (it) => {
      expect(it.report.requests).toMatchObject({
        total: 360,
        answered: 360,
        success_rate: 1,
        first_route_rate: 0.6667,
      });
      expect(served(it, 'second/large')).toBeGreaterThan(110);
      expect(it.report.latency.added.max_ms).toBe(0);
      expect(it.report.outages.map(({ id }) => id)).toContain('first.example:443');
      // Four requests find out, and nobody else is sent there until a probe was answered.
      const failed = it.report.routes.flatMap(({ outcomes }) => outcomes.filter(({ outcome }) => outcome !== 'ok'));
      expect(failed.reduce((sum, { count }) => sum + count, 0)).toBe(4);
      expect(it.report.probes).toMatchObject([{ route: 'first/large#team', sends: 3 }]);
      expect(Math.max(...it.report.outages.map(({ back_ms: back }) => back ?? 0))).toBeLessThan(105_000);
    },
  },
  {
    name: 'key-exhausted',
    check: (it) => {
      expect(it.report.requests).toMatchObject({ total: 240, success_rate: 1 });
      expect(served(it, 'first/large')).toBe(240);
      expect(it.report.routes.find(({ route }) => route === 'first/large#team')).toMatchObject({
        sends: 101,
        served: 100,
      });
      expect(it.report.outages).toMatchObject([{ scope: 'credential', id: 'first/team', from_ms: 50_000 }]);
    },
  },
  {
    name: 'retired-model',
    check: (it) => {
      expect(it.report.requests).toMatchObject({ success_rate: 1, first_route_rate: 0.25 });
      expect(outcomes(it)).toContain('model_gone');
      expect(it.report.outages).toMatchObject([{ scope: 'target', back_ms: 30_000 + 86_400_000 }]);
    },
  },
  {
    name: 'slow-first-token',
    check: async (it) => {
      expect(it.report.latency.whole.max_ms).toBe(30_000);
      const impatient = await play('slow-first-token', OTHER);
      expect(impatient.report.requests.success_rate).toBe(1);
      expect(impatient.report.latency.whole.max_ms).toBe(10_500);
    },
    print: async (it) =>
      fence(renderComparison(terminal, it.report, compareReports(it, await play('slow-first-token', OTHER)))),
  },
  {
    name: 'flapping',
    check: (it) => {
      expect(it.report.requests.success_rate).toBe(1);
      expect(it.report.outages.filter(({ id }) => id === 'first/large#team')).toHaveLength(6);
      expect(it.report.latency.added.max_ms).toBe(100);
    },
  },
  {
    name: 'mid-stream-cuts',
    check: (it) => {
      const half = it.report.clients.find(({ seen }) => seen === 'half');
      expect(half).toMatchObject({ status: 200, code: 'stream_interrupted' });
      expect(it.report.clients.map(({ seen }) => seen)).not.toContain('cut');
      expect(outcomes(it)).toContain('incomplete_stream');
      expect(it.report.shown?.events.at(-1)?.text).toBe('half an answer, and an error');
    },
    print: (it) => `${result(it)}\n\n${shown(it)}`,
  },
  {
    name: 'thundering-return',
    check: (it) => {
      expect(it.report.requests.client_retries).toBeGreaterThan(50);
      expect(it.report.requests.turn_success_rate).toBeGreaterThan(it.report.requests.success_rate ?? 1);
      expect(it.report.traffic.failed.slice(-15)).toEqual(Array.from({ length: 15 }, () => 0));
    },
  },
  {
    name: 'all-down',
    check: (it) => {
      expect(it.report.requests.failed).toBeGreaterThan(30);
      expect(it.report.clients.filter(({ seen }) => seen === 'error').map(({ status }) => status)).toEqual(
        expect.arrayContaining([502, 503]),
      );
    },
    print: (it) => `${result(it)}\n\n${shown(it)}`,
  },
  {
    name: 'short-retry-after',
    check: async (it) => {
      expect(it.report.requests.turn_success_rate).toBe(1);
      expect(it.report.requests.failed).toBe(16);
      expect((await play('short-retry-after', OTHER)).report.requests).toMatchObject({ total: 120, failed: 0 });
    },
    print: async (it) =>
      `${result(it)}\n\n${fence(renderComparison(terminal, it.report, compareReports(it, await play('short-retry-after', OTHER))))}`,
  },
  {
    name: 'two-plans',
    check: async (it) => {
      const compared: Comparison = compareReports(it, await play('two-plans', OTHER));
      expect(compared.only_there).toBe(12);
      expect(compared.only_here).toBeGreaterThan(12);
      expect(compared.differences.map(({ what }) => what)).toEqual(
        expect.arrayContaining(['success rate', 'wait, p99']),
      );
    },
    print: async (it) =>
      fence(renderComparison(terminal, it.report, compareReports(it, await play('two-plans', OTHER)))),
  },
];

describe('the worked examples', () => {
  it('are the scripts of their folder', () => {
    const scripts = readdirSync(FOLDER).filter((name) =>
      readFileSync(join(FOLDER, name), 'utf8').startsWith(SCHEMA_LINE),
    );
    expect(scripts.map((name) => name.replace('.yaml', '')).sort()).toEqual(EXAMPLES.map(({ name }) => name).sort());
  });

  it.each(EXAMPLES)('$name shows what it is there for', async ({ name, check }) => {
    const reported = await play(name);
    await check(reported);
    expect(reported.report.leftovers).toEqual([]);
    expect(simulationAnswer.safeParse({ simulation: reported.report, compared: null }).error).toBeUndefined();
  });

  it('have the results and the reference that the page prints', async () => {
    const sections: Record<string, string> = { ...scriptSections(), promises: PROMISES };
    for (const { name, print = result } of EXAMPLES)
      sections[`example-${name}`] = `${script(name)}\n\n${await print(await play(name))}`;
    const wanted = fillSections(readFileSync(PAGE, 'utf8'), sections);
    if (isUpdate) writeFileSync(PAGE, wanted);
    const page = readFileSync(PAGE, 'utf8');
    expect(page).toBe(wanted);
    expect(Object.keys(sections).filter((name) => !page.includes(`<!-- generated: ${name} -->`))).toEqual([]);
  });

  it('begin with one that reads, too', () => {
    const first = /```yaml\n([\s\S]*?)```/.exec(readFileSync(PAGE, 'utf8'))?.[1] ?? '';
    expect(readScript(first, { model: 'main' })).toMatchObject({
      ok: true,
      script: { scenario: { forMs: 600_000, providers: [{ does: { status: 429 } }, { does: { words: 28 } }] } },
    });
  });

  it('give the same report again, byte for byte', async () => {
    const first = await play('thundering-return');
    played.clear();
    expect(JSON.stringify(await play('thundering-return'))).toBe(JSON.stringify(first));
  });

  it('are drawn: each area and each outage, with words for those who do not see', async () => {
    const { report } = await play('thundering-return');
    const svg = drawTraffic(report);
    expect(svg).toContain('<title id="t">');
    expect(svg).toContain(`${report.requests.failed} failed.</desc>`);
    expect(svg.match(/<path class="s\d/g)).toHaveLength(report.served.length);
    expect(svg.match(/<rect class="out"/g)).toHaveLength(report.outages.length);
    const strange = drawTraffic({
      ...report,
      served: [],
      traffic: { ...report.traffic, series: [{ target: 'a/<b>&"', counts: [1] }] },
    });
    expect(strange).toContain('a/&lt;b&gt;&amp;&quot;: 1');
    expect(strange).not.toMatch(/NaN|undefined|<b>/);
  });

  it('are drawn with a colour for each target, as long as there are colours, and with all that failed', async () => {
    const { report } = await play('thundering-return');
    const { failed } = report.traffic;
    const series = Array.from({ length: 12 }, (_, n) => ({ target: `vendor/model-${n}`, counts: failed.map(() => 1) }));
    const outages = series.map(
      ({ target }) => ({ ...report.outages[0], id: target }) as (typeof report.outages)[number],
    );
    const svg = drawTraffic({ ...report, traffic: { ...report.traffic, series }, outages });
    expect(svg.match(/<path class="[^"]+"/g)).toHaveLength(9);
    expect(svg).toContain(`>5 others ${5 * failed.length}</text>`);
    expect(svg).toContain(`>failed ${report.requests.failed}</text>`);
    expect(svg).toContain('>and 4 more</text>');
    const empty = { ...report.traffic, series: [], failed: [0] };
    expect(drawTraffic({ ...report, traffic: empty, outages: [] })).not.toMatch(/NaN|undefined|Infinity|<path/);
  });

  it('keep the colour of who answers first, and every text inside', async () => {
    const { report } = await play('all-down');
    const svg = drawTraffic(report);
    expect(report.served[0]?.target).toBe('second/large');
    expect(svg).toMatch(/<rect class="s0"[^>]+>\n<text[^>]+>first\/large 40</);
    // The last moment stands at the edge and grows to the left.
    expect(svg).toMatch(/text-anchor="end">1:00</);
    expect(svg).toMatch(/<desc id="d">168 requests in 1:11: /);
  });
});
