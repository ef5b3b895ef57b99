/** A value that survives `JSON.parse(JSON.stringify(value))` unchanged. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

/** An object of JSON values. */
export type JsonObject = { readonly [key: string]: JsonValue }
