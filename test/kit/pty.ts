import { spawn, spawnSync } from 'node:child_process';

/** Runs a command on a terminal of its own, whose keys are its input, and which is gone at the word `close`; then tells how it ended. */
const SCRIPT = `
import os, pty, select, sys
pid, master = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
print('STARTED', pid, flush=True)
while True:
    ready = select.select([0, master], [], [])[0]
    if 0 in ready:
        typed = os.read(0, 4096)
        if typed in (b'', b'close\\n'):
            break
        os.write(master, typed)
        continue
    try:
        os.write(1, os.read(master, 4096))
    except OSError:
        break
os.close(master)
print('\\nENDED', os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

export const hasPty = spawnSync('python3', ['-c', 'import pty'], { timeout: 10_000 }).status === 0;

export type Terminal = {
  /** Ends whatever is left of it. */
  kill(): void;
  /** What came out until now. */
  readonly out: () => string;
  /** What a person types: keys, or Ctrl and a key by its code. */
  type(keys: string): void;
  /** Takes the terminal away. */
  close(): void;
  /** The exit code, negative for a signal. */
  readonly ended: Promise<number>;
};

/** Needs python3, since Node has no terminals to give. */
export function openTerminal(
  command: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Terminal {
  const child = spawn('python3', ['-c', SCRIPT, ...command], { ...options, stdio: ['pipe', 'pipe', 'inherit'] });
  let out = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  const ended = new Promise<number>((resolve) => {
    child.on('close', () => resolve(Number(/ENDED (-?\d+)/.exec(out)?.[1] ?? Number.NaN)));
  });
  const kill = (): void => {
    // The command has a session of its own, and does not end with who gave it its terminal.
    const pid = Number(/STARTED (\d+)/.exec(out)?.[1]);
    if (!out.includes('\nENDED ') && pid > 0) killIfThere(pid);
    child.kill('SIGKILL');
  };
  return {
    kill,
    out: () => out,
    type: (keys) => void child.stdin.write(keys),
    close: () => void child.stdin.write('close\n'),
    ended,
  };
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
