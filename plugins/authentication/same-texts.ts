type Texts = Readonly<Record<string, string>>

/** Whether two maps hold the same values under the same keys. */
export const isSameTexts = (one: Texts, other: Texts): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([key, value]) => other[key] === value)
