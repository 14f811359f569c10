import type { ReadinessReport } from '../../core/readiness/report.ts';
import type { Clock } from '../../port/clock.ts';
import type { Env } from '../configuration.ts';
import type { Running } from '../lifecycle.ts';
import type { Recorder } from './recorder.ts';
import type { RunSignals } from './signals.ts';
import type { VerdictFile } from './verdict-file.ts';

/** With what this command ends where it is not the command's own code. */
export type RunExits = {
  readonly configuration: number;
  readonly gateway: number;
  readonly noCapacity: number;
  readonly noChild: number;
};

export type RunOptions = {
  /** The command and its arguments; at least one word. */
  readonly command: readonly string[];
  readonly config?: string;
  readonly model?: string;
  /** Folder for what happened; absent: nothing is kept. */
  readonly evidence?: string;
  /** 0: any that is free. */
  readonly port: number;
  /** Ready routes of the model before the command is started; 0: it is started at once. */
  readonly minReady: number;
  readonly readyTimeoutMs: number;
  /** Variables that hold keys of providers stay in the command's environment. */
  readonly keepsKeys: boolean;
  readonly env: Env;
  readonly cwd: string;
  readonly version: string;
  /** How this command is called, for hints. */
  readonly ownCommand: string;
  readonly exits: RunExits;
  /** For what goes on before the command is started, a line at a time; absent: nobody listens. */
  readonly say?: (line: string) => void;
};

/** What was found out on the way. */
export type RunSeen = {
  running: Running | null;
  /** The name that the command was given. */
  model: string | null;
  readiness: VerdictFile['readiness'];
  report: ReadinessReport | null;
  started: boolean;
  /** Of the gateway, that belong to no request. */
  faults: number;
};

/** What a run is made of, from its beginning to its end. */
export type Run = {
  readonly options: RunOptions;
  readonly clock: Clock;
  readonly signals: RunSignals;
  readonly recorder: Recorder;
  readonly stateDir: string;
  readonly startedAt: number;
  readonly seen: RunSeen;
  /** From now on these are in nothing that is written. */
  readonly hide: (secrets: readonly string[]) => void;
  readonly keepReport: (report: ReadinessReport) => void;
  /** Tells whoever looks on, without a secret. */
  readonly say: (line: string) => void;
};
