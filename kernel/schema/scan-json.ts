import { atOnce, type InTurns } from '../contracts/in-turns.js'

/** A list or object that the scan is in. */
export interface JsonContainer<Note> {
  readonly isList: boolean
  /** Of an object: the last key. */
  key: string
  /** Of a list: the current index. */
  index: number
  /** The note of the visitor. */
  note: Note | undefined
}

export interface JsonVisitor<Note> {
  /** Called at the start of a list or object inside `parent`. Returns the note to keep with it. */
  begin(parent: JsonContainer<Note> | undefined): Note | undefined
  /** Called with every key, which is that of the last open container. Returns true to stop. */
  key?(open: readonly JsonContainer<Note>[]): boolean
  /** Called with every number that has a fraction or an exponent, as it is written. */
  fraction?(literal: string, open: readonly JsonContainer<Note>[]): void
}

const code = (sign: string) => sign.charCodeAt(0)
const quote = code('"')
const backslash = code('\\')
const colon = code(':')
const comma = code(',')
const beginList = code('[')
const endList = code(']')
const beginObject = code('{')
const endObject = code('}')
const zero = code('0')
const nine = code('9')
const space = code(' ')
const partOfNumber: ReadonlySet<number> = new Set([...'.eE+-'].map(code))

/** Characters that are read in one turn: a few milliseconds. */
const charactersPerTurn = 64 * 1024

/** Scans a JSON text for details that JSON.parse does not report. The text must be valid: parse it first. */
export const scanJson = <Note>(text: string, visitor: JsonVisitor<Note>): void => atOnce(scanInTurns(text, visitor))

/** The same for a request, which may yield. */
export function* scanInTurns<Note>(text: string, visitor: JsonVisitor<Note>): InTurns<void> {
  let yieldedAt = 0
  const open: JsonContainer<Note>[] = []
  let top: JsonContainer<Note> | undefined
  for (let position = 0; position < text.length; position++) {
    if (position - yieldedAt >= charactersPerTurn) {
      yieldedAt = position
      yield
    }
    const sign = text.charCodeAt(position)
    if (sign === quote) {
      const end = endOfString(text, position)
      if (top && !top.isList && isKey(text, end)) {
        top.key = stringOf(text, position, end)
        if (visitor.key?.(open)) return
      }
      position = end - 1
    } else if (sign === comma) {
      if (top) top.index++
    } else if (sign === beginList || sign === beginObject) {
      top = { isList: sign === beginList, key: '', index: 0, note: visitor.begin(top) }
      open.push(top)
    } else if (sign === endList || sign === endObject) {
      open.pop()
      top = open[open.length - 1]
    } else if (sign >= zero && sign <= nine) {
      const end = endOfDigits(text, position)
      if (end.isFraction && visitor.fraction) {
        const start = text[position - 1] === '-' ? position - 1 : position
        visitor.fraction(text.slice(start, end.at), open)
      }
      position = end.at - 1
    }
  }
}

/** `spec.ports[0].name` */
export function pathTo(open: readonly JsonContainer<unknown>[]): string {
  let path = ''
  for (const { isList, key, index } of open) {
    if (isList) path += `[${index}]`
    else path += path === '' ? key : `.${key}`
  }
  return path
}

/** The position after the string that starts here. */
export function endOfString(text: string, start: number): number {
  let position = start + 1
  for (let sign = text.charCodeAt(position); sign !== quote; sign = text.charCodeAt(position)) {
    if (position >= text.length) break
    position += sign === backslash ? 2 : 1
  }
  return position + 1
}

function stringOf(text: string, start: number, end: number): string {
  const inside = text.slice(start + 1, end - 1)
  return inside.includes('\\') ? (JSON.parse(text.slice(start, end)) as string) : inside
}

const endOfNumber = { at: 0, isFraction: false }
/** The result is overwritten by the next call: a text may have very many numbers. */
function endOfDigits(text: string, start: number): typeof endOfNumber {
  let at = start + 1
  let isFraction = false
  for (; at < text.length; at++) {
    const sign = text.charCodeAt(at)
    if (sign >= zero && sign <= nine) continue
    if (sign === comma || !partOfNumber.has(sign)) break
    isFraction = true
  }
  endOfNumber.at = at
  endOfNumber.isFraction = isFraction
  return endOfNumber
}

function isKey(text: string, end: number): boolean {
  // All white space of JSON has codes up to that of a space.
  while (text.charCodeAt(end) <= space) end++
  return text.charCodeAt(end) === colon
}
