import { argumentsOf, CALL_NAME, idOf, type Send, wordsOf } from './draw-plan.ts';
import { stageOf } from './faults.ts';
import { type Asked, hasOutput, type Seen } from './seen.ts';
import { CLEAN, targetId } from './world.ts';

/** What may be wrong with an answer, and what must never be. */
export const ANSWER_FAULTS = {
  wrong: 'text or calls that no send has said',
  mixed: 'parts of two sends in one answer',
  doubled: 'something said twice',
  false_end: 'seen complete though its send was not',
  avoidable: 'a failure that another target would have cured',
  dishonest: 'neither the end of an answer nor an error',
  malformed: 'what no client library would bear',
  usage: 'tokens that are not those of the send',
  attribution: 'a head that names another target or number of attempts',
} as const;

export type AnswerFault = keyof typeof ANSWER_FAULTS;
export type Problem<Kind extends string = string> = { readonly kind: Kind; readonly text: string };

/** How a request ended for its client. */
export type Result = 'whole' | 'interrupted' | 'failed' | 'left';

export type Verdict = {
  readonly result: Result;
  /** Whose answer it is; null: nobody's, as far as can be seen. */
  readonly sender: Send | null;
  readonly problems: readonly Problem<AnswerFault>[];
};

/** What one client saw against all sends that were made for it, in their order. */
export function checkAnswer(asked: Asked, seen: Seen, sends: readonly Send[]): Verdict {
  const problems: Problem<AnswerFault>[] = [];
  const tell = (kind: AnswerFault, text: string): void => void problems.push({ kind, text });
  for (const oddity of seen.answer.oddities) tell('malformed', oddity);
  const names = sendersOf(seen);
  const [name] = names;
  if (names.size > 1) tell('mixed', `it is of ${[...names].join(' and ')}`);
  const sender = sends.find((send) => idOf(send) === name) ?? null;
  if (name !== undefined && sender === null) tell('wrong', `it is of ${name}, a send that was not made`);
  if (sender !== null && names.size === 1) {
    checkText(seen, sender, tell);
    checkCalls(seen, sender, tell);
    checkWhole(asked, seen, { sender, sends }, tell);
    checkHead(asked, seen, { sender, sends }, tell);
  } else if (seen.answer.isWhole && name === undefined) tell('wrong', 'an answer of nobody');
  const result = resultOf(seen);
  if (result === 'left' || result === 'whole') return { result, sender, problems };
  if (seen.answer.error === null) tell('dishonest', `the connection was ${seen.end}, the status ${seen.status}`);
  checkFailure(asked, seen, sender, tell);
  return { result, sender, problems };
}

function resultOf({ answer, end }: Seen): Result {
  if (answer.isWhole) return 'whole';
  if (end === 'left') return 'left';
  return hasOutput(answer) ? 'interrupted' : 'failed';
}

type Tell = (kind: AnswerFault, text: string) => void;
type Sent = { readonly sender: Send; readonly sends: readonly Send[] };

const ID = /^(?:chatcmpl-|resp_|msg_|call_|toolu_)(.+)$/;

/** The names of all sends that left a trace in the answer. */
function sendersOf({ answer }: Seen): ReadonlySet<string> {
  const ids = [...answer.marks, ...answer.calls.map(({ id }) => id)];
  return new Set([
    ...[...answer.text.matchAll(/⟦([^:⟧]+):\d+⟧/g)].map(([, name]) => name as string),
    ...ids.flatMap((id) => ID.exec(id)?.[1] ?? []),
    ...answer.calls.flatMap(({ args }) => /"of":"([^"]+)"/.exec(args)?.[1] ?? []),
  ]);
}

function checkText({ answer }: Seen, sender: Send, tell: Tell): void {
  const whole = stageOf(sender.plan.fault) === 'before' ? '' : wordsOf(sender).join('');
  if (answer.isWhole ? answer.text === whole : whole.startsWith(answer.text)) return;
  const places = [...answer.text.matchAll(/⟦[^:⟧]+:(\d+)⟧/g)].map(([, place]) => place);
  const isTwice = new Set(places).size < places.length;
  tell(isTwice ? 'doubled' : 'wrong', `the text is not that of ${idOf(sender)}: ${excerpt(answer.text)}`);
}

