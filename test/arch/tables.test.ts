import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ANSWER_RULES, OUTCOME_CLASS } from '../../src/core/failure/answer-class.ts';
import { OUTCOMES, type Outcome } from '../../src/core/failure/outcome.ts';
import type { Frame } from '../../src/core/model/event.ts';
import { stepStream } from '../../src/core/stream/machine.ts';
import { PHASES, START, type StreamPolicy } from '../../src/core/stream/phase.ts';
import { INPUTS, TRANSITIONS } from '../../src/core/stream/transitions.ts';
import { findRoute, ROUTES } from '../../src/server/routes.ts';
import { readBlock, writeBlock } from '../../tools/blocks.ts';
import { drawCircuit } from '../../tools/draw-circuit.ts';
import { drawTransitions, JUDGEMENTS } from '../../tools/draw-stream.ts';
import { printPages } from '../../tools/tables.ts';
import { printUnavailablePaths } from '../../tools/unavailable-paths.ts';
import { SETTINGS } from '../kit/samples.ts';
import { TOP } from './source.ts';

const read = (page: string): string => readFileSync(join(TOP, page), 'utf8');

describe('the tables in the docs', () => {
  const blocks = printPages().flatMap(({ page, blocks: printed }) => printed.map((block) => ({ page, ...block })));

  it.each(blocks)('$name of $page is the one in the code', ({ page, name, text }) => {
    expect(text.split('\n').length).toBeGreaterThan(2);
    expect(readBlock(read(page), name), '`npm run tables -- --write` writes it anew').toBe(text);
  });
});

describe('the drawing of a stream', () => {
  const arrows = drawTransitions()
    .split('\n')
    .flatMap((line) => {
      const [, from, to, label] = /^ {2}(\w+) --> (\w+): (.*)$/.exec(line) ?? [];
      return from === undefined ? [] : [{ from, to, label: label ?? '' }];
    });

  it('has an arrow for each two phases that the table joins, and no other', () => {
    const live = PHASES.filter((phase) => phase !== 'over');
    const joined = live.flatMap((from) =>
      INPUTS.flatMap((input) => [TRANSITIONS[from][input], ...TRANSITIONS[from][input].instead])
        .filter(({ to, effects }) => to !== from || effects.length > 0)
        .map(({ to, effects }) => `${from} ${effects.includes('judge_empty') ? 'judged' : to}`),
    );
    const drawn = arrows.filter(({ from }) => from !== 'judged').map(({ from, to }) => `${from} ${to}`);
    expect(drawn.toSorted()).toEqual([...new Set(joined)].toSorted());
    expect(new Set(drawn).size).toBe(drawn.length);
  });

  it('has no sign in its labels that Mermaid would read', () => {
    for (const { label } of arrows) expect(label).not.toMatch(/[:;{}"#]/);
  });

  // The table says `judge_empty`; these are the machine's own.
  it.each(JUDGEMENTS)('judges as the machine does: $when', ({ when, effects, to }) => {
    const isAccepted = when.startsWith('accepted');
    const policy: StreamPolicy = { ...SETTINGS, acceptEmpty: isAccepted };
    const finished = { ...START, finish: 'stop' as const };
    const frame: Frame = { bytes: new Uint8Array(6), events: [{ type: 'done' }], edits: [], count: 1 };
    const steps = when.includes('end mark')
      ? [stepStream(finished, { type: 'frame', frame, usage: null }, policy)]
      : [finished, ...(isAccepted ? [] : [START])].map((state) =>
          stepStream(state, { type: 'end', usage: null }, policy),
        );
    for (const step of steps) expect([step.state.phase, step.effects]).toEqual([to, effects]);
  });
});

describe('the drawing of a circuit', () => {
  it('shows the three states, and how to leave each', () => {
    const ways = [...drawCircuit().matchAll(/^ {2}(\w+) --> (\w+):/gm)].map(([, from, to]) => `${from} ${to}`);
    for (const way of ['closed open', 'open half_open', 'half_open open', 'half_open closed'])
      expect(ways).toContain(way);
    for (const way of ['closed half_open', 'open closed']) expect(ways).not.toContain(way);
  });
});

describe('the paths in docs/clients.md', () => {
  it('are those that answer "not available"', () => {
    const printed = printUnavailablePaths();
    const rows = [...printed.matchAll(/^\| `([A-Z`, ]+)` \| `(\S+)` \| (.+) \|$/gm)];
    expect(rows).toHaveLength(ROUTES.filter(({ name }) => name === 'unavailable').length);
    for (const [, methods = '', path = '', title] of rows) {
      const found = findRoute(methods.split('`')[0] ?? '', path.replace(/\{\w+\}/g, 'x').replace('…', 'x'));
      expect(found, path).toMatchObject({ kind: 'found', row: { name: 'unavailable', title } });
    }
  });
});

describe('the outcome words in docs/errors.md', () => {
  const block = readBlock(read('docs/errors.md'), 'outcomes:words') ?? '';
  const rows = [...block.matchAll(/^\| `(\w+)` \| (.+) \| (?:`(\w+)`|–) \|$/gm)].map(([, word, meaning, code]) => ({
    word: word as Outcome,
    meaning,
    code: code ?? null,
  }));

  it('are all of them, in order, each with a line', () => {
    expect(rows.map(({ word }) => word)).toEqual(OUTCOMES);
    expect(new Set(rows.map(({ meaning }) => meaning)).size).toBe(OUTCOMES.length);
    expect(block.trim().split('\n')).toHaveLength(OUTCOMES.length + 2);
  });

  it('lead to the codes that clients get', () => {
    const told = (word: Outcome) => {
      const decided = OUTCOME_CLASS[word];
      return decided === undefined ? null : ANSWER_RULES[decided].code;
    };
    // Those that no class of the table of errors holds are told by rules of their own.
    const own: { readonly [O in Outcome]?: string } = {
      interrupted: 'stream_interrupted',
      outcome_unknown: 'outcome_unknown',
      incompatible_history: 'previous_response_not_found',
      bad_request: 'invalid_request_error',
    };
    expect(rows.map(({ word, code }) => [word, code])).toEqual(OUTCOMES.map((word) => [word, own[word] ?? told(word)]));
  });
});

describe('a block', () => {
  const page = 'a\n<!-- table:x -->\nold\n<!-- /table -->\nb\n<!-- table:y -->\n\n<!-- /table -->\n';

  it('is read and replaced between its markers', () => {
    expect(readBlock(page, 'table:x')).toBe('old');
    expect(writeBlock(page, { name: 'table:x', text: '$& new' })).toBe(page.replace('old', () => '$& new'));
    expect(readBlock(writeBlock(page, { name: 'table:y', text: 'y' }), 'table:y')).toBe('y');
  });

  it('must be there', () => {
    expect(readBlock(page, 'table:z')).toBeNull();
    expect(() => writeBlock(page, { name: 'table:z', text: '' })).toThrow('table:z');
  });
});
