/**
 * The value of a map under a key that a client chose. Not `map[key]`: every object inherits properties such as
 * `constructor`.
 */
export const ownValue = <T>(map: Readonly<Record<string, T>> | undefined, key: string): T | undefined =>
  map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined

/** Is it an object with fields, and neither null nor a list? */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An object of JSON whose fields are not known. */
export type JsonObject = Record<string, unknown>
