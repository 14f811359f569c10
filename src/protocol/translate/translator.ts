import { nameOfPart, settingOfPart } from '../../core/model/capability.ts';
import { estimateTokens } from '../../core/model/estimate-tokens.ts';
import type { CanonicalPrompt } from '../../core/model/prompt.ts';
import type { Protocol } from '../../core/model/protocol.ts';
import { PROTOCOL_NAMES } from '../../core/model/protocol-names.ts';
import type { CanonicalRequest } from '../../core/model/request.ts';
import { CODECS } from '../index.ts';
import { encodeUtf8, isJson } from '../json/index.ts';
import {
  type AnswerOptions,
  LACKS,
  type Lack,
  type PromptEgress,
  type Translation,
  type WrittenPrompt,
} from '../translation.ts';
import type { ProtocolCodec } from '../types.ts';
import { codecBetween, type ForeignPrompt } from './codec-between.ts';
import { DIALECTS } from './dialects.ts';
import { nameLacks } from './name-lacks.ts';
import { isMissed, withoutOwnBusiness } from './own-business.ts';
import { type Shimmed, shimPrompt } from './shim-prompt.ts';

/** What an answer needs that no provider gives: ids, a time, and whether it is kept here. */
export type Scribe = Pick<AnswerOptions, 'createId' | 'now' | 'isStored'>;

/** One request in the words of other protocols. Its tree is read once, when the first one asks. */
export interface Translator {
  /** What the request holds that this protocol can't say, in words; empty: every target that speaks it can serve. */
  lacks(to: Protocol): readonly string[];
  /** What of the request such a target would not get, as the client spells it. */
  drops(to: Protocol, egress: WriteEgress): readonly string[];
  /** The request in that protocol, and what it takes to read its answer. */
  write(to: Protocol, egress: WriteEgress): ForeignPrompt;
  /** How many tokens the request has, about; null: it has a form that nobody here can read. */
  tokens(): number | null;
  /** For one attempt: writes the request in that protocol, and gives its answer in the client's. */
  codec(to: Protocol, scribe: Scribe): ProtocolCodec;
}

type WriteEgress = Omit<PromptEgress, 'stream'>;

const known = new WeakMap<CanonicalRequest, Translator>();

export function translatorOf(request: CanonicalRequest): Translator {
  const found = known.get(request) ?? createTranslator(request);
  known.set(request, found);
  return found;
}

/** Behind the commit nobody writes the request again: its tree may be as large as its bytes, several times over. */
export function forgetTranslation(request: CanonicalRequest): void {
  known.delete(request);
}

/** A tree takes more room than its text. */
const TREE_WEIGHT = 4;

/** What the trees of a request take in memory once it was read, about. */
export const sizeOfTrees = ({ original }: CanonicalRequest): number => original.length * TREE_WEIGHT;

/** The same of those that are kept with it. */
export const sizeOfTranslation = (request: CanonicalRequest): number => (known.has(request) ? sizeOfTrees(request) : 0);

const shortName = (protocol: Protocol): string => PROTOCOL_NAMES[protocol].short;

