/** One step of the schema. What was released is never changed: a new step follows it. */
export type Migration = { readonly version: number; readonly name: string; readonly sql: string };
