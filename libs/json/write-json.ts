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

/** So deep in an object are the wide maps and lists that take long to write, such as the fields of an owner. */
const splitLevels = 6
/** Wider lists and objects are written in runs. */
const maxSplitEntries = 64
/** Entries that are written in one turn: a few milliseconds. */
const entriesPerTurn = 5000

/** The same text, in turns: yields within wide lists and objects of the upper levels. */
export function* writeInTurns(value: unknown, levels = splitLevels): Generator<undefined, string, undefined> {
  if (typeof value !== 'object' || value === null || 'toJSON' in value || levels === 0) return writeJson(value)
  const pieces: string[] = []
  if (Array.isArray(value)) {
    const isWide = value.length > maxSplitEntries
    for (let from = 0; isWide && from < value.length; from += entriesPerTurn) {
      pieces.push(writeJson(value.slice(from, from + entriesPerTurn)).slice(1, -1))
      yield
    }
    if (!isWide) for (const item of value) pieces.push((yield* writeInTurns(item, levels - 1)) ?? 'null')
    return `[${pieces.join()}]`
  }
  const keys = Object.keys(value)
  const isWide = keys.length > maxSplitEntries
  for (const [index, key] of keys.entries()) {
    const part = (value as JsonObject)[key]
    const text: string | undefined = isWide ? writeJson(part) : yield* writeInTurns(part, levels - 1)
    if (text !== undefined) pieces.push(`${JSON.stringify(key)}:${text}`)
    if (isWide && index % entriesPerTurn === 0) yield
  }
  return `{${pieces.join()}}`
}
type JsonObject = Record<string, unknown>

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
