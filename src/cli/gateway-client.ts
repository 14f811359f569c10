import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { ProblemView } from '../management/contract.ts';
import { isGatewayAnswer, isGatewayProblem } from './answer-shapes.ts';
import { ownCommand } from './command-name.ts';
import { createEventReader, createWholeReader, type GatewayEvent, isEventStream } from './event-reader.ts';
import { CommandError, EXIT } from './exit-code.ts';

/** Where a running gateway is, and what opens its management API. */
export type Gateway = {
  readonly url: string;
  readonly token: string | null;
  /** Who gave the token: a variable or a key of the configuration. */
  readonly tokenFrom: string;
  /** Somebody has said so; else the address is the configuration's, or the default. */
  readonly isNamed: boolean;
};

type Asking = {
  /** A body makes it a POST. */
  readonly sent?: Uint8Array | null;
  /** What to do next where the gateway says that there is no such thing. */
  readonly onMissing?: string;
  /** Is told each event of an answer that grows; the last one is the answer. */
  readonly onEvent?: (event: GatewayEvent) => void;
};

const TIMEOUT_MS = 10_000;
/** Of an answer that grows: it says every few seconds that it is there. */
const SILENCE_MS = 60_000;

/**
 * GET below `/api/v1`, or POST where there is a body. An answer that is no 2xx, or none at all, becomes the error that
 * the user reads.
 */
export async function askGateway(
  gateway: Gateway,
  path: string,
  { sent = null, onMissing, onEvent }: Asking = {},
): Promise<unknown> {
  const { status, text } = await send(gateway, path, sent, onEvent);
  const body = parse(text);
  if (status >= 200 && status < 300 && isGatewayAnswer(path, body)) return body;
  if (status < 400 || !isGatewayProblem(body)) throw noGateway(gateway, status);
  const { detail } = body as ProblemView;
  if (status === 401 || status === 403) throw keptOut(gateway, status, detail);
  if (status === 404) {
    // One remedy, and at a terminal a command is the better one.
    const fact = detail.replace(/: GET \S+ lists them\.$/, '.');
    throw new CommandError(EXIT.checkFailed, onMissing === undefined ? detail : `${fact}\n${onMissing}`);
  }
  throw new CommandError(EXIT.wrongUse, detail);
}

const noGateway = ({ url }: Gateway, status: number): CommandError =>
  new CommandError(
    EXIT.unreachable,
    `What answers at ${url} is no Understudy gateway (status ${status}).\nName the right address with --url or UNDERSTUDY_URL.`,
  );

/** Without a token one is needed; where one was given and refused, it is the wrong one. */
function keptOut({ url, token, tokenFrom }: Gateway, status: number, detail: string): CommandError {
  const isWrong = token !== null && status === 401;
  const hint = isWrong
    ? `The one that was sent is that of ${tokenFrom}; it has to be auth.adminToken as the gateway has it.`
    : 'Set UNDERSTUDY_ADMIN_TOKEN, or run where the configuration with auth.adminToken is found.';
  const why = isWrong ? 'Its admin token is another.' : detail;
  return new CommandError(
    EXIT.wrongUse,
    `The gateway at ${url} does not let you in. ${why}${token !== null && !isWrong ? '' : `\n${hint}`}`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

type Answer = { readonly status: number; readonly text: string };

function send(gateway: Gateway, path: string, sent: Uint8Array | null, onEvent: Asking['onEvent']): Promise<Answer> {
  const url = new URL(`/api/v1${path}`, gateway.url);
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  const headers = {
    accept: onEvent === undefined ? 'application/json' : 'text/event-stream, application/json',
    ...(sent === null ? {} : { 'content-type': 'application/json' }),
    ...(gateway.token === null ? {} : { authorization: `Bearer ${gateway.token}` }),
  };
  const timeout = onEvent === undefined ? TIMEOUT_MS : SILENCE_MS;
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => {
      const start = `Is it running? Start it with: ${ownCommand()} serve, or name another one with --url.`;
      const moved =
        'If it was started with --port, or server.port was changed since, it listens at its old address until it is started again: name that one.';
      const hint = gateway.isNamed ? start : `${start}\n${moved}`;
      reject(new CommandError(EXIT.unreachable, `No gateway answers at ${gateway.url} (${why}).\n${hint}`));
    };
    const req = request(url, { method: sent === null ? 'GET' : 'POST', headers, agent: false, timeout }, (res) => {
      const reader = onEvent !== undefined && isEventStream(res) ? createEventReader(onEvent) : createWholeReader();
      res.setEncoding('utf8');
      res.on('data', (text: string) => reader.push(text));
      res.on('end', () => resolve({ status: res.statusCode ?? 0, text: reader.end() }));
      res.on('error', (error) => fail(error.message));
    });
    req.on('timeout', () => req.destroy(new Error(`no answer within ${timeout / 1000} s`)));
    req.on('error', (error: Error & { code?: string }) => fail(error.code ?? error.message));
    req.end(sent ?? undefined);
  });
}
