/**
 * What is used of the package; `paths` of src/tsconfig.json puts this in the place of its own types. Those widen the types
 * of `zod` for everybody who is compiled together with them, and the shapes of the configuration would compile no more.
 */

/** An OpenAPI document, with zod schemas wherever one has schemas; gives back the same without them. */
export function createDocument(document: object): object;
