/** The process of a plugin answered something else than what it was asked for. */
export class UnreadableAnswer extends Error {
  constructor(what: string) {
    super(`it answered ${what}`)
  }
}

const maxTexts = 100
const maxLength = 16_384
/** The texts of a list, as far as they are any. */
export const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value.slice(0, maxTexts) : [])
    .filter(each => typeof each === 'string')
    .map(each => each.slice(0, maxLength))
