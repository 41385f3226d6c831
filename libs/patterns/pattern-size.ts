/** Everything above this counts as equally large. */
const enough = 100_000_000

/**
 * Estimates the number of instructions of a compiled regular expression without compiling it, which would take time
 * proportional to the result. Counted repetitions make a short pattern large: `(.*a){900}` has every instruction of the
 * group 900 times.
 */
export function patternSize(pattern: string): number {
  const groups: { size: number; last: number }[] = []
  let size = 2
  let last = 0
  const add = (instructions: number) => {
    size = Math.min(enough, size + instructions)
    last = instructions
  }
  for (let at = 0; at < pattern.length; at++) {
    switch (pattern[at]) {
      case '\\':
        at = endOfEscape(pattern, at)
        add(1)
        break
      case '[':
        at = endOfClass(pattern, at)
        add(1)
        break
      case '(':
        groups.push({ size, last })
        size = 2
        last = 0
        break
      case ')': {
        const inside = size
        const outer = groups.pop()
        if (!outer) return size
        size = outer.size
        add(inside)
        break
      }
      case '{': {
        const repetition = repetitionAt(pattern, at)
        if (!repetition) {
          add(1)
          break
        }
        at += repetition.length - 1
        size = Math.min(enough, size + (last + 1) * repetition.times)
        last = Math.min(enough, (last + 1) * (repetition.times + 1))
        break
      }
      case '*':
      case '+':
      case '?':
      case '|':
        size++
        break
      default:
        add(1)
    }
  }
  // An unterminated group is invalid, but still has a size.
  for (const outer of groups) size = Math.min(enough, size + outer.size)
  return size
}

/** `\pL` and `\p{Greek}` are one character, and so is `\x{10FFFF}`; `\Q…\E` is text. */
function endOfEscape(pattern: string, at: number): number {
  const next = pattern[at + 1]
  if ((next === 'p' || next === 'P' || next === 'x') && pattern[at + 2] === '{') {
    const end = pattern.indexOf('}', at + 2)
    return end < 0 ? pattern.length : end
  }
  return at + 1
}

function endOfClass(pattern: string, start: number): number {
  let at = start + 1
  if (pattern[at] === '^') at++
  // A bracket that comes first is a character.
  if (pattern[at] === ']') at++
  for (; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++
    else if (pattern[at] === '[' && pattern[at + 1] === ':') {
      const end = pattern.indexOf(':]', at + 2)
      if (end >= 0) at = end + 1
    } else if (pattern[at] === ']') return at
  }
  return at
}

const repetition = /\{(\d{1,9})(,(\d{0,9}))?\}/y

/** How often the last part is repeated, beyond the first time. */
function repetitionAt(pattern: string, at: number): { times: number; length: number } | undefined {
  repetition.lastIndex = at
  const found = repetition.exec(pattern)
  if (!found) return undefined
  const [text, least, , most] = found
  return { times: Math.max(Number(least), Number(most || 0), 1) - 1, length: text.length }
}
