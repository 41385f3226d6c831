import { diffLines } from 'diff'

/** A line of a diff, and who added it. */
export interface DiffLine {
  readonly text: string
  readonly change: 'same' | 'removed' | 'mine' | 'server'
}

const linesOf = (text: string) => text.replace(/\n$/, '').split('\n')

/**
 * Compares texts line by line. With `sent`, added lines that were not sent are the server's: by defaults or admission.
 */
export function compareTexts(before: string, after: string, sent = after): DiffLine[] {
  const ofServer = new Set<number>()
  let at = 0
  for (const { added, removed, value } of diffLines(sent, after)) {
    const count = linesOf(value).length
    if (added) for (let line = at; line < at + count; line++) ofServer.add(line)
    if (!removed) at += count
  }
  let position = 0
  return diffLines(before, after).flatMap(({ added, removed, value }) =>
    linesOf(value).map((text): DiffLine => {
      if (removed) return { text, change: 'removed' }
      const line = position++
      if (!added) return { text, change: 'same' }
      return { text, change: ofServer.has(line) ? 'server' : 'mine' }
    }),
  )
}

/** Only lines near a change; a gap is `undefined`. */
export function nearChanges(lines: readonly DiffLine[], context = 3): (DiffLine | undefined)[] {
  const isNear = lines.map((_, at) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ change }) => change !== 'same'),
  )
  return lines.flatMap((line, at) => {
    if (isNear[at]) return [line]
    return at > 0 && isNear[at - 1] ? [undefined] : []
  })
}
