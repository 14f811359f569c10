import { examine, type Finding, type FindingStatus } from '../../app/doctor/examine.ts';
import { ownCommand } from '../command-name.ts';
import { EXIT, type ExitCode } from '../exit-code.ts';
import { createLiveLines } from '../live-lines.ts';
import { proseOut } from '../prose.ts';
import type { Terminal } from '../terminal.ts';
import { readNodeFloor, readVersion } from '../version.ts';
import { countOf } from '../words.ts';

export type DoctorOptions = {
  readonly config?: string;
  readonly host?: string;
  readonly port?: number;
  readonly stateDir?: string;
  readonly offline?: boolean;
  readonly json?: boolean;
};

/** Looks for what is wrong, and says what to do about it. */
export async function doctor(terminal: Terminal, env: NodeJS.ProcessEnv, options: DoctorOptions): Promise<ExitCode> {
  const live = createLiveLines(terminal);
  const tell = (finding: Finding): void => {
    live.print(renderFinding(terminal, finding));
    live.status('  … looking on');
  };
  const findings = await examine({
    flags: options,
    env,
    cwd: process.cwd(),
    version: readVersion(),
    nodeFloor: readNodeFloor(),
    command: ownCommand(),
    isOffline: options.offline ?? false,
    ...(options.json ? {} : { onFinding: tell }),
  });
  const isBroken = findings.some((finding) => finding.status === 'broken');
  if (options.json) terminal.out(JSON.stringify({ ok: !isBroken, findings }, null, 2));
  else {
    live.status(null);
    terminal.out(`\n${summarise(terminal, findings)}`);
  }
  return isBroken ? EXIT.checkFailed : EXIT.fine;
}

const TITLES: Readonly<Record<Finding['check'], string>> = {
  node: 'Node',
  configuration: 'configuration',
  state: 'state directory',
  port: 'port',
  files: 'open files',
  provider: 'provider',
  clock: 'clock',
};

type Style = Parameters<Terminal['paint']>[0];

const MARKS: Readonly<Record<FindingStatus, readonly [sign: string, style: Style]>> = {
  ok: ['✓', 'green'],
  warning: ['!', 'yellow'],
  broken: ['✗', ['bold', 'red']],
  skipped: ['–', 'dim'],
};

const TITLE_WIDTH = 16;
const INDENT = ' '.repeat(TITLE_WIDTH + 4);

function renderFinding(terminal: Terminal, { check, status, subject, detail, remedy }: Finding): string {
  const [sign, style] = MARKS[status];
  const title = subject ?? TITLES[check];
  const name = title.padEnd(TITLE_WIDTH);
  const gap = title.length > TITLE_WIDTH ? `\n${INDENT}` : '  ';
  const [first = '', ...rest] = detail.split('\n');
  const text = [first, ...rest.map((line) => `${INDENT}${line}`)].join('\n');
  const shown = status === 'skipped' ? terminal.paint('dim', text) : text;
  const finding = `${terminal.paint(style, sign)} ${status === 'broken' ? terminal.paint('bold', name) : name}${gap}${shown}`;
  const told = proseOut(terminal, finding, INDENT.length);
  return remedy === null
    ? told
    : `${told}\n${proseOut(terminal, `${INDENT}${terminal.paint('cyan', `→ ${remedy}`)}`, INDENT.length + 2)}`;
}

function summarise(terminal: Terminal, findings: readonly Finding[]): string {
  const count = (status: FindingStatus): number => findings.filter((finding) => finding.status === status).length;
  const [broken, warnings] = [count('broken'), count('warning')];
  const told = warnings === 0 ? '' : `, ${countOf(warnings, 'warning')}`;
  if (broken > 0) {
    return terminal.paint(['bold', 'red'], `${countOf(broken, 'thing')} ${broken === 1 ? 'is' : 'are'} broken${told}.`);
  }
  return warnings > 0
    ? terminal.paint('yellow', `Nothing is broken${told}.`)
    : terminal.paint('green', 'Everything is as it should be.');
}
