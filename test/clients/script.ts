import type { FaultPlan } from './faults.ts';
import type { Json, Reply, Turn } from './voices/types.ts';

/** Appended once for each run of a tool, in the folder in which the client works. */
export const TRACE = 'ran.txt';

/** The last words of the scripted model. Whoever prints them has seen the turn through. */
export const LAST_WORDS = 'The file is written, take a bow.';

const FIRST_WORDS = 'I am about to write the file that you asked for, one moment please.';

/** What a client asks beside its turn: a title, a memory. */
const ASIDE: Reply = { kind: 'text', text: 'A short note' };

const COMMAND = `echo ran >> ${TRACE}`;
const TOLD = { command: COMMAND, description: 'Leave a trace' };

/** The tools of clients that can write the trace, and how each is called. */
const TOOLS: Readonly<Record<string, Json>> = {
  exec_command: { cmd: COMMAND },
  shell_command: { command: COMMAND },
  shell: { command: ['bash', '-c', COMMAND] },
  Bash: TOLD,
  bash: TOLD,
  run_shell_command: { ...TOLD, is_background: false },
  write_trace: { text: 'ran' },
};

const toolOf = (turn: Turn): string | undefined => turn.tools.find((name) => Object.hasOwn(TOOLS, name));

/** Is it the turn itself, which a fault is meant for? */
export const isMain = (turn: Turn): boolean => toolOf(turn) !== undefined;

/** The scripted model: calls one tool, and ends when it sees a result. */
export function replyTo(turn: Turn): Reply {
  const name = toolOf(turn);
  if (name === undefined) return ASIDE;
  return turn.hasResult ? { kind: 'text', text: LAST_WORDS } : { kind: 'call', name, input: TOOLS[name] ?? {} };
}

/** What is struck: the turn that is due, or a text that announces it. */
export const struckReply = (plan: FaultPlan, turn: Turn): Reply =>
  plan.reply === 'text' ? { kind: 'text', text: FIRST_WORDS } : replyTo(turn);
