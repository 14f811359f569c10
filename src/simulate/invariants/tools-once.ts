import type { Behaviour, Fault } from '../scenario/scenario.ts';
import { type Blame, collect } from './blame.ts';
import { indexRun, type RequestCase, settingsOf } from './index-run.ts';
import type { Invariant } from './invariant.ts';

/** (m) */
export const toolsOnce: Invariant = {
  id: 'm',
  promise: 'a tool call that the client saw complete comes once, and never out of a stream that broke at its end',
  check: (run) =>
    collect('m', (blame) => {
      for (const each of indexRun(run).cases) {
        checkTwins(each, blame);
        checkHeldEnd(each, blame);
      }
    }),
};

const MARK = /<[^>]*>/;

function checkTwins({ id, view }: RequestCase, blame: Blame): void {
  const ids = new Set<string>();
  const marks = new Set<string>();
  for (const tool of view.tools) {
    const mark = MARK.exec(tool.args)?.[0] ?? '';
    if (ids.has(tool.id) || (mark !== '' && marks.has(mark))) blame(id, `tool call ${tool.id} is offered twice`);
    if (!tool.isComplete) continue;
    // Gemini's calls may have none.
    if (tool.id !== '') ids.add(tool.id);
    if (mark !== '') marks.add(mark);
  }
}

/** Faults behind which nothing of the answer comes any more. */
const BREAKS: ReadonlySet<Fault> = new Set(['close', 'reset', 'bad_encoding', 'bad_http', 'stall', 'error', 'half']);

const breaksBehindTool = ({ fault, tools = 0 }: Behaviour): boolean =>
  tools > 0 && fault?.at === 'behind_tool' && BREAKS.has(fault.kind);

/** The last call of a stream that breaks right behind it: a client that saw it complete would run it twice. */
function checkHeldEnd(each: RequestCase, blame: Blame): void {
  const { id, view, served, request } = each;
  const behaviour = served?.send?.behaviour;
  if (served === null || behaviour === undefined || !request.ask.stream || behaviour.otherShape === true) return;
  if (settingsOf(each, served)?.holdToolEnd === false || !breaksBehindTool(behaviour)) return;
  const last = served.send?.truth?.tools.at(-1);
  const seen = view.tools.find((tool) => tool.name === last?.name);
  if (seen?.isComplete === true) blame(id, `tool call ${seen.id} was complete where the stream broke behind it`);
}
