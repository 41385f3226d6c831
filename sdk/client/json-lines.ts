const newline = 0x0a

/** Cuts a stream of JSON documents, one per line, into documents. */
export class JsonLines {
  readonly #read: (line: string) => unknown
  // Pieces of a line that is not complete yet; joined once, so that a long line costs no more than its length.
  #pieces: Buffer[] = []

  /** `withoutManagedFields` leaves out what is often most of an object, before it is parsed. */
  constructor({ withoutManagedFields = false }: { readonly withoutManagedFields?: boolean | undefined } = {}) {
    this.#read = withoutManagedFields ? line => JSON.parse(cutManagedFields(line)) : JSON.parse
  }

  /** The documents that this chunk completes. */
  *push(chunk: Buffer): Iterable<unknown> {
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const line =
        this.#pieces.length === 0 ? chunk.toString('utf8', start, end) : this.#join(chunk.subarray(start, end))
      start = end + 1
      if (!isBlank(line)) yield this.#read(line)
    }
    if (start < chunk.length) this.#pieces.push(start === 0 ? chunk : chunk.subarray(start))
  }

  /** The document after the last line end, if any. */
  *end(): Iterable<unknown> {
    const line = this.#join()
    if (!isBlank(line)) yield this.#read(line)
  }

  #join(...last: Buffer[]): string {
    const line = Buffer.concat([...this.#pieces, ...last]).toString('utf8')
    this.#pieces = []
    return line
  }
}

const isBlank = (line: string) => line.length < 2 && line.trim() === ''

/** No string can contain this: quotes in it are escaped. */
const managedFields = '"managedFields":['
const [quote, backslash, openList, closeList, comma] = [0x22, 0x5c, 0x5b, 0x5d, 0x2c]

/**
 * The first list of this name in compact JSON, cut out. Parsing it takes several times as long: the garbage collector reads every
 * change, so `npm run bench:compare -- --only update-c16` shows the difference.
 */
export function cutManagedFields(line: string): string {
  const start = line.indexOf(managedFields)
  if (start < 0) return line
  let at = start + managedFields.length
  for (let depth = 1; depth > 0 && at < line.length; at++) {
    const char = line.charCodeAt(at)
    if (char === quote) at = stringEnd(line, at)
    else if (char === openList) depth++
    else if (char === closeList) depth--
  }
  // With one of the commas around it.
  const isFirst = line.charCodeAt(start - 1) !== comma
  const end = isFirst && line.charCodeAt(at) === comma ? at + 1 : at
  return line.slice(0, isFirst ? start : start - 1) + line.slice(end)
}

/** Where the string ends that begins here. */
function stringEnd(line: string, start: number): number {
  let at = line.indexOf('"', start + 1)
  // A quote after an odd number of backslashes is part of the string.
  while (at > 0 && line.charCodeAt(at - 1) === backslash && countBackslashes(line, at) % 2 === 1)
    at = line.indexOf('"', at + 1)
  return at < 0 ? line.length : at
}
function countBackslashes(line: string, before: number): number {
  let count = 0
  while (line.charCodeAt(before - 1 - count) === backslash) count++
  return count
}
