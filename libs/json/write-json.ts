import { nestsDeeper } from './levels.js'

/** A plain value of any depth as JSON. Undefined values in objects are omitted. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (thrown) {
    // JSON.stringify is recursive and fails at about 4,000 levels.
    if (!(thrown instanceof RangeError)) throw thrown
    return writeDeep(value)
  }
}

/** The number of levels that are indented: beyond, most of the text would be indentation. */
const indentedLevels = 400

/** A value as JSON with indentation, or without it if it is very deep. */
export const writePretty = (value: unknown): string =>
  nestsDeeper(value, indentedLevels) ? writeJson(value) : JSON.stringify(value, null, 2)

/** A list or object that is being written. */
interface Open {
  readonly list: readonly unknown[] | undefined
  readonly object: Record<string, unknown>
  readonly keys: readonly string[]
  next: number
  isFirst: boolean
}

function writeDeep(root: unknown): string {
  const pieces: string[] = []
  const open: Open[] = []
  const write = (value: unknown) => {
    const shown = toPlain(value)
    if (typeof shown !== 'object' || shown === null) {
      pieces.push(JSON.stringify(shown) ?? 'null')
      return
    }
    const list = Array.isArray(shown) ? shown : undefined
    pieces.push(list ? '[' : '{')
    const object = shown as Record<string, unknown>
    open.push({ list, object, keys: list ? [] : Object.keys(object), next: 0, isFirst: true })
  }
  write(root)
  for (let top = open.at(-1); top; top = open.at(-1)) {
    const { list, object, keys } = top
    if (top.next === (list ?? keys).length) {
      pieces.push(list ? ']' : '}')
      open.pop()
      continue
    }
    const key = list ? '' : keys[top.next]!
    const value = list ? list[top.next] : object[key]
    top.next++
    if (!list && (value === undefined || typeof value === 'function')) continue
    const comma = top.isFirst ? '' : ','
    top.isFirst = false
    pieces.push(list ? comma : `${comma}${JSON.stringify(key)}:`)
    write(value)
  }
  return pieces.join('')
}

/** Calls toJSON, as JSON.stringify does. */
const toPlain = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
    ? value.toJSON()
    : value
