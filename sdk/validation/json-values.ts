import * as json from '../../libs/json/index.js'

/** A deep copy of a value, which may nest deeper than `structuredClone` can handle. */
export const copyJson = <T>(value: T, limits?: json.CopyLimits): T => json.copyJson(value, limits)

/**
 * Are both equal? The order of keys does not matter, and an undefined value counts as missing. Values without a schema may nest
 * deeper than `isDeepStrictEqual` can handle.
 */
export const sameJson = (left: unknown, right: unknown): boolean => json.sameJson(left, right)

/** A value as JSON. Values without a schema may nest deeper than `JSON.stringify` can handle. */
export const writeJson = (value: unknown): string => json.writeJson(value)
