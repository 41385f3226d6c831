import { traversal } from '../cost/call-costs.js'
import { ArrayList, type CelList } from '../run/values.js'
import { Failure, type Work } from '../run/work.js'
import { countCharacters } from './conversions.js'
import { formatText } from './format.js'
import { func, type Library, method } from './overload.js'
import { matchesPattern } from './patterns.js'

/** The work of reading a string, which may be a rope of many pieces. */
const read = (work: Work, ...texts: string[]) => {
  for (const text of texts) work.steps(1 + text.length / 8)
}
const surrogate = /[\ud800-\udfff]/

/** Unicode characters, where they differ from UTF-16 code units. */
function charactersOf(work: Work, text: string): readonly string[] | undefined {
  if (!surrogate.test(text)) return undefined
  work.steps(text.length * 2)
  return [...text]
}
function slice(work: Work, text: string, start: number, end: number): string {
  const characters = charactersOf(work, text)
  return characters ? characters.slice(start, end).join('') : text.slice(start, end)
}
const outOfRange = (index: bigint) => new Failure(`index out of range: ${index}`)
function indexIn(index: bigint, size: number): number {
  if (index < 0n || index > BigInt(size)) throw outOfRange(index)
  return Number(index)
}

/** The worst case is a comparison at every position; JavaScript's search is usually faster, but guarantees nothing. */
const search = (work: Work, text: string, part: string) =>
  work.steps(1 + text.length / 8 + (text.length * Math.min(part.length, 64)) / 256)

/** Converts a position in UTF-16 code units to one in characters. */
const characterPosition = (text: string, at: number): bigint =>
  BigInt(at <= 0 || !surrogate.test(text) ? at : [...text.slice(0, at)].length)
/** Converts a position in characters to one in UTF-16 code units. */
const unitPosition = (text: string, at: number): number =>
  surrogate.test(text) ? [...text].slice(0, at).join('').length : at

function indexOf(work: Work, text: string, part: string, offset = 0n): bigint {
  search(work, text, part)
  if (part === '') return offset
  if (offset < 0n) throw outOfRange(offset)
  if (offset >= BigInt(text.length)) return -1n
  return characterPosition(text, text.indexOf(part, unitPosition(text, Number(offset))))
}
function lastIndexOf(work: Work, text: string, part: string, offset?: bigint): bigint {
  search(work, text, part)
  if (part === '') return offset ?? BigInt(countCharacters(work, text))
  if (offset === undefined) return characterPosition(text, text.lastIndexOf(part))
  if (offset < 0n) throw outOfRange(offset)
  if (offset >= BigInt(countCharacters(work, text))) return -1n
  return characterPosition(text, text.lastIndexOf(part, unitPosition(text, Number(offset))))
}

/** The maximum length of a string. */
const maxResult = 32 * 1024 * 1024

/** Splits into at most `limit` parts; the last one contains the remainder. */
function split(work: Work, text: string, by: string, limit = -1n): CelList {
  if (limit === 0n) return new ArrayList([])
  search(work, text, by)
  const pieces: string[] = []
  const most = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit)
  let start = 0
  for (;;) {
    const at = by === '' ? nextCharacter(text, start) : text.indexOf(by, start)
    if (at < 0 || at >= text.length + (by === '' ? 0 : 1) || pieces.length + 1 >= most) break
    work.steps(4)
    pieces.push(text.slice(start, at))
    start = at + by.length
  }
  if (by !== '' || start < text.length) pieces.push(text.slice(start))
  return new ArrayList(pieces)
}
const nextCharacter = (text: string, at: number): number => at + ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)

/** Replaces up to `limit` occurrences; all if it is negative. The empty string occurs before every character and at the end. */
function replace(work: Work, text: string, old: string, by: string, limit = -1n): string {
  search(work, text, old)
  const most = limit < 0n ? Number.POSITIVE_INFINITY : Number(limit)
  const pieces: string[] = []
  let start = 0
  let length = 0
  for (let count = 0; count < most; count++) {
    const at =
      old === '' ? (count === 0 ? 0 : start < text.length ? nextCharacter(text, start) : -1) : text.indexOf(old, start)
    if (at < 0) break
    work.steps(4 + by.length / 8)
    length += at - start + by.length
    if (length > maxResult) throw new Failure('the result is too long')
    pieces.push(text.slice(start, at), by)
    start = at + old.length
  }
  return pieces.join('') + text.slice(start)
}

