import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { SECRETS } from './world.ts';

export type LogWatch = {
  readonly lines: () => number;
  /** Requests that the log says have ended. */
  readonly requests: () => number;
  /** The first lines that must not be there, and how many there were. */
  readonly problems: () => { readonly count: number; readonly first: readonly string[] };
};

const MOST_KEPT = 20;
/** What an answer's words begin with; prompts say it in plain letters. */
const SPOKEN_WORDS = ['⟦', 'What is known of'];

/** What is wrong with a line of the log; null: nothing. */
export function judgeLine(line: string): string | null {
  if (!line.startsWith('{') || !line.endsWith('}')) return `no line of the log: ${line}`;
  if (line.includes('"level":"error"') || line.includes('"level":"fatal"')) return `a fault: ${line}`;
  if (SECRETS.some((secret) => line.includes(secret))) return `a secret: ${line}`;
  if (SPOKEN_WORDS.some((words) => line.includes(words))) return `what somebody said: ${line}`;
  return null;
}

/** What the command says on standard error once it listens: lines that begin with two blanks. */
const isGreeting = (line: string): boolean => line === '' || line.startsWith('  ');

/** Reads the gateway's output as it comes, and keeps nothing but what is wrong. */
export function watchLog(out: Readable, err: Readable): LogWatch {
  const state = { lines: 0, requests: 0, count: 0 };
  const first: string[] = [];
  const tell = (problem: string): void => {
    state.count += 1;
    if (first.length < MOST_KEPT) first.push(problem.slice(0, 1_000));
  };
  createInterface({ input: out }).on('line', (line) => {
    state.lines += 1;
    if (line.startsWith('{"event":"request_ended"')) state.requests += 1;
    const problem = judgeLine(line);
    if (problem !== null) tell(problem);
  });
  createInterface({ input: err }).on('line', (line) => {
    if (!isGreeting(line)) tell(`standard error: ${line}`);
  });
  return {
    lines: () => state.lines,
    requests: () => state.requests,
    problems: () => ({ count: state.count, first }),
  };
}
