import type { Headers, Protocol } from '../../core/model/protocol.ts';
import type { Behaviour } from '../scenario/scenario.ts';
import type { Chance } from '../world/chance.ts';
import type { Play } from '../world/network.ts';
import type { Truth } from '../world/run.ts';
import { answerOf, type VoicedProtocol } from './answer.ts';
import { chatVoice } from './chat-voice.ts';
import { toldDelay, toldHeaders } from './errors.ts';
import { geminiVoice } from './gemini-voice.ts';
import { messagesVoice } from './messages-voice.ts';
import { responsesVoice } from './responses-voice.ts';
import type { Scene } from './scene.ts';
import type { SendView } from './send-view.ts';
import { streamBody } from './stream-body.ts';
import { textBody } from './text-body.ts';
import type { ProviderVoice } from './voice.ts';
import { withinRoom } from './within-room.ts';

export type Played = {
  readonly play: Play;
  /** Null: what it does is no answer. */
  readonly truth: Truth | null;
  /** A delay that a 429 or 503 tells in its head; null: none. */
  readonly toldMs: number | null;
};

const VOICES: Readonly<Record<VoicedProtocol, ProviderVoice>> = {
  'openai-chat': chatVoice,
  'openai-responses': responsesVoice,
  'anthropic-messages': messagesVoice,
  gemini: geminiVoice,
};

/**
 * What a provider that behaves so does with this send, and what its answer says. Bodies are written as they are read. The
 * same arguments give the same play: of `chance` only the name is taken, never a draw. Throws a RangeError for a protocol
 * that no simulated provider speaks.
 */
export function playOf(given: Behaviour, send: SendView, chance: Chance): Played {
  const behaviour = withinRoom(given, send);
  const { connectMs = 0, headMs = 0, status = 200, refuses, reused, readAhead } = behaviour;
  const line = { connectMs, headMs, ...(reused === true ? { reused } : {}) };
  if (refuses !== undefined) return { play: { ...line, refuse: refuses }, truth: null, toldMs: null };
  if (status === null) return { play: { ...line, status, ...hangUp(behaviour) }, truth: null, toldMs: null };
  const isHeard = connectMs !== null && headMs !== null;
  const scene = sceneOf(behaviour, send, chance, status);
  const isAnswer = isGood(scene);
  const isStream = send.stream !== (behaviour.otherShape === true);
  const { headers, truth, ...body } = isAnswer && isStream ? streamBody(scene) : textBody(scene, isAnswer);
  return {
    play: {
      ...line,
      status,
      headers: { ...headers, ...toldHeaders(behaviour), ...echoHeaders(scene), ...behaviour.headers },
      ...body,
      ...(readAhead === undefined ? {} : { readAhead }),
    },
    truth: isHeard ? truth : null,
    toldMs: isHeard ? toldDelay(behaviour, status) : null,
  };
}

function sceneOf(behaviour: Behaviour, send: SendView, chance: Chance, status: number): Scene {
  const { connectMs, headMs, firstWordMs = 0, wordMs = 0, pings = 0, quirks = [] } = behaviour;
  const protocol = voiced(send.protocol);
  return {
    behaviour,
    send,
    protocol,
    voice: VOICES[protocol],
    answer: answerOf(behaviour, send, protocol),
    status,
    pace: { firstWordMs, wordMs, pings, isLate: quirks.includes('late_start') },
    beginMs: (connectMs ?? 0) + (headMs ?? 0),
    chance,
  };
}

function voiced(protocol: Protocol): VoicedProtocol {
  if (Object.hasOwn(VOICES, protocol)) return protocol as VoicedProtocol;
  throw new RangeError(`No simulated provider speaks ${protocol}.`);
}

const isGood = ({ behaviour: { error, body }, status }: Scene): boolean =>
  status >= 200 && status < 300 && error === undefined && body === undefined;

const HANG_UPS: ReadonlySet<string> = new Set(['reset', 'bad_http']);

/** No head comes: how that ends. */
function hangUp({ fault, endMs = 0 }: Behaviour): Pick<Play, 'end' | 'endMs'> {
  const kind = fault?.kind;
  return { end: kind !== undefined && HANG_UPS.has(kind) ? (kind as 'reset' | 'bad_http') : 'closed', endMs };
}

const echoHeaders = ({ behaviour: { echoes, error }, send, status }: Scene): Headers =>
  echoes === true && (error !== undefined || status >= 400) ? { 'x-request-id': send.secret } : {};
