import { PHASES, type Phase } from '../src/core/stream/phase.ts';
import { type Condition, type Effect, INPUTS, type Input, TRANSITIONS } from '../src/core/stream/transitions.ts';

/** What a phase means, for people. */
const PHASE_TITLES: { readonly [P in Phase]: string } = {
  undecided: 'nothing sent, all held',
  end_undecided: 'nothing sent, a tool call waits',
  streaming: 'committed, frames pass',
  end_held: 'committed, a tool call waits',
  finished: 'the client has its end mark',
  over: 'nothing follows',
};

/**
 * How an answer without output is judged: the one place where settings and not the table name the next phase. The
 * drawing's test plays each through the machine.
 */
export const JUDGEMENTS: readonly { readonly when: string; readonly effects: readonly Effect[]; readonly to: Phase }[] =
  [
    { when: 'no finish came, or an empty answer is not accepted', effects: ['fail'], to: 'over' },
    { when: 'accepted at its end mark', effects: ['hold', 'commit'], to: 'finished' },
    { when: 'accepted at the end of the body', effects: ['commit', 'complete'], to: 'over' },
  ];

const JUDGED = 'judged';

/** A way from one phase to another: what leads there, and what is done. */
type Way = { readonly to: string; readonly why: string; readonly effects: readonly Effect[] };

/** The transition table as a Mermaid diagram: an arrow for each two phases, a line of it for each way between them. */
export function drawTransitions(): string {
  const live = PHASES.filter((phase) => phase !== 'over');
  const lines = [
    ...PHASES.map((phase) => `state "${phase}<br/>${PHASE_TITLES[phase]}" as ${phase}`),
    `state ${JUDGED} <<choice>>`,
    `[*] --> ${PHASES[0]}`,
    ...live.flatMap((phase) => drawArrows(phase, waysFrom(phase))),
    ...drawArrows(
      JUDGED,
      JUDGEMENTS.map(({ when, effects, to }) => ({ to, why: when, effects })),
    ),
    'over --> [*]',
  ];
  return ['```mermaid', 'stateDiagram-v2', ...lines.map((line) => `  ${line}`), '```'].join('\n');
}

type Group = {
  readonly to: string;
  readonly effects: readonly Effect[];
  readonly when: Condition | null;
  readonly inputs: Input[];
};

/** Inputs that do the same under the same condition stand together; what changes nothing is left out. */
function waysFrom(phase: Phase): readonly Way[] {
  const groups = new Map<string, Group>();
  for (const input of INPUTS) {
    const usual = TRANSITIONS[phase][input];
    for (const { to, effects, when } of [...usual.instead, { ...usual, when: null }]) {
      if (to === phase && effects.length === 0) continue;
      const isJudged = effects.includes('judge_empty');
      const way = { to: isJudged ? JUDGED : to, effects: isJudged ? [] : effects, when };
      const key = JSON.stringify(way);
      const group = groups.get(key) ?? { ...way, inputs: [] };
      group.inputs.push(input);
      groups.set(key, group);
    }
  }
  return [...groups.values()].map(({ to, effects, when, inputs }) => ({
    to,
    why: when === null ? nameInputs(inputs) : `${nameInputs(inputs)} if ${when}`,
    effects,
  }));
}

function drawArrows(from: string, ways: readonly Way[]): readonly string[] {
  const targets = [...new Set(ways.map(({ to }) => to))];
  return targets.map((to) => {
    const labels = ways.filter((way) => way.to === to).map(label);
    return `${from} --> ${to}: ${labels.join('<br/>')}`;
  });
}

const label = ({ why, effects }: Way): string => (effects.length === 0 ? why : `${why} → ${effects.join(', ')}`);

/** How a body ends, and what its clocks and bounds say: everything else is a frame. */
const NO_FRAMES: readonly Input[] = ['bound', 'end', 'cut', 'clock'];
const FRAMES = INPUTS.filter((input) => !NO_FRAMES.includes(input));

/** Inputs in a few words; where they are most of the frames, by those that are not among them. */
function nameInputs(inputs: readonly Input[]): string {
  const others = FRAMES.filter((input) => !inputs.includes(input));
  const isMost = inputs.every((input) => FRAMES.includes(input)) && others.length < inputs.length;
  return isMost ? `every frame but ${others.join(', ')}` : inputs.join(', ');
}
