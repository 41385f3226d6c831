/** An invalid expression. The message shows the position. */
export class CelError extends Error {
  /** Whether the expression passed the type check and only failed to compile into a program. */
  readonly isInternal: boolean
  constructor(message: string, { isInternal = false }: { readonly isInternal?: boolean } = {}) {
    super(message)
    this.isInternal = isInternal
  }
}

/** A problem at an offset of the text. */
export interface Issue {
  readonly at: number
  readonly message: string
}

const maxShown = 10

/** All problems of a text in the form `ERROR: <input>:1:5: message`, each with its line and a marker. */
export function celErrorOf(
  text: string,
  issues: readonly Issue[],
  options?: ConstructorParameters<typeof CelError>[1],
): CelError {
  const sorted = [...issues].sort((a, b) => a.at - b.at).slice(0, maxShown)
  return new CelError(sorted.map(issue => describe(text, issue)).join('\n'), options)
}

function describe(text: string, { at, message }: Issue): string {
  const start = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  const line = text.slice(start, end < 0 ? undefined : end)
  const row = text.slice(0, start).split('\n').length
  return `ERROR: <input>:${row}:${at - start + 1}: ${message}\n | ${line}\n | ${'.'.repeat(at - start)}^`
}
