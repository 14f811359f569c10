import type { Message } from '../../core/model/content.ts';
import type { JsonObject, JsonValue } from '../../core/model/json-value.ts';
import type { CanonicalPrompt } from '../../core/model/prompt.ts';
import { encodeUtf8, stringifyExact } from '../json/index.ts';
import { foreignNames } from '../shared/extensions.ts';
import { isJsonObject } from '../shared/json-object.ts';
import { requestHeaders } from '../shared/session.ts';
import type { PromptEgress, WrittenPrompt } from '../translation.ts';
import { type PartContext, writeParts } from './part-write.ts';
import { modelPath } from './path.ts';
import { writeSettings } from './settings-write.ts';
import { wantsSignature } from './signature.ts';
import { writeTools } from './tool-write.ts';

/** Writes a prompt as a body of `generateContent`. What `lacks` names is left out here, and named among the dropped. */
export function writePrompt(prompt: CanonicalPrompt, egress: PromptEgress): WrittenPrompt {
  const dropped = new Set<string>();
  const drop = (name: string): void => void dropped.add(name);
  const isNew = wantsSignature(egress.model);
  const context: PartContext = { wantsSignature: isNew, isMixed: isNew, names: namesOf(prompt.messages), drop };
  const { system, contents } = writeMessages(prompt.messages, context);
  const tools = writeTools(prompt.tools, isNew, drop);
  const { config, toolConfig, top } = writeSettings(prompt.settings, egress, drop);
  dropForeign(prompt, drop);
  const body: JsonObject = {
    contents,
    ...(system === null ? {} : { systemInstruction: system }),
    ...(tools.length === 0 ? {} : { tools }),
    ...(Object.keys(toolConfig).length === 0 ? {} : { toolConfig }),
    ...(Object.keys(config).length === 0 ? {} : { generationConfig: config }),
    ...top,
  };
  return {
    path: modelPath(egress.model, egress.stream ? 'streamGenerateContent' : 'generateContent'),
    headers: { ...egress.headers, ...requestHeaders(egress.stream) },
    body: [encodeUtf8(stringifyExact(withPaths(body, prompt.extensions?.gemini ?? {})))],
    dropped: [...dropped],
  };
}

const namesOf = (messages: readonly Message[]): ReadonlyMap<string, string> =>
  new Map(
    messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool_call' ? [[part.id, part.name] as const] : [])),
    ),
  );

/** What rides at the top and at tools in the words of other protocols; parts are looked at one by one. */
function dropForeign({ extensions, messages, tools }: CanonicalPrompt, drop: (name: string) => void): void {
  const carriers = [...(extensions === undefined ? [] : [{ extensions }]), ...messages, ...tools];
  for (const name of carriers.flatMap((carrier) => foreignNames(carrier, 'gemini'))) drop(name);
  for (const tool of tools) {
    if (tool.cache !== undefined) drop('cache');
    if (tool.type === 'function' && tool.strict === true) drop('strict');
    if (tool.type === 'function' && tool.namespace !== undefined) drop('namespace');
  }
  if (messages.some(({ name }) => name !== undefined)) drop('name');
}

const isSystem = ({ role }: Message): boolean => role === 'system' || role === 'developer';

/**
 * System text stands in a place of its own; what comes in the middle of a conversation stays there, as the user's. Were
 * nothing else said, it would be no conversation: then all of it is the user's.
 */
function writeMessages(
  messages: readonly Message[],
  context: PartContext,
): { readonly system: JsonObject | null; readonly contents: JsonObject[] } {
  const first = messages.findIndex((message) => !isSystem(message));
  const ahead = first < 0 ? [] : messages.slice(0, first);
  const system = ahead.flatMap((message) => writeParts(message, context));
  const rest = Object.fromEntries(ahead.flatMap(({ extensions }) => Object.entries(extensions?.gemini ?? {})));
  return {
    system: system.length === 0 ? null : { parts: system, ...rest },
    contents: runsOf(first < 0 ? messages : messages.slice(first)).flatMap((run) => writeRun(run, context)),
  };
}

const roleOf = ({ role }: Message): 'model' | 'user' => (role === 'assistant' ? 'model' : 'user');

/**
 * Messages that make one content. All results of a turn's calls have to stand in the content behind it, whatever the
 * words around them; calls that were told one by one are one turn.
 */
function runsOf(messages: readonly Message[]): Message[][] {
  const runs: Message[][] = [];
  for (const message of messages) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run !== undefined && last !== undefined && belongs(last, message)) run.push(message);
    else runs.push([message]);
  }
  return runs;
}

function belongs(last: Message, next: Message): boolean {
  if (roleOf(last) !== roleOf(next) || next.extensions?.gemini !== undefined) return false;
  return roleOf(next) === 'model' || last.role === 'tool' || next.role === 'tool';
}

function writeRun(run: readonly Message[], context: PartContext): JsonObject[] {
  const [first] = run;
  const parts = writeParts({ parts: run.flatMap((message) => message.parts) }, context);
  if (first === undefined || parts.length === 0) return [];
  return [{ role: roleOf(first), parts, ...first.extensions?.gemini }];
}

/** Objects whose members stand in the extensions under their paths. */
const PATHS: readonly (readonly string[])[] = [
  ['generationConfig', 'thinkingConfig'],
  ['generationConfig'],
  ['toolConfig'],
];

/** Puts the members of an extension back to where they stood. */
function withPaths(body: JsonObject, extension: JsonObject): JsonObject {
  let whole = body;
  for (const [name, value] of Object.entries(extension)) {
    const path = PATHS.find((names) => name.startsWith(`${names.join('.')}.`)) ?? [];
    whole = put(whole, path, name.slice([...path, ''].join('.').length), value);
  }
  return whole;
}

function put(object: JsonObject, path: readonly string[], name: string, value: JsonValue): JsonObject {
  const [step, ...rest] = path;
  const before = step === undefined ? object[name] : object[step];
  if (step !== undefined) {
    return { ...object, [step]: put(isJsonObject(before) ? before : {}, rest, name, value) };
  }
  const isInner = isJsonObject(before) && isJsonObject(value);
  return Object.fromEntries([...Object.entries(object), [name, isInner ? { ...before, ...value } : value]]);
}
