/** Longest line of what is explained: what a terminal shows whole. */
export const lineWidth = 100

/** Breaks each paragraph between words, so that no line is longer than `width`. */
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
