import { LedgerUnavailableError } from '../port/ledger-store.ts';
import { OPERATIONS, type Operation } from './operations.ts';
import { type ManagementAnswer, type ManagementPorts, type ManagementRequest, notFound, problem } from './types.ts';

export type { ManagementAnswer, ManagementPorts, ManagementRequest } from './types.ts';

/** Of ids that nobody has: the longest that is kept. */
const MAX_SUBJECT = 300;

/** The management API, free of HTTP: a request in, a status and a value out. */
export interface Management {
  handle(request: ManagementRequest): Promise<ManagementAnswer>;
}

export function createManagement(ports: ManagementPorts): Management {
  return {
    async handle(request) {
      const fitting = OPERATIONS.filter((operation) => operation.path.test(request.path));
      if (fitting.length === 0) return notFound(`There is nothing at /api/v1${request.path.slice(0, 200)}.`);
      const operation = fitting.find((candidate) => candidate.method === request.method);
      if (operation === undefined) {
        const allow = fitting.map((candidate) => candidate.method);
        return { ...problem(405, 'method_not_allowed', `This takes ${allow.join(', ')}.`), allow };
      }
      const parts = (operation.path.exec(request.path)?.slice(1) ?? []).map(decodeId);
      if (parts.includes(null))
        return problem(400, 'invalid_request_error', 'The id in the path is not percent-encoded well.');
      try {
        const answer = await operation.run(parts as string[], request, ports);
        keepAudit(operation, parts as string[], request, answer, ports);
        return answer;
      } catch (error) {
        if (!(error instanceof LedgerUnavailableError)) throw error;
        return problem(503, 'ledger_unavailable', 'The ledger can not be read now: ask again, or see the log.');
      }
    },
  };
}

const NOBODY: NonNullable<ManagementRequest['who']> = { by: 'none', address: null, request: '' };

/** What changes something is kept, whether it was done or refused. */
function keepAudit(
  { audit: action, subjectOf }: Operation,
  [id]: readonly string[],
  request: ManagementRequest,
  answer: ManagementAnswer,
  { audit, clock }: ManagementPorts,
): void {
  if (action === undefined || audit === undefined) return;
  const { by, address, request: asked } = request.who ?? NOBODY;
  const subject = subjectOf?.(request) ?? id ?? null;
  audit.add({
    at: clock.now(),
    action,
    subject: subject?.slice(0, MAX_SUBJECT) ?? null,
    result: answer.ok ? 'done' : 'refused',
    status: answer.ok ? 200 : answer.problem.status,
    by,
    address,
    request: asked,
  });
}

function decodeId(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
