import type { ClientView } from '../client/view.ts';
import type { Truth } from '../world/run.ts';
import { type Blame, collect } from './blame.ts';
import { type AttemptCase, indexRun, type RequestCase, settingsOf } from './index-run.ts';
import type { Invariant } from './invariant.ts';
import { breaksForm, isServedOutcome } from './world-words.ts';

/** (a) */
export const oneAnswer: Invariant = {
  id: 'a',
  promise: 'what a client received is a valid beginning, or the whole, of one attempt’s answer',
  check: (run) =>
    collect('a', (blame) => {
      for (const each of indexRun(run).cases) checkCase(each, blame);
    }),
};

function checkCase(each: RequestCase, blame: Blame): void {
  const { id, view, served } = each;
  checkForm(each, blame);
  checkRecord(each, blame);
  const hasOutput = view.text !== '' || view.reasoning !== '' || view.tools.length > 0;
  if (!hasOutput) return;
  const truth = served?.send?.truth ?? null;
  if (served === null) blame(id, 'output without a commit');
  else if (truth === null) blame(id, `output of attempt ${served.n}, whose provider gave no answer`);
  else {
    const fits = mayMiss(each) ? isMissing : isBeginning;
    const meant = { ...truth, isWhole: truth.isWhole || isEndBelieved(each, served) };
    const isSaid = tellsEnd(served);
    for (const problem of compare(view, { ...meant, isSaid }, fits)) blame(id, `${problem} (attempt ${served.n})`);
  }
}

/** Its provider says how it ended, in a word that every client knows. */
function tellsEnd({ send }: AttemptCase): boolean {
  const { quirks, finish } = send?.behaviour ?? {};
  return quirks?.includes('no_finish') !== true && finish !== 'broken';
}

/** A frame that does not parse may be left out by the user's own word: then words are missing, and nothing else. */
function mayMiss(each: RequestCase): boolean {
  const { served } = each;
  if (served === null || served.send?.behaviour.fault?.kind !== 'damaged') return false;
  return settingsOf(each, served)?.onMalformed === 'drop';
}

/** Without `holdToolEnd` the finish reason of a tool call is believed at once, whatever becomes of the rest. */
const isEndBelieved = (each: RequestCase, served: AttemptCase): boolean =>
  settingsOf(each, served)?.holdToolEnd === false && each.view.tools.length > 0;

type Fits = (part: string, whole: string) => boolean;

const isBeginning: Fits = (part, whole) => whole.startsWith(part);

/** What is left is in order. */
const isMissing: Fits = (part, whole) => {
  let at = 0;
  for (const word of part.split(' ')) {
    const found = whole.indexOf(word, at);
    if (found < 0) return false;
    at = found + word.length;
  }
  return true;
};

/** `isSaid`: its provider tells how it ended. */
type Meant = Truth & { readonly isSaid: boolean };

function* compare(view: ClientView, truth: Meant, fits: Fits): Generator<string, undefined> {
  if (!fits(view.text, truth.text)) yield `the text ${show(view.text)} is no beginning of ${show(truth.text)}`;
  if (!fits(view.reasoning, truth.reasoning)) yield 'the reasoning is no beginning of what was said';
  if (fits === isMissing) yield* compareRun(view, truth);
  else yield* compareCalls(view, truth);
  if (view.isWhole && fits === isBeginning) yield* compareWhole(view, truth);
  return undefined;
}

/** What is left out may be the beginning of a call; one that runs is none the less one that was made. */
function* compareRun(view: ClientView, truth: Truth): Generator<string, undefined> {
  for (const { isComplete, id, name, args, isText } of view.tools) {
    const isMeant = truth.tools.some((meant) => meant.name === name && saidTo(meant.args, isText) === args);
    if (isComplete && !isMeant) yield `tool call ${id} was never made like this`;
  }
  return undefined;
}

const isSame = ({ isComplete, args }: ClientView['tools'][number], meant: string): boolean =>
  isComplete ? args === meant : meant.startsWith(args);

/** A tool that takes plain text gets what is meant for it; what does not hold to its schema, as it is. */
function saidTo(args: string, isText = false): string {
  if (!isText) return args;
  const { input } = JSON.parse(args) as { readonly input?: unknown };
  return typeof input === 'string' ? input : args;
}

/** A call without an id may be given one. */
const isId = (id: string, meant: string): boolean => meant === '' || id === meant;

function* compareCalls(view: ClientView, truth: Truth): Generator<string, undefined> {
  for (const [place, tool] of view.tools.entries()) {
    const meant = truth.tools[place];
    if (meant === undefined) yield `tool call ${tool.id} was never made`;
    else if (!isId(tool.id, meant.id) || tool.name !== meant.name) yield `tool call ${tool.id} is not ${meant.id}`;
    else if (!isSame(tool, saidTo(meant.args, tool.isText))) yield `the arguments of ${tool.id} are not what was said`;
  }
  return undefined;
}

function* compareWhole(view: ClientView, truth: Meant): Generator<string, undefined> {
  if (view.text !== truth.text || view.reasoning !== truth.reasoning) yield 'an answer that looks whole and is not';
  if (view.tools.length < truth.tools.length) yield 'an answer that looks whole and lacks a tool call';
  if (!truth.isWhole) yield 'an answer that looks whole though its provider never ended it';
  const finish = truth.finish === 'stop' && truth.tools.length > 0 ? 'tool' : truth.finish;
  if (truth.isSaid && view.finish !== finish) yield `it ends as ${view.finish} and was ended as ${finish}`;
  return undefined;
}

const SHOWN = 60;
const show = (text: string): string => JSON.stringify(text.length > SHOWN ? `…${text.slice(-SHOWN)}` : text);

function checkForm(each: RequestCase, blame: Blame): void {
  const { id, view, served } = each;
  const behaviour = served?.send?.behaviour;
  const isOdd = behaviour !== undefined && (breaksForm(behaviour) || mayMiss(each));
  if (isOdd && view.status === 200) return;
  for (const fault of view.faults) blame(id, `the client finds ${fault}`);
}

/** What the record calls served is whole for a client that stayed, and the other way round. */
function checkRecord({ id, view, ended, request, served }: RequestCase, blame: Blame): void {
  if (ended === null) return;
  const isServed = isServedOutcome(ended.outcome);
  if (view.isWhole && !isServed) blame(id, `the client has the whole answer, and the record says ${ended.outcome}`);
  if (isServed && served === null) blame(id, `${ended.outcome} without a commit`);
  if (isServed && !view.isWhole && !request.client.isClosed) {
    const behaviour = served?.send?.behaviour;
    if (behaviour === undefined || !breaksForm(behaviour))
      blame(id, `${ended.outcome}, and the client has no whole answer`);
  }
}
