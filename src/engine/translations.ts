import type { Protocol } from '../core/model/protocol.ts';
import type { CanonicalRequest } from '../core/model/request.ts';
import type { FaultFacts } from '../core/redact/index.ts';
import type { Untranslated } from '../core/routing/assess-route.ts';
import type { Telemetry } from '../port/telemetry.ts';
import type {
  ForeignEgress,
  PooledRequest,
  Translated,
  TranslationPool,
  TranslationTrouble,
} from '../port/translation-pool.ts';
import { type Scribe, translatorOf, writtenCodec } from '../protocol/translate/index.ts';
import type { ProtocolCodec } from '../protocol/types.ts';

/** Larger bodies are read and written by the pool: handing over a smaller one costs more than it saves. */
export const MAX_HERE = 256 * 1024;

/** What a target lacks then, for the record and for people. */
const WORDS: { readonly [T in TranslationTrouble]: string } = {
  busy: 'translation (too many large requests wait for it)',
  died: 'translation (the thread that does it ended on this request)',
  failed: 'translation (the gateway failed at it)',
  closed: 'translation (the gateway is going down)',
};

type Known = {
  readonly pooled: PooledRequest;
  readonly lacks: Map<Protocol, readonly string[]>;
  /** Protocols that a plan has asked for. */
  readonly unread: Set<Protocol>;
  tokens: number | null;
};

/** What planning needs to know of translation. */
export type TranslationFacts = Pick<Translations, 'lacks' | 'hasUnread'>;

const NONE: readonly string[] = [];

/** Reads whatever its size: for questions that are no request. */
export const READ_HERE: TranslationFacts = {
  lacks: (request, to) => translatorOf(request).lacks(to),
  hasUnread: false,
};

type OnTrouble = (trouble: TranslationTrouble, fault: FaultFacts | null) => void;

/** What an operator has to know; that too much is asked of the gateway, its requests say themselves. */
const NOTICES: { readonly [T in TranslationTrouble]?: string } = {
  died: 'the thread that translates large requests ended on one: the next one starts it again',
  failed: 'a large request could not be translated',
};

export const createTroubleTeller =
  (telemetry: Pick<Telemetry, 'notice'>, request: string): OnTrouble =>
  (trouble, fault) => {
    const notice = NOTICES[trouble];
    if (notice === undefined) return;
    const words = fault === null ? '' : `: ${fault.code === null ? fault.name : `${fault.name} ${fault.code}`}`;
    telemetry.notice('error', `${notice}${words}`, { request, at: fault?.at ?? null });
  };

/**
 * One client's request (and what it becomes with all that came before) in other protocols. Small ones are read at once,
 * large ones in the pool, which answers later. Once the pool was of no help the request has no translation any more.
 */
export class Translations {
  readonly #pool: Pick<TranslationPool, 'open'>;
  readonly #onTrouble: OnTrouble;
  #known: Map<CanonicalRequest, Known> | null = null;
  #trouble: Untranslated | null = null;
  #isOver = false;

  constructor(pool: Pick<TranslationPool, 'open'>, onTrouble: OnTrouble) {
    this.#pool = pool;
    this.#onTrouble = onTrouble;
  }

  /** What was planned is not to be acted on: `read`, then plan again. */
  get hasUnread(): boolean {
    if (this.#known === null || this.#trouble !== null) return false;
    for (const { unread } of this.#known.values()) if (unread.size > 0) return true;
    return false;
  }

  /** Of what is unread nothing is known to be missing. */
  lacks(request: CanonicalRequest, to: Protocol): readonly string[] | Untranslated {
    if (!isLarge(request)) return translatorOf(request).lacks(to);
    if (this.#trouble !== null) return this.#trouble;
    const { lacks, unread } = this.#open(request);
    const found = lacks.get(to);
    if (found !== undefined) return found;
    unread.add(to);
    return NONE;
  }

  /** Finds out what was asked for. Resolves in any case: behind it there is an answer, or trouble. */
  async read(): Promise<void> {
    for (const { pooled, lacks, unread } of this.#known?.values() ?? []) {
      if (unread.size === 0) continue;
      const found = this.#take(await pooled.findLacks([...unread]));
      if (found === null) return;
      for (const to of unread) lacks.set(to, found[to] ?? NONE);
      unread.clear();
    }
  }

  /** A codec that has written the request already; null: there is none, and no further attempt will have one. */
  async write(
    request: CanonicalRequest,
    to: Protocol,
    egress: ForeignEgress,
    scribe: Scribe,
  ): Promise<ProtocolCodec | null> {
    if (this.#trouble !== null) return null;
    const written = this.#take(await this.#open(request).pooled.write(to, egress));
    return written === null ? null : writtenCodec(request.protocol, to, written, scribe);
  }

  /** Finds out how many tokens a large request has, about. */
  async estimate(request: CanonicalRequest): Promise<void> {
    if (this.#trouble !== null) return;
    const known = this.#open(request);
    known.tokens ??= this.#take(await known.pooled.estimate());
  }

  /** Null: nobody could tell. Undefined: it is to be read. */
  tokens(request: CanonicalRequest): number | null | undefined {
    return isLarge(request) ? (this.#known?.get(request)?.tokens ?? null) : undefined;
  }

  get heldBytes(): number {
    let sum = 0;
    for (const { pooled } of this.#known?.values() ?? []) sum += pooled.heldBytes;
    return sum;
  }

  /** Nobody writes the request again. */
  forget(): void {
    this.#isOver = true;
    for (const { pooled } of this.#known?.values() ?? []) pooled.close();
    this.#known = null;
  }

  #open(request: CanonicalRequest): Known {
    this.#known ??= new Map();
    const known = this.#known.get(request) ?? {
      pooled: this.#pool.open(request),
      lacks: new Map<Protocol, readonly string[]>(),
      unread: new Set<Protocol>(),
      tokens: null,
    };
    this.#known.set(request, known);
    return known;
  }

  #take<T>(answer: Translated<T>): T | null {
    if (answer.ok) return answer.value;
    const { trouble, fault } = answer;
    this.#trouble ??= { untranslated: WORDS[trouble] };
    if (!this.#isOver) this.#onTrouble(trouble, fault);
    return null;
  }
}

export const isLarge = ({ original }: CanonicalRequest): boolean => original.length > MAX_HERE;
