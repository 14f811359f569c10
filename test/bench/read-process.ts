import { readFileSync } from 'node:fs';

/** What a process has used so far. */
export type Usage = {
  /** Seconds of CPU, of all its threads. */
  readonly cpu: number;
  /** Resident memory, bytes. */
  readonly rss: number;
};

/** Linux counts CPU time for programs in hundredths of a second, whatever its own clock is. */
const TICKS = 100;
const UTIME = 11;
const STIME = 12;

/** CPU seconds of a line of `/proc/PID/stat`. The name in it is in brackets and may hold blanks and brackets. */
export function parseCpu(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[UTIME]) + Number(fields[STIME])) / TICKS;
}

/** Bytes of a line such as `VmRSS:     8012 kB` in `/proc/PID/status`; NaN where it is not there. */
export function parseMemory(status: string, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status);
  return found === null ? Number.NaN : Number(found[1]) * 1024;
}

/** The hard limit of open files in `/proc/PID/limits`. */
export function parseOpenFiles(limits: string): number {
  const hard = /^Max open files\s+\S+\s+(\S+)/m.exec(limits)?.[1];
  return hard === 'unlimited' ? Number.POSITIVE_INFINITY : Number(hard);
}

/** Throws if there is no such process. */
export function readUsage(pid: number): Usage {
  return {
    cpu: parseCpu(readFileSync(`/proc/${pid}/stat`, 'utf8')),
    rss: parseMemory(readFileSync(`/proc/${pid}/status`, 'utf8'), 'VmRSS'),
  };
}
