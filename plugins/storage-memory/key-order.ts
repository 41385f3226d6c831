/** Keys are in the order of their bytes, which for characters beyond U+D7FF is not that of JavaScript. */
export type KeyOrder = (one: string, other: string) => number

/** Such a character, or half of one. */
const beyond = /[\ud800-\uffff]/
export const needsBytes = (key: string): boolean => beyond.test(key)

export const byUnits: KeyOrder = (one, other) => (one === other ? 0 : one < other ? -1 : 1)
export const byBytes: KeyOrder = (one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))
