/** The plugin process sent an answer of the wrong shape. */
export class UnreadableAnswer extends Error {
  constructor(what: string) {
    super(`it answered ${what}`)
  }
}

const maxTexts = 100
const maxLength = 16_384
/** The strings of a list; anything else is skipped. */
export const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value.slice(0, maxTexts) : [])
    .filter(each => typeof each === 'string')
    .map(each => each.slice(0, maxLength))