/** Keeps the tree for itself, for as long as it is kept. */
export function createTranslator(request: CanonicalRequest): Translator {
  const client = CODECS.get(request.protocol);
  const trees = new Map<Protocol, Shimmed>();
  const words = new Map<Protocol, readonly string[]>();
  let read: { readonly prompt: CanonicalPrompt } | { readonly problem: string } | null = null;

  const prompt = (): NonNullable<typeof read> => {
    if (read !== null) return read;
    const found = client?.translation?.readPrompt(request);
    if (found === undefined) read = { problem: `translation from ${shortName(request.protocol)}` };
    else
      read = found.ok
        ? { prompt: found.prompt }
        : { problem: `a form that can be translated (${found.problem.message})` };
    return read;
  };
  const shimmed = (to: Protocol): Shimmed => {
    const tree = trees.get(to);
    if (tree !== undefined) return tree;
    const source = prompt();
    if ('problem' in source) throw new TypeError(source.problem);
    const made = shimPrompt(withoutOwnBusiness(source.prompt, request.protocol), to);
    trees.set(to, made);
    return made;
  };
  const findLacks = (to: Protocol): readonly string[] => {
    const translation = CODECS.get(to)?.translation;
    if (translation === undefined) return [`translation to ${shortName(to)}`];
    const source = prompt();
    if ('problem' in source) return [source.problem];
    const tree = shimmed(to).prompt;
    const found = new Set<Lack>(translation.lacks(tree));
    if (holdsBrokenArguments(tree, to)) found.add('tool arguments that are no JSON');
    if (leansOnKept(source.prompt)) found.add('state of a provider');
    if (request.background === true) found.add('work in the background');
    const told = LACKS.filter((lack) => found.has(lack));
    return nameLacks(tree, told, translation, request.original).map((lack) => `${lack} in ${shortName(to)}`);
  };
  const write = (to: Protocol, egress: WriteEgress): WrittenPrompt => {
    const [from, provider] = [client?.translation, CODECS.get(to)?.translation];
    if (from === undefined || provider === undefined)
      throw new TypeError(`no translation from ${request.protocol} to ${to}`);
    const { prompt: tree, dropped } = shimmed(to);
    const { prompt: asked, leftOut } = withoutRefused(tree, egress.capabilities.leaveOut ?? []);
    const written = provider.writePrompt(asked, { ...egress, stream: request.stream });
    const refused = leftOut.map(nameOfPart);
    const all = [...new Set([...dropped, ...refused, ...written.dropped])].filter((name) =>
      isMissed(name, request.protocol),
    );
    const own = leftOut.length === 0 ? {} : { leftOut };
    return { ...written, ...own, dropped: all.map((name) => spell(nameOfDropped(name, asked), from)) };
  };
  return {
    lacks(to) {
      const found = words.get(to) ?? findLacks(to);
      words.set(to, found);
      return found;
    },
    write: (to, egress) => ({ ...write(to, egress), tools: shimmed(to).names.list() }),
    codec: (to, scribe) =>
      codecBetween(request.protocol, to, {
        names: shimmed(to).names,
        write: (egress) => write(to, egress),
        scribe,
      }),
    tokens() {
      const source = prompt();
      return 'problem' in source ? null : estimateTokens(source.prompt);
    },
    drops: (to, egress) => write(to, egress).dropped,
  };
}

/** The conversation so far is only with whoever answered it: without it the request asks for something else. */
const leansOnKept = ({ extensions }: CanonicalPrompt): boolean =>
  extensions?.['openai-responses']?.['previous_response_id'] != null;

const spell = (name: string, { spelling }: Translation): string =>
  Object.hasOwn(spelling, name) ? (spelling[name] ?? name) : name;

/** Settings that this target was seen to refuse. `leftOut`: those of them that the request has. */
function withoutRefused(
  prompt: CanonicalPrompt,
  parts: readonly string[],
): { readonly prompt: CanonicalPrompt; readonly leftOut: readonly string[] } {
  const isSet = (part: string): boolean => Object.hasOwn(prompt.settings, settingOfPart(part) ?? '');
  const leftOut = parts.filter(isSet);
  if (leftOut.length === 0) return { prompt, leftOut };
  const names = leftOut.map(settingOfPart);
  const settings = Object.fromEntries(Object.entries(prompt.settings).filter(([name]) => !names.includes(name)));
  return { prompt: { ...prompt, settings }, leftOut };
}

/** A model wrote them, and the client kept them: nobody can say what they meant. */
function holdsBrokenArguments({ messages }: CanonicalPrompt, to: Protocol): boolean {
  if (!DIALECTS[to].hasObjectArguments) return false;
  return messages.some(({ parts }) =>
    parts.some(
      (part) => part.type === 'tool_call' && part.kind === 'function' && !isJson(encodeUtf8(part.input || '{}')),
    ),
  );
}

/** `reasoning` is what is asked for, and what was thought before: where only the first can be meant, it is said so. */
function nameOfDropped(name: string, { settings, messages }: CanonicalPrompt): string {
  if (name !== 'reasoning' || settings.reasoning === undefined) return name;
  const hasThoughts = messages.some(({ parts }) => parts.some(({ type }) => type === 'reasoning'));
  return hasThoughts ? name : 'reasoning.setting';
}
