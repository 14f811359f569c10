/** A JSON value as `JSON.parse` gives it. Objects may have a member called `__proto__`: define, never assign. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export type JsonObject = { readonly [name: string]: JsonValue };
