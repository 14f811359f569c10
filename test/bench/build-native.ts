import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Native = { readonly provider: string; readonly load: string };

/** Compiles provider and clients into a folder. Throws an Error in words where there is no compiler. */
export function buildNative(folder: string, compiler = 'cc'): Native {
  const build = (name: string): string => {
    const source = fileURLToPath(new URL(`native/${name}.c`, import.meta.url));
    const target = join(folder, name);
    const { error, status, stderr } = spawnSync(compiler, ['-O2', '-o', target, source], { encoding: 'utf8' });
    if (error !== undefined) {
      throw new Error(
        `There is no C compiler (${compiler}), which the provider and the clients of the benchmark need: apt-get install gcc libc6-dev`,
      );
    }
    if (status !== 0) throw new Error(`${name}.c does not compile: ${stderr}`);
    return target;
  };
  return { provider: build('provider'), load: build('load') };
}
