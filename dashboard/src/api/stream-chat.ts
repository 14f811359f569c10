import { ApiError } from './client.ts';
import { readEvents } from './read-events.ts';

export const DIALECTS = ['chat', 'responses', 'messages', 'gemini'] as const;

export type Dialect = (typeof DIALECTS)[number];

type Protocol = {
  readonly path: (model: string) => string;
  readonly body: (model: string, text: string) => unknown;
  /** What an event says to people; undefined: nothing. */
  readonly said: (event: Event) => string | undefined;
};

/** As much of an event as is looked at. */
type Event = {
  readonly type?: string;
  readonly delta?: string | { readonly text?: string };
  readonly choices?: readonly { readonly delta?: { readonly content?: string | null } }[];
  readonly candidates?: readonly { readonly content?: { readonly parts?: readonly { readonly text?: string }[] } }[];
  readonly error?: { readonly message?: string };
  readonly response?: { readonly error?: { readonly message?: string } | null };
};

const PROTOCOLS: Readonly<Record<Dialect, Protocol>> = {
  chat: {
    path: () => '/v1/chat/completions',
    body: (model, text) => ({ model, stream: true, messages: [{ role: 'user', content: text }] }),
    said: ({ choices }) => choices?.[0]?.delta?.content ?? undefined,
  },
  responses: {
    path: () => '/v1/responses',
    body: (model, text) => ({ model, stream: true, input: text }),
    said: ({ type, delta }) => (type === 'response.output_text.delta' && typeof delta === 'string' ? delta : undefined),
  },
  messages: {
    path: () => '/v1/messages',
    body: (model, text) => ({ model, stream: true, max_tokens: 1024, messages: [{ role: 'user', content: text }] }),
    said: ({ delta }) => (typeof delta === 'object' ? delta.text : undefined),
  },
  gemini: {
    path: (model) => `/v1beta/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
    body: (_model, text) => ({ contents: [{ role: 'user', parts: [{ text }] }] }),
    said: ({ candidates }) => candidates?.[0]?.content?.parts?.[0]?.text,
  },
};

export type Head = { readonly status: number; readonly servedBy: string | null };

type Listener = {
  /** The head has come. */
  readonly onHead: (head: Head) => void;
  readonly onText: (text: string) => void;
  /** The stream itself says that it failed. */
  readonly onError: (message: string) => void;
};

export type Asked = {
  readonly dialect: Dialect;
  readonly model: string;
  readonly text: string;
  /** The client's key; empty: none. */
  readonly key: string;
};

/** `id`: the client's own, by which the record is found before there is an answer. */
type Call = Asked & { readonly id: string; readonly signal: AbortSignal };

/** What a client sends: for `fetch` here, and as a command for a terminal. */
export const requestOf = ({ dialect, model, text }: Asked): { readonly path: string; readonly body: string } => ({
  path: PROTOCOLS[dialect].path(model),
  body: JSON.stringify(PROTOCOLS[dialect].body(model, text)),
});

/** Streams one answer in one of the protocols. Rejects with an `ApiError` where there is none, and when it is stopped. */
export async function streamChat({ id, signal, ...asked }: Call, listener: Listener): Promise<void> {
  const { dialect, key } = asked;
  const { said } = PROTOCOLS[dialect];
  const { path, body } = requestOf(asked);
  const response = await fetch(path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-request-id': id,
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      ...(dialect === 'messages' ? { 'anthropic-version': '2023-06-01' } : {}),
    },
    body,
    signal,
  });
  listener.onHead({ status: response.status, servedBy: response.headers.get('x-understudy-target') });
  if (!response.ok || response.body === null) {
    const told = (await response.json().catch(() => null)) as Event | null;
    throw new ApiError(response.status, { title: told?.error?.message ?? `The gateway answered ${response.status}.` });
  }
  for await (const event of readEvents<Event>(response.body)) hear(event, said, listener);
}

function hear(event: Event, said: Protocol['said'], { onText, onError }: Listener): void {
  const trouble = event.error?.message ?? event.response?.error?.message;
  if (trouble !== undefined) onError(trouble);
  const text = said(event);
  if (text !== undefined) onText(text);
}
