import * as json from '../../libs/json/index.js'

/** A copy that shares nothing with the value, which may nest deeper than `structuredClone` bears. */
export const copyJson = <T>(value: T, limits?: json.CopyLimits): T => json.copyJson(value, limits)

/**
 * Do both say the same? The order of keys does not matter, and a key without a value is no key. Values that no schema describes may nest
 * deeper than `isDeepStrictEqual` bears.
 */
export const sameJson = (left: unknown, right: unknown): boolean => json.sameJson(left, right)

/** A value as JSON. Values that no schema describes may nest deeper than `JSON.stringify` bears. */
export const writeJson = (value: unknown): string => json.writeJson(value)
