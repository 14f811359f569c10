/** Whether a value is what its name says. */
type Is = (value: unknown) => boolean;

const text: Is = (value) => typeof value === 'string';
const count: Is = (value) => typeof value === 'number';
const orNull =
  (is: Is): Is =>
  (value) =>
    value === null || is(value);
const list =
  (is: Is): Is =>
  (value) =>
    Array.isArray(value) && value.every(is);
const orMissing =
  (is: Is): Is =>
  (value) =>
    value === undefined || is(value);
const record: Is = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
/** More members than these are fine: another version may have them. */
const having =
  (members: Readonly<Record<string, Is>>): Is =>
  (value) =>
    record(value) &&
    Object.entries(members).every(([name, is]) =>
      is(Object.hasOwn(Object(value), name) ? Reflect.get(Object(value), name) : undefined),
    );
const either =
  (...all: readonly Is[]): Is =>
  (value) =>
    all.some((is) => is(value));

const attempt = having({ n: count, target: text, credential: text, why: text, started_ms: count });
/** With its attempts where they were asked for, if it is new enough to give them. */
const summary = having({ id: text, started_at: text, attempt_count: count, attempts: orMissing(list(attempt)) });
const request = having({ id: text, started_at: text, protocol: text, edits: list(text), attempts: list(attempt) });
const candidate = having({
  route: text,
  target: text,
  tier: count,
  reason: text,
  lacks: list(text),
  availability: having({ state: text, until: orNull(text) }),
});
const candidates = list(candidate);
const scope = having({ kind: text, id: text, state: text, until: orNull(text), failures: count });
const reportedRoute = having({ route: text, tier: count, state: text, attempts: count, next_check_at: orNull(text) });
const reportedModel = having({
  model: text,
  candidates: count,
  ready: count,
  slow: count,
  escalations: having({ used: count, denied: count }),
  warnings: list(text),
  stages: list(having({ ms: count, end: text })),
  routes: list(reportedRoute),
});
const report = having({ models: list(reportedModel), providers: list(having({ provider: text })) });
const target = having({ kind: text, id: text, routes: list(scope) });

/**
 * What commands read of each answer of the management API, by the path behind `/api/v1`. All else that answers there,
 * with whatever status, is no gateway: commands rely on it.
 */
const SHAPES: readonly (readonly [path: RegExp, is: Is])[] = [
  [/^\/requests(\?|$)/, having({ data: list(summary), next: orNull(text) })],
  [/^\/requests\/[^/?]+\/explain$/, having({ plans: list(having({ candidates })) })],
  [/^\/requests\/[^/?]+$/, request],
  [/^\/readiness\/probe$/, having({ report })],
  [/^\/targets$/, having({ data: list(scope) })],
  [/^\/targets\/.+/, either(scope, target)],
  [
    /^\/plan(\?|$)/,
    having({
      asked: text,
      model: text,
      protocol: text,
      needs: list(text),
      strategy: text,
      candidates,
      settings: having({ model: record, targets: record }),
    }),
  ],
];

/** Whether a gateway would answer so to this path. A path without a row is anybody's. */
export const isGatewayAnswer = (path: string, body: unknown): boolean =>
  SHAPES.find(([pattern]) => pattern.test(path))?.[1](body) ?? true;

/** A refusal as the management API writes it (RFC 9457), and not as so many others do. */
export const isGatewayProblem: (body: unknown) => boolean = having({ detail: text, code: text, request_id: text });
