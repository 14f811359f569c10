import { ApiError } from './client.ts';

export type Told = {
  readonly id: string;
  readonly text: string;
  readonly target: string | null;
  readonly attempts: number;
};

/** Asks a model one thing, as any client would, and waits for the whole answer. Rejects with an `ApiError`. */
export async function tell({ model, text }: { readonly model: string; readonly text: string }): Promise<Told> {
  const response = await fetch('/v1/chat/completions', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: text }] }),
  }).catch(() => {
    throw new ApiError(0, { title: 'The gateway does not answer.' });
  });
  const value = (await response.json().catch(() => null)) as Answer | null;
  if (!response.ok)
    throw new ApiError(response.status, { title: value?.error?.message ?? `The gateway answered ${response.status}.` });
  return {
    id: response.headers.get('x-request-id') ?? '',
    text: value?.choices?.[0]?.message?.content ?? '',
    target: response.headers.get('x-understudy-target'),
    attempts: Number(response.headers.get('x-understudy-attempts') ?? 1),
  };
}

type Answer = {
  readonly choices?: readonly { readonly message?: { readonly content?: string | null } }[];
  readonly error?: { readonly message?: string };
};
