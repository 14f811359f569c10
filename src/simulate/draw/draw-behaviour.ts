import type {
  Behaviour,
  DelayForm,
  ErrorBodyForm,
  ErrorEventForm,
  Fault,
  FaultPlace,
  Quirk,
} from '../scenario/scenario.ts';
import type { Chance } from '../world/chance.ts';
import { between, choose, perhaps, spread, type Weighted, weigh } from './dice.ts';
import { REFUSALS } from './refusals.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** What a request may be answered with, by kind, with how common each is. */
const FAILURES: Weighted<(chance: Chance) => Behaviour> = [
  [8, drawRefusal],
  [3, drawUnheard],
  [2, drawLie],
  [7, drawBroken],
  [3, drawSlow],
  [2, drawEmpty],
];

/** Something that is no good answer. */
export const drawFailure = (chance: Chance): Behaviour => weigh(chance, FAILURES)(chance);

const EVENLY = <T>(...values: readonly T[]): Weighted<T> => values.map((value) => [1, value]);

const DELAY_FORMS: Weighted<DelayForm> = [
  [3, 'ms'],
  [3, 'date'],
  ...EVENLY<DelayForm>('reset', 'member', 'words', 'garbage'),
];

const BODY_FORMS: Weighted<ErrorBodyForm> = EVENLY<ErrorBodyForm>('flat', 'problem', 'list', 'nested', 'text');

/** Statuses that say "later". */
const TELLS = new Set([429, 503, 529, 500]);

function drawRefusal(chance: Chance): Behaviour {
  const { error, ...refusal } = weigh(chance, REFUSALS);
  const tells = TELLS.has(refusal.status ?? 0) && chance.happens(0.6);
  return {
    ...refusal,
    ...(error === undefined
      ? {}
      : { error: { ...error, ...perhaps(chance, 0.1, () => ({ form: weigh(chance, BODY_FORMS) })) } }),
    ...perhaps(chance, 0.6, () => ({ headMs: spread(chance, 1, 5 * SECOND) })),
    ...(tells
      ? {
          retryAfterMs: spread(chance, 300, 10 * MINUTE),
          ...perhaps(chance, 0.6, () => ({ toldAs: weigh(chance, DELAY_FORMS) })),
        }
      : {}),
    ...perhaps(chance, 0.15, () => ({ echoes: true })),
  };
}

/** Nothing of an answer comes. */
function drawUnheard(chance: Chance): Behaviour {
  return weigh<() => Behaviour>(chance, [
    [4, () => ({ refuses: chance.pick(['dns', 'refused', 'unreachable', 'tls', 'reset'] as const) })],
    [1, () => ({ connectMs: null })],
    [1, () => ({ connectMs: spread(chance, 20, MINUTE) })],
    [2, () => ({ headMs: null })],
    [
      2,
      () => ({
        status: null,
        headMs: spread(chance, 1, 20 * SECOND),
        ...perhaps(chance, 0.5, () => ({ fault: { kind: 'reset', at: 'head' } as const })),
      }),
    ],
    [4, () => ({ status: null, reused: true })],
    [0.3, () => ({ refuses: 'local' })],
  ])();
}

/** A 200 that is none. */
function drawLie(chance: Chance): Behaviour {
  return weigh<() => Behaviour>(chance, [
    [3, () => ({ body: chance.pick(['html', 'text', 'empty', 'damaged', 'list'] as const) })],
    [3, () => ({ ...drawRefusal(chance), status: 200 })],
    [1, () => ({ ...drawAnswer(chance), finish: chance.pick(['error', 'broken'] as const), tools: 1 })],
  ])();
}

const FAULTS: Weighted<Fault> = [
  [4, 'close'],
  [3, 'reset'],
  [1, 'bad_encoding'],
  [1, 'bad_http'],
  [3, 'end'],
  [3, 'stall'],
  [5, 'error'],
  [2, 'damaged'],
  [2, 'half'],
  [2, 'noise'],
  [1, 'html'],
  [0.1, 'flood'],
  [0.15, 'huge'],
  [1, 'repeat'],
  [2, 'unterminated'],
];

const PLACES: Weighted<FaultPlace> = [
  [2, 'head'],
  [3, 'before_output'],
  [2, 'in_tool'],
  [3, 'behind_tool'],
  [2, 'before_end'],
  [2, 'behind_finish'],
  [1, 'behind_end'],
  [1, 1],
  [1, 3],
];

const CODES = [
  'rate_limit_exceeded',
  'overloaded_error',
  'server_error',
  'invalid_request_error',
  'insufficient_quota',
  'context_length_exceeded',
  'content_policy_violation',
];

