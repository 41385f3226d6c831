import { randomBytes } from 'node:crypto'

/** Letters and digits that form no words by accident, as in every generated name. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789'
export const suffixLength = 5

/** Makes a generated name unique. */
export const randomSuffix = (): string =>
  [...randomBytes(suffixLength)].map(byte => alphabet[byte % alphabet.length]).join('')
