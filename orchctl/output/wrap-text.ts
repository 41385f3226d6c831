/** Maximum length of lines in help. */
export const lineWidth = 100

/** Wraps each paragraph at word boundaries to lines of at most `width` characters. */
export function wrapText(text: string, width: number): string[] {
  return text.split('\n').flatMap(paragraph => {
    const lines: string[] = []
    let line = ''
    for (const word of paragraph.split(/\s+/)) {
      if (line !== '' && line.length + 1 + word.length > width) {
        lines.push(line)
        line = word
      } else line = line === '' ? word : `${line} ${word}`
    }
    return [...lines, line]
  })
}