const EVENT_FORMS: readonly ErrorEventForm[] = ['failed', 'twice', 'joined', 'text', 'field'];

/** An answer with a fault in it. */
function drawBroken(chance: Chance): Behaviour {
  const kind = weigh(chance, FAULTS);
  const at = weigh(chance, PLACES);
  const answer = drawAnswer(chance);
  const isInTool = at === 'in_tool' || at === 'behind_tool';
  return {
    ...answer,
    ...(isInTool ? { tools: Math.max(1, answer.tools ?? 0) } : {}),
    fault: {
      kind,
      at,
      ...(kind === 'error' && chance.happens(0.7) ? { code: chance.pick(CODES) } : {}),
      ...(kind === 'error' && chance.happens(0.2) ? { form: chance.pick(EVENT_FORMS) } : {}),
    },
    ...(kind === 'error' && chance.happens(0.15) ? { echoes: true } : {}),
  };
}

/** Good, but for how long it takes. */
function drawSlow(chance: Chance): Behaviour {
  const answer = drawAnswer(chance);
  return weigh<() => Behaviour>(chance, [
    [2, () => ({ ...answer, headMs: spread(chance, 200, 10 * MINUTE) })],
    [
      3,
      () => ({
        ...answer,
        firstWordMs: spread(chance, 200, 20 * MINUTE),
        ...perhaps(chance, 0.6, () => ({ pings: between(chance, 1, 12) })),
      }),
    ],
    [2, () => ({ ...answer, wordMs: spread(chance, 200, 3 * MINUTE) })],
    [1, () => ({ ...answer, endMs: spread(chance, 200, 5 * MINUTE) })],
  ])();
}

function drawEmpty(chance: Chance): Behaviour {
  return {
    ...(chance.happens(0.3) ? { words: between(chance, 1, 3), blank: true } : { words: 0 }),
    ...perhaps(chance, 0.3, () => ({ reasoning: between(chance, 1, 4) })),
    ...perhaps(chance, 0.5, () => ({ finish: chance.pick(['stop', 'length', 'filter'] as const) })),
    ...perhaps(chance, 0.2, () => ({ hiddenTokens: between(chance, 1, 40) })),
    ...perhaps(chance, 0.4, () => ({ firstWordMs: spread(chance, 1, 5 * SECOND) })),
  };
}

const QUIRKS: readonly Quirk[] = [
  'crlf',
  'cr',
  'data_lines',
  'fields',
  'bom',
  'wide',
  'preamble',
  'late_start',
  'sealed',
  'no_finish',
  'empty_finish',
  'finish_with_word',
  'no_index',
  'blank_ids',
  'object_args',
  'usage_in_finish',
  'usage_bare',
  'usage_twice',
  'stray_stop',
];

const READS: Weighted<NonNullable<Behaviour['reads']>> = [
  [4, 'merged'],
  [4, 'random'],
  [0.5, 'bytes'],
];

/** A good answer, of any form. */
export function drawAnswer(chance: Chance): Behaviour {
  const tools = chance.happens(0.3) ? between(chance, 1, 3) : 0;
  return {
    ...perhaps(chance, 0.4, () => ({ headMs: spread(chance, 1, 2 * SECOND) })),
    ...perhaps(chance, 0.5, () => ({ words: tools > 0 && chance.happens(0.4) ? 0 : spread(chance, 1, 30) })),
    ...perhaps(chance, 0.3, () => ({ reasoning: between(chance, 1, 6) })),
    ...(tools === 0 ? {} : { tools }),
    ...(tools > 1 && chance.happens(0.3) ? { parallel: true } : {}),
    ...perhaps(chance, 0.4, () => ({ firstWordMs: spread(chance, 1, 3 * SECOND) })),
    ...perhaps(chance, 0.4, () => ({ wordMs: spread(chance, 1, 300) })),
    ...perhaps(chance, 0.15, () => ({ pings: between(chance, 1, 5) })),
    ...perhaps(chance, 0.1, () => ({ finish: chance.pick(['length', 'filter'] as const) })),
    ...perhaps(chance, 0.15, () => ({ usage: false })),
    ...perhaps(chance, 0.06, () => ({ otherShape: true })),
    ...perhaps(chance, 0.25, () => ({ quirks: choose(chance, QUIRKS, between(chance, 1, 3)) })),
    ...perhaps(chance, 0.3, () => ({ reads: weigh(chance, READS) })),
    ...perhaps(chance, 0.08, () => ({ readAhead: between(chance, 1, 5) })),
    ...perhaps(chance, 0.2, () => ({ reused: true })),
  };
}
