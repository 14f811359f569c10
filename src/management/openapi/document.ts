import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import { createDocument } from 'zod-openapi';
import { problemView } from '../contract.ts';
import { DESCRIBED, type Described } from './described.ts';

/** Any request may have one of these. */
const PROBLEMS = [400, 401, 403] as const;
const PREFIX = '/api/v1';

const problem = problemView.meta({ id: 'Problem', description: 'What is wrong (RFC 9457).' });

/** The API as an OpenAPI 3.1 document. */
export function describeApi(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [key, described] of Object.entries(DESCRIBED)) {
    const [method = '', path = ''] = key.split(' ');
    const address = `${PREFIX}${path}`;
    paths[address] = { ...paths[address], [method.toLowerCase()]: describe(path, described) };
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Understudy management API',
      version: '1',
      description:
        'Times are ISO 8601; members that end in _ms count from the start of their request. What is not known is null, never 0 and never left out. Ids in paths are percent-encoded.',
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { cookie: [] }, {}],
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'auth.adminToken of the configuration.' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'understudy_session',
          description: 'Of POST /session; a change needs the header x-understudy-csrf beside it.',
        },
      },
    },
    paths,
  });
}

function describe(path: string, described: Described): object {
  const { id, summary, tag, query, headers, body } = described;
  const ids = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    operationId: id,
    summary,
    tags: [tag],
    ...(ids.length + (query === undefined ? 0 : 1) + (headers === undefined ? 0 : 1) === 0
      ? {}
      : {
          requestParams: {
            ...(ids.length === 0 ? {} : { path: z.object(Object.fromEntries(ids.map((name) => [name, z.string()]))) }),
            ...(query === undefined ? {} : { query }),
            ...(headers === undefined ? {} : { header: headers }),
          },
        }),
    ...(body === undefined ? {} : { requestBody: { content: { 'application/json': { schema: body } } } }),
    responses: responsesOf(described),
  };
}

function responsesOf({ answer, mediaType = 'application/json', problems = [] }: Described): object {
  const statuses = [...new Set([...PROBLEMS, ...problems])].sort((one, other) => one - other);
  const told = statuses.map((status) => [
    String(status),
    {
      description: STATUS_CODES[status] ?? 'Error',
      content: { 'application/problem+json': { schema: problem } },
    },
  ]);
  return {
    '200': { description: 'OK', content: { [mediaType]: { schema: answer ?? z.string() } } },
    ...Object.fromEntries(told),
  };
}