function checkCalls({ answer }: Seen, sender: Send, tell: Tell): void {
  const [call, second] = answer.calls;
  if (second !== undefined) tell('doubled', `two calls of one: ${JSON.stringify(answer.calls)}`);
  if (call === undefined) {
    if (answer.isWhole && sender.plan.hasCall && sender.plan.fault !== 'empty') tell('wrong', 'the call is missing');
    return;
  }
  const args = argumentsOf(sender);
  const isRight = call.isWhole ? call.args === args : args.startsWith(call.args);
  if (!sender.plan.hasCall || call.name !== CALL_NAME || !isRight) tell('wrong', `a call: ${JSON.stringify(call)}`);
  if (call.isWhole && !answer.isWhole && stageOf(sender.plan.fault) !== 'whole')
    tell('false_end', 'a whole call of a broken answer');
  if (answer.isWhole && !call.isWhole) tell('wrong', 'the call has no end');
}

function checkWhole(asked: Asked, { answer }: Seen, { sender, sends }: Sent, tell: Tell): void {
  if (!answer.isWhole) return;
  const { fault } = sender.plan;
  if (stageOf(fault) !== 'whole' && !isAcceptedEmpty(asked, sender, sends)) {
    tell('false_end', `its send ended with ${fault}`);
  }
  const isHidden = asked.protocol === 'openai-chat' && asked.form === 'stream' && !asked.wantsUsage;
  const { inputTokens: input, outputTokens: output } = sender.plan;
  const due = isHidden ? null : { input, output };
  if (JSON.stringify(answer.usage) !== JSON.stringify(due)) {
    tell('usage', `${JSON.stringify(answer.usage)} in place of ${JSON.stringify(due)}`);
  }
}

/** The second answer without output is given out as it is, and so is one behind which there is nobody. */
function isAcceptedEmpty({ targets }: Asked, { plan }: Send, sends: readonly Send[]): boolean {
  if (plan.fault !== 'empty') return false;
  return !targets.includes(CLEAN) || sends.filter((send) => send.plan.fault === 'empty').length > 1;
}

function checkHead({ protocol }: Asked, seen: Seen, { sender, sends }: Sent, tell: Tell): void {
  const due = targetId(sender.target, protocol);
  const models = [...seen.answer.marks].filter((mark) => mark.startsWith('m@'));
  if (models.some((model) => model !== `m@${sender.target}`)) tell('mixed', `models ${models.join(' and ')}`);
  if (seen.target !== null && seen.target !== due) tell('attribution', `${seen.target} in place of ${due}`);
  // Sends that a client who has left did not live to see are no matter.
  if (seen.attempts !== null && seen.end === 'over' && seen.attempts !== sends.length) {
    tell('attribution', `${seen.attempts} attempts in place of ${sends.length}`);
  }
}

/** Words of the protocols for an answer that broke off. */
const BROKEN_OFF: readonly string[] = ['stream_interrupted', 'api_error'];

function checkFailure({ targets }: Asked, { answer }: Seen, sender: Send | null, tell: Tell): void {
  const code = answer.error?.code ?? 'no error';
  if (!hasOutput(answer)) {
    if (targets.includes(CLEAN)) tell('avoidable', `it failed with ${code}`);
    return;
  }
  if (answer.error !== null && !BROKEN_OFF.includes(code)) tell('dishonest', `an answer broke off with ${code}`);
  if (sender !== null && stageOf(sender.plan.fault) === 'whole') {
    tell('avoidable', `it broke off with ${code}, and its send did not`);
  }
}

const excerpt = (text: string): string => (text.length > 300 ? `${text.slice(0, 150)} … ${text.slice(-150)}` : text);
