import { setOwn } from './own-property.js'
import type { JsonObject } from './values.js'

/** Characters that are parsed at once: a few milliseconds, even if they are nothing but short keys. */
const defaultPieceLength = 64 * 1024

/** A list or object that is too large to be parsed at once. */
interface Open {
  readonly list: unknown[] | undefined
  readonly object: JsonObject
  /** The text before its value in the list or object around it: the key and the colon, or nothing. */
  readonly label: string
  /** Whether a comma was the last thing that ended a piece: then another member has to follow. */
  expectsMember: boolean
  hasMembers: boolean
}

/** A bracket inside the piece that is being read, and where its member begins. */
interface Bracket {
  readonly position: number
  readonly memberStart: number
  readonly isList: boolean
}

/**
 * Parses JSON like JSON.parse, and yields after each piece of a long text, so that the caller can let others work meanwhile. Lists and
 * objects that are longer than a piece are put together from runs of members; each run is parsed by JSON.parse.
 * For a text that is not JSON it throws a SyntaxError, whose message is of no use: ask JSON.parse for a better one.
 */
export function* parseInTurns(
  text: string,
  pieceLength = defaultPieceLength,
): Generator<undefined, unknown, undefined> {
  const first = skipBlank(text, 0)
  const root = text.charCodeAt(first)
  if (text.length <= pieceLength || (root !== openBrace && root !== openBracket)) return JSON.parse(text)
  let inner = opened(root === openBracket, '')
  /** The large lists and objects around it. */
  const outside: Open[] = []
  /** Brackets of the current piece that are not closed yet, from the outside in. Those before `outermost` have been entered. */
  const brackets: Bracket[] = []
  let outermost = 0
  let pieceStart = first + 1
  /** Where the current member of the innermost list or object began. */
  let memberStart = pieceStart
  let yieldedAt = 0
  for (let position = pieceStart; position < text.length; position++) {
    const at = text.charCodeAt(position)
    if (at === quote) position = endOfString(text, position)
    else if (at === openBrace || at === openBracket) {
      brackets.push({ position, memberStart, isList: at === openBracket })
      memberStart = position + 1
    } else if (isClosing(at)) {
      const closed = brackets.length > outermost ? brackets.pop() : undefined
      if (closed) {
        memberStart = closed.memberStart
        continue
      }
      if ((at === closeBracket) !== (inner.list !== undefined)) throw broken()
      addMembers(inner, text.slice(pieceStart, position), false)
      const next = skipBlank(text, position + 1)
      const outer = outside.pop()
      if (!outer && next < text.length) throw broken()
      if (!outer) return inner.list ?? inner.object
      addValue(outer, inner)
      brackets.pop()
      outermost--
      inner = outer
      outer.expectsMember = text.charCodeAt(next) === comma
      if (!outer.expectsMember && !isClosing(text.charCodeAt(next))) throw broken()
      position = outer.expectsMember ? next : next - 1
      pieceStart = position + 1
      memberStart = pieceStart
    } else if (at === comma) {
      memberStart = position + 1
      if (brackets.length === outermost && position - pieceStart >= pieceLength) {
        addMembers(inner, text.slice(pieceStart, position), true)
        pieceStart = memberStart
      }
    }
    const large = brackets[outermost]
    if (large && position - large.position >= pieceLength) {
      // Too large for one piece: the members before it are parsed, and it is entered.
      if (large.memberStart > pieceStart) addMembers(inner, text.slice(pieceStart, large.memberStart - 1), true)
      outside.push(inner)
      inner = opened(large.isList, text.slice(large.memberStart, large.position))
      outermost++
      pieceStart = large.position + 1
    }
    if (position - yieldedAt >= pieceLength) {
      yieldedAt = position
      yield
    }
  }
  throw broken()
}

const opened = (isList: boolean, label: string): Open => ({
  list: isList ? [] : undefined,
  object: {},
  label,
  expectsMember: false,
  hasMembers: false,
})

/** Adds a run of members. A comma stands behind it, or the end of the list or object. */
function addMembers(to: Open, run: string, hasComma: boolean): void {
  const isEmpty = skipBlank(run, 0) === run.length
  if (isEmpty ? hasComma || to.expectsMember : to.hasMembers && !to.expectsMember) throw broken()
  to.expectsMember = hasComma
  if (isEmpty) return
  to.hasMembers = true
  if (to.list) {
    for (const item of JSON.parse(`[${run}]`)) to.list.push(item)
    return
  }
  const members: JsonObject = JSON.parse(`{${run}}`)
  for (const key of Object.keys(members)) setOwn(to.object, key, members[key])
}

/** Adds a large list or object to the one around it. */
function addValue(to: Open, { list, object, label }: Open): void {
  if (to.hasMembers && !to.expectsMember) throw broken()
  to.hasMembers = true
  if (to.list && skipBlank(label, 0) < label.length) throw broken()
  if (to.list) to.list.push(list ?? object)
  // With an empty list for the value, so that nothing but a key and a colon is accepted.
  else for (const key of Object.keys(JSON.parse(`{${label}[]}`))) setOwn(to.object, key, list ?? object)
}

const broken = () => new SyntaxError('the text is not JSON')
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openBracket, closeBracket, openBrace, closeBrace] = [0x5b, 0x5d, 0x7b, 0x7d]
const isClosing = (code: number) => code === closeBrace || code === closeBracket

function skipBlank(text: string, from: number): number {
  let position = from
  while (isBlank(text.charCodeAt(position))) position++
  return position
}
const isBlank = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** Where the string that begins here ends; behind the text if it does not end. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let first = end
    while (text.charCodeAt(first - 1) === backslash) first--
    if ((end - first) % 2 === 0) return end
  }
  return text.length
}
