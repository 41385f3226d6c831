const contextLines = 3

/** One line of a comparison. */
interface Line {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

/** The lines that differ between two texts, with a few around them, in unified form. Empty when they are the same. */
export function textDiff(before: string, after: string): string[] {
  const lines = compareLines(before.split('\n'), after.split('\n'))
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(index - contextLines, 0), index + contextLines + 1).some(({ sign }) => sign !== ' '),
  )
  const shown: string[] = []
  let oldLine = 1
  let newLine = 1
  lines.forEach(({ sign, text }, index) => {
    if (isNear[index]) {
      if (!isNear[index - 1]) shown.push(hunkHeader(lines, isNear, index, oldLine, newLine))
      shown.push(sign + text)
    }
    if (sign !== '+') oldLine++
    if (sign !== '-') newLine++
  })
  return shown
}

function hunkHeader(
  lines: readonly Line[],
  isNear: readonly boolean[],
  from: number,
  oldLine: number,
  newLine: number,
) {
  const end = isNear.indexOf(false, from)
  const hunk = lines.slice(from, end < 0 ? undefined : end)
  const olds = hunk.filter(({ sign }) => sign !== '+').length
  const news = hunk.filter(({ sign }) => sign !== '-').length
  return `@@ -${oldLine},${olds} +${newLine},${news} @@`
}

/** The longest common lines stay; what is left was removed or added. */
function compareLines(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (end < Math.min(before.length, after.length) - start && before.at(-1 - end) === after.at(-1 - end)) end++
  const middle = compareMiddles(before.slice(start, before.length - end), after.slice(start, after.length - end))
  const same = (text: string): Line => ({ sign: ' ', text })
  return [...before.slice(0, start).map(same), ...middle, ...before.slice(before.length - end).map(same)]
}

/** What comparing may remember: 4 MB. Longer texts that differ at both ends are shown as removed and added whole. */
const mostCells = 1_000_000

function compareMiddles(before: readonly string[], after: readonly string[]): Line[] {
  if (before.length * after.length > mostCells)
    return [...before.map((text): Line => ({ sign: '-', text })), ...after.map((text): Line => ({ sign: '+', text }))]
  // common[i][j]: how many lines before[i..] and after[j..] share.
  const common = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  const at = (i: number, j: number) => common[i]?.[j] ?? 0
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      common[i]![j] = before[i] === after[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
  const lines: Line[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length)
    if (i < before.length && j < after.length && before[i] === after[j]) {
      lines.push({ sign: ' ', text: before[i++] ?? '' })
      j++
    } else if (i < before.length && (j === after.length || at(i + 1, j) >= at(i, j + 1)))
      lines.push({ sign: '-', text: before[i++] ?? '' })
    else lines.push({ sign: '+', text: after[j++] ?? '' })
  return lines
}
