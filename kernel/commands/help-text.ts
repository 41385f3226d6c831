/** Longest line of what commands explain: what a terminal shows whole. */
export const lineWidth = 100

/** Breaks a text between words, so that no line is longer than `width`. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

/** Names at the left and what they mean from a column on; a name that reaches the column has its meaning below it. */
export function twoColumns(rows: readonly (readonly [name: string, text: string])[], column: number): string[] {
  return rows.flatMap(([name, text]) => {
    if (text === '') return [name]
    const lines = wrapped(text, lineWidth - column).map(line => ' '.repeat(column) + line)
    if (name.length >= column) return [name, ...lines]
    const [first = '', ...rest] = lines
    return [name.padEnd(column) + first.slice(column), ...rest]
  })
}
