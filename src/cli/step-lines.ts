/** A command to type, and what it is for. */
type Step = readonly [typed: string, what: string];
type Paints = { readonly typed: (text: string) => string; readonly note: (text: string) => string };

/** Gap and the mark of a note. */
const BETWEEN = '  # '.length;

/**
 * Commands with what they are for behind them; where that is too wide (`columns`, null: nothing is), each above its
 * command, which stays whole.
 */
export function renderSteps(
  steps: readonly Step[],
  { indent, columns, paint }: { readonly indent: string; readonly columns: number | null; readonly paint: Paints },
): readonly string[] {
  const wide = Math.max(...steps.map(([typed]) => typed.length));
  const needed = Math.max(...steps.map(([, what]) => indent.length + wide + BETWEEN + what.length));
  const isRoomy = columns === null || needed <= columns;
  return steps.flatMap(([typed, what]) => {
    const note = paint.note(`# ${what}`);
    const command = paint.typed(typed);
    if (isRoomy) return [`${indent}${command}${' '.repeat(wide - typed.length)}  ${note}`];
    return [`${indent}${note}`, `${indent}${command}`];
  });
}
