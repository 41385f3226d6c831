type Texts = Readonly<Record<string, string>>

/** Do two maps hold the same texts under the same keys? */
export const isSameTexts = (one: Texts, other: Texts): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([key, value]) => other[key] === value)
