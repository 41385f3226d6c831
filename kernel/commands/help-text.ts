/** Maximum length of a line of help, so that it fits a terminal. */
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

/** Names on the left and descriptions from a column on; the description of a longer name starts on the next line. */
export function twoColumns(rows: readonly (readonly [name: string, text: string])[], column: number): string[] {
  return rows.flatMap(([name, text]) => {
    if (text === '') return [name]
    const lines = wrapped(text, lineWidth - column).map(line => ' '.repeat(column) + line)
    if (name.length >= column) return [name, ...lines]
    const [first = '', ...rest] = lines
    return [name.padEnd(column) + first.slice(column), ...rest]
  })
}
