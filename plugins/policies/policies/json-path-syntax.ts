/** Ends a name within a path. */
const end = String.raw`\s.,\[\]$@{}`
const name = String.raw`(?:\\[^]|[^${end}\\])*`
/** The parts of a path without brackets: what stands for the object, `..` and `.name`, keywords, and text in quotes. */
const plainPart = new RegExp(
  [
    '[ @$]',
    String.raw`\.\.(?!\.\.)(?:(?=[\p{L}\p{N}_])${name})?`,
    String.raw`\.(?!\.)${name}`,
    String.raw`[+-]?\d+(?:\.\d*)?`,
    String.raw`[\p{L}_][^${end}]*`,
    String.raw`"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'`,
  ].join('|'),
  'uy',
)
const filterPart = /\[\?\(((?:"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|[^"')\n])*)\)\]/y
const bracketPart = /\[([^\]\n]*)\]/y

/**
 * Whether a text is a JSONPath such as `spec.validations[0].expression`, in the dialect of the command line. Only its syntax counts:
 * nothing is looked up.
 */
export function isJsonPath(text: string): boolean {
  let at = 0
  const take = (part: RegExp): string | undefined => {
    part.lastIndex = at
    const found = part.exec(text)
    if (!found) return undefined
    at += found[0].length
    return found[1] ?? ''
  }
  while (at < text.length) {
    const condition = take(filterPart)
    if (condition !== undefined) {
      if (!isCondition(condition)) return false
      continue
    }
    const inside = take(bracketPart)
    if (inside === undefined ? take(plainPart) === undefined : !isSelection(inside)) return false
  }
  return true
}

/** `@.type=="Ready"`, or only a path. */
function isCondition(text: string): boolean {
  const operator = text.search(/[!<>=]/)
  if (operator <= 0) return isJsonPath(text)
  const right = text.slice(operator).replace(/^[!<>=]+/, '')
  return right === '' ? isJsonPath(text) : isJsonPath(text.slice(0, operator)) && isJsonPath(right)
}

/** `*`, an index, a range, a key in quotes, or several of these. */
function isSelection(text: string): boolean {
  const items = text.split(',')
  if (items.length > 1) return items.every(item => isSelection(item.trim()))
  const key = /^'([^']*)'$/.exec(text)?.[1]
  if (key !== undefined) return isJsonPath(`.${key}`)
  return text === '*' || /^(-?\d+)?(:(-?\d+)?){0,2}$/.test(text)
}
