import type { Spoken } from '../kit/wire-scripts.ts';
import { outputOf } from './read-stream.ts';
import { type Answer, emptyAnswer } from './seen.ts';

type ChatBody = {
  readonly id?: string;
  readonly model?: string;
  readonly choices: readonly {
    readonly message: {
      readonly content: string;
      readonly tool_calls?: readonly {
        readonly id: string;
        readonly function: { readonly name: string; readonly arguments: string };
      }[];
    };
  }[];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number };
};
type ResponseBody = {
  readonly id: string;
  readonly model: string;
  readonly status: string;
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
};
type MessageBody = Omit<ResponseBody, 'status'> & {
  readonly content: readonly {
    readonly type: string;
    readonly text?: string;
    readonly id?: string;
    readonly name?: string;
    readonly input?: unknown;
  }[];
};
type ErrorBody = { readonly error: { readonly code?: string | null; readonly type: string } };

/** Reads a JSON answer, or an error that came in place of any answer. */
export function readJson(body: string, protocol: Spoken, status: number): Answer {
  const answer = emptyAnswer();
  try {
    const value: unknown = JSON.parse(body);
    if (status === 200) READERS[protocol](answer, value as never);
    else answer.error = errorOf(value as ErrorBody);
    answer.isWhole = status === 200;
  } catch (error) {
    answer.oddities.push(`not to be read: ${String(error)}: ${body.slice(0, 200)}`);
  }
  return answer;
}

const errorOf = ({ error }: ErrorBody): { readonly code: string } => ({ code: error.code ?? error.type });

const READERS = {
  'openai-chat'(answer: Answer, { id, model, choices, usage }: ChatBody) {
    answer.marks.add(id ?? '').add(model ?? '');
    for (const { message } of choices) {
      answer.text += message.content;
      for (const call of message.tool_calls ?? []) {
        answer.calls.push({ id: call.id, name: call.function.name, args: call.function.arguments, isWhole: true });
      }
    }
    answer.usage = { input: usage.prompt_tokens, output: usage.completion_tokens };
  },
  'openai-responses'(answer: Answer, body: ResponseBody) {
    answer.marks.add(body.id).add(body.model);
    const { text, calls } = outputOf(body as never);
    answer.text = text;
    answer.calls.push(...calls);
    answer.usage = { input: body.usage.input_tokens, output: body.usage.output_tokens };
    if (body.status !== 'completed') answer.oddities.push(`status ${body.status}`);
  },
  'anthropic-messages'(answer: Answer, { id, model, content, usage }: MessageBody) {
    answer.marks.add(id).add(model);
    for (const block of content) {
      answer.text += block.text ?? '';
      if (block.type !== 'tool_use') continue;
      answer.calls.push({
        id: block.id ?? '',
        name: block.name ?? '',
        args: JSON.stringify(block.input),
        isWhole: true,
      });
    }
    answer.usage = { input: usage.input_tokens, output: usage.output_tokens };
  },
} as const satisfies Readonly<Record<Spoken, unknown>>;
