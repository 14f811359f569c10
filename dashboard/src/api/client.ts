import type { ProblemView } from '../../../src/management/contract.ts';
import { noteGatewayTime } from './gateway-clock.ts';

/** What the gateway said instead of an answer, in words for people. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly problem: Partial<ProblemView>;

  constructor(status: number, problem: Partial<ProblemView>) {
    super(problem.detail ?? problem.title ?? `The gateway answered ${status}.`);
    this.status = status;
    this.problem = problem;
  }
}

type Query = Readonly<Record<string, string | number | undefined>>;

type Ask = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly query?: Query;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

/** Tells the gateway that the page itself asks, and no other page through this browser. */
export const OWN_HEADERS = { 'x-understudy-csrf': '1' };

/**
 * Asks the management API (`path` behind `/api/v1`). Rejects with an `ApiError` where the gateway says no, and where
 * nobody answers with one of status 0.
 */
export async function ask<T>(
  path: string,
  { method = 'GET', query = {}, body, headers, signal }: Ask = {},
): Promise<T> {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [[name, String(value)]],
  );
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given)}`;
  const response = await fetch(`/api/v1${path}${search}`, {
    method,
    credentials: 'same-origin',
    headers: {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(method === 'GET' ? {} : OWN_HEADERS),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted === true) throw error;
    throw new ApiError(0, { title: 'The gateway does not answer.' });
  });
  noteGatewayTime(response.headers.get('date'));
  const text = await response.text();
  const value: unknown = text === '' ? null : parse(text);
  if (!response.ok) throw new ApiError(response.status, problemOf(value));
  return value as T;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const problemOf = (value: unknown): Partial<ProblemView> => (typeof value === 'object' && value !== null ? value : {});
