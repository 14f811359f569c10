import {
  frame,
  freshId,
  type Json,
  MESSAGE,
  objects,
  pieces,
  type Reply,
  type Turn,
  type Voice,
  words,
} from './types.ts';

const USAGE = { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 };

/** A call comes in one piece; what is cut within is the thought or the text before it. */
const partsOf = (reply: Reply): readonly Json[] =>
  reply.kind === 'text'
    ? pieces(reply.text).map((text) => ({ text }))
    : [{ text: 'One moment.' }, { functionCall: { name: reply.name, args: reply.input } }];

function read(body: Json, path: string): Turn {
  const parts = objects(body['contents']).map((content) => objects(content['parts']));
  const namesOf = (list: readonly Json[] | undefined, member: string): readonly string[] =>
    words((list ?? []).map((part) => (part[member] as Json | undefined)?.['name']));
  const loose = parts.flatMap((list, n) => {
    const answered = namesOf(parts[n + 1], 'functionResponse').length;
    const called = namesOf(list, 'functionCall').length;
    return called > 0 && called !== answered ? [`${called} calls, ${answered} results in the next turn`] : [];
  });
  return {
    tools: objects(body['tools']).flatMap((tool) =>
      words(objects(tool['functionDeclarations']).map((declared) => declared['name'])),
    ),
    hasResult: parts.some((list) => namesOf(list, 'functionResponse').length > 0),
    isStream: path.includes(':streamGenerateContent'),
    faults: [...loose, ...(parts.length === 0 ? ['no contents'] : [])],
  };
}

/** Gemini's generateContent and its stream. */
export const geminiVoice: Voice = {
  protocol: 'gemini',
  path: /\/v1beta\/models\/[^/]+:(generateContent|streamGenerateContent)$/,
  speak(reply, model) {
    const shell = { modelVersion: model, responseId: freshId('g'), usageMetadata: USAGE };
    const answer = (parts: readonly Json[], finish: Json = {}): Json => ({
      candidates: [{ index: 0, content: { role: 'model', parts }, ...finish }],
      ...shell,
    });
    const parts = partsOf(reply);
    return {
      head: [],
      body: parts.map((part) => frame(answer([part]))),
      end: [frame(answer([{ text: '' }], { finishReason: 'STOP' }))],
      json: answer(parts, { finishReason: 'STOP' }),
    };
  },
  read,
  error: (status) => ({ error: { code: status, message: MESSAGE, status: 'UNAVAILABLE' } }),
  errorFrame: frame({ error: { code: 503, message: MESSAGE, status: 'UNAVAILABLE' } }),
};
