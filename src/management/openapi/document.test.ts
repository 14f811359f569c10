import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../server/routes.ts';
import { OPERATIONS } from '../operations.ts';
import { DESCRIBED } from './described.ts';
import { describeApi } from './document.ts';

type Schema = { readonly [key: string]: unknown };
type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
    >
  >;
};
type Document = {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
};

const document = describeApi() as Document;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

/** Every object in it, the document itself included. */
function* walk(value: unknown): Generator<Schema> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Schema;
  for (const member of Object.values(value)) yield* walk(member);
}

describe('the OpenAPI document', () => {
  it('is one of 3.1, with its parts in their places', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: expect.any(String), version: expect.any(String) },
    });
    expect(JSON.parse(JSON.stringify(document))).toEqual(document);
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
    expect(operations.length).toBe(Object.keys(DESCRIBED).length);
  });

  it('has every operation, and none that is not there', () => {
    const examples = Object.keys(DESCRIBED).map((key) => key.replace('{id}', 'x').split(' ') as [string, string]);
    const isDescribed = (method: string, path: RegExp): boolean =>
      examples.some(([verb, example]) => verb === method && path.test(example));
    expect(OPERATIONS.filter(({ method, path }) => !isDescribed(method, path)).map(({ path }) => String(path))).toEqual(
      [],
    );
    // Two are the server's own.
    const routes = ROUTES.filter(({ name }) => name === 'events' || name === 'session');
    const isThere = ([method, example]: [string, string]): boolean =>
      OPERATIONS.some((operation) => operation.method === method && operation.path.test(example)) ||
      routes.some(({ methods, path }) => methods.includes(method) && path.test(`/api/v1${example}`));
    expect(examples.filter((example) => !isThere(example))).toEqual([]);
  });

  it.each(operations)('$method $path names its parameters and what it may say', ({ path, operation }) => {
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
    expect(declared.map(({ name }) => name)).toEqual(inPath);
    expect(declared.every(({ required }) => required === true)).toBe(true);
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['200', '400', '401', '403']));
    for (const [status, { description, content }] of Object.entries(operation.responses)) {
      expect(description).not.toBe('');
      const [type = ''] = Object.keys(content);
      if (status !== '200') expect(type).toBe('application/problem+json');
      expect(content[type]?.schema).toBeTypeOf('object');
    }
  });

  it('refers to nothing that is not there', () => {
    const refs = [...walk(document)].flatMap(({ $ref }) => (typeof $ref === 'string' ? [$ref] : []));
    expect(refs.length).toBeGreaterThan(10);
    const isThere = (ref: string): boolean =>
      ref.startsWith('#/components/schemas/') && Object.hasOwn(document.components.schemas, ref.slice(21));
    expect(refs.filter((ref) => !isThere(ref))).toEqual([]);
    expect(Object.keys(document.components.schemas)).toContain('Problem');
  });

  it('uses the types of JSON Schema alone', () => {
    const types = [...walk(document.paths)].flatMap(({ type, schema: _schema }) =>
      typeof type === 'string' ? [type] : [],
    );
    const known = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];
    expect([...new Set(types)].filter((type) => !known.includes(type))).toEqual([]);
  });
});