function join(work: Work, list: CelList, separator = ''): string {
  const texts: string[] = []
  let length = 0
  for (const item of list) {
    if (typeof item !== 'string') throw new Failure('join: invalid input')
    work.steps(2 + (item.length + separator.length) / 8)
    length += item.length + separator.length
    if (length > maxResult) throw new Failure('the result is too long')
    texts.push(item)
  }
  return texts.join(separator)
}

/** Other characters are unchanged. */
function changeAscii(work: Work, text: string, change: (part: string) => string): string {
  read(work, text)
  if (!/[^\x00-\x7f]/.test(text)) return change(text)
  work.steps(text.length * 8)
  return text.replace(/[\x00-\x7f]+/g, change)
}

const quotes: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
}
export function quote(work: Work, text: string): string {
  work.steps(1 + text.length)
  if (!/[\x07\b\f\n\r\t\v\\"]/.test(text)) return `"${text}"`
  work.steps(text.length * 6)
  return `"${text.replace(/[\x07\b\f\n\r\t\v\\"]/g, found => quotes[found]!)}"`
}

const costOfJoin = (result: unknown) => traversal(2 * (result as string).length)

/** Strings of the core language. */
export const coreStrings: Library = {
  name: 'core strings',
  since: 0,
  functions: {
    contains: {
      contains_string: method('string,string:bool', (work, text: string, part: string) => {
        search(work, text, part)
        return text.includes(part)
      }),
    },
    startsWith: {
      starts_with_string: method('string,string:bool', (work, text: string, start: string) => {
        read(work, text, start)
        return text.startsWith(start)
      }),
    },
    endsWith: {
      ends_with_string: method('string,string:bool', (work, text: string, end: string) => {
        read(work, text, end)
        return text.endsWith(end)
      }),
    },
    matches: {
      matches: func('string,string:bool', matchesPattern),
      matches_string: method('string,string:bool', matchesPattern),
    },
  },
}

/** The first version of the string library. */
export const strings: Library = {
  name: 'strings',
  since: 0,
  functions: {
    charAt: {
      string_char_at_int: method('string,int:string', (work, text: string, index: bigint) => {
        const at = indexIn(index, countCharacters(work, text))
        return slice(work, text, at, at + 1)
      }),
    },
    indexOf: {
      string_index_of_string: method('string,string:int', (work, text: string, part: string) =>
        indexOf(work, text, part),
      ),
      string_index_of_string_int: method('string,string,int:int', indexOf),
    },
    lastIndexOf: {
      string_last_index_of_string: method('string,string:int', (work, text: string, part: string) =>
        lastIndexOf(work, text, part),
      ),
      string_last_index_of_string_int: method('string,string,int:int', lastIndexOf),
    },
    lowerAscii: {
      string_lower_ascii: method('string:string', (work, text: string) =>
        changeAscii(work, text, part => part.toLowerCase()),
      ),
    },
    upperAscii: {
      string_upper_ascii: method('string:string', (work, text: string) =>
        changeAscii(work, text, part => part.toUpperCase()),
      ),
    },
    replace: {
      string_replace_string_string: method('string,string,string:string', (work, text, old, by) =>
        replace(work, text, old, by),
      ),
      string_replace_string_string_int: method('string,string,string,int:string', replace),
    },
    split: {
      string_split_string: method('string,string:list(string)', (work, text, by) => split(work, text, by)),
      string_split_string_int: method('string,string,int:list(string)', split),
    },
    substring: {
      string_substring_int: method('string,int:string', (work, text: string, start: bigint) => {
        const size = countCharacters(work, text)
        return slice(work, text, indexIn(start, size), size)
      }),
      string_substring_int_int: method('string,int,int:string', (work, text: string, start: bigint, end: bigint) => {
        if (start > end) throw new Failure(`invalid substring range. start: ${start}, end: ${end}`)
        const size = countCharacters(work, text)
        return slice(work, text, indexIn(start, size), indexIn(end, size))
      }),
    },
    trim: {
      string_trim: method('string:string', (work, text: string) => {
        read(work, text)
        return text.trim()
      }),
    },
    join: {
      list_join: method('list(string):string', (work, list) => join(work, list), {
        cost: () => 0,
        costOfResult: costOfJoin,
      }),
      list_join_string: method('list(string),string:string', join, { cost: () => 0, costOfResult: costOfJoin }),
    },
  },
}

/** Added in the second version of the library. */
export const stringFormats: Library = {
  name: 'string formats',
  since: 29,
  functions: {
    format: { string_format: method('string,list(dyn):string', formatText) },
    'strings.quote': { strings_quote: func('string:string', quote) },
  },
}
