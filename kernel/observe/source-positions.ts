/**
 * Positions of stack frames in the sources when the program runs from bundles. Node could map them, but only with source maps
 * that it reads at every start. These are read when the first error is shown.
 */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Names under which tools/bundled/load-cached.cjs runs the files. */
const bundledFrame = /orch\/((?:program|undici|sdk\/instance)\.cjs):(\d+):(\d+)/g

/** The folder of the bundles, if this file is in one of them. */
const bundleFolder = dirname(fileURLToPath(import.meta.url))
const maps = new Map<string, SourcePositions | undefined>()

/**
 * A stack with positions in the sources, as far as they are known. If the stack contains files of a plugin, consecutive frames of
 * orch and Node are folded into the first one and a count, so that the author finds the frames of the plugin.
 */
export function withSourcePositions(stack: string): string {
  return withFrames(foldOwnFrames(stack.split('\n')).join('\n'))
}

/** More causes than this are a cycle. */
const maxCauses = 10

/** Changes the stacks of an error and of its causes in place, for errors that are shown elsewhere than in the log. */
export function withReadableStacks(failure: unknown): unknown {
  let one = failure
  for (let depth = 0; one instanceof Error && depth < maxCauses; depth++, one = one.cause)
    if (one.stack !== undefined) one.stack = withSourcePositions(one.stack)
  return failure
}

const isFrame = (line: string) => /^\s+at /.test(line)
const isOwnFrame = (line: string) =>
  isFrame(line) && (/orch\/(?:program|undici|sdk\/instance)\.cjs:\d/.test(line) || /[ (]node:/.test(line))
/** Two lines are as short as one and a count. */
const minFolded = 2

function foldOwnFrames(lines: readonly string[]): string[] {
  if (!lines.some(line => isFrame(line) && !isOwnFrame(line))) return [...lines]
  const shown: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    shown.push(line)
    if (!isOwnFrame(line)) continue
    const end = lines.findIndex((other, index) => index > at && !isOwnFrame(other))
    const hidden = (end < 0 ? lines.length : end) - at - 1
    if (hidden < minFolded) continue
    shown.push(`    … ${hidden} more frames of orch and Node`)
    at += hidden
  }
  return shown
}

function withFrames(stack: string): string {
  return stack.replace(bundledFrame, (frame, file: string, line: string, column: string) => {
    if (!maps.has(file)) maps.set(file, readPositions(file))
    return maps.get(file)?.find(Number(line) - 1, Number(column) - 1) ?? frame
  })
}

function readPositions(file: string): SourcePositions | undefined {
  try {
    return new SourcePositions(JSON.parse(readFileSync(join(bundleFolder, `${file}.map`), 'utf8')))
  } catch {
    // Without source maps the frames are left unchanged.
    return undefined
  }
}

interface SourceMap {
  readonly sources: readonly string[]
  readonly mappings: string
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** The value of each character; -1 for those that are not digits. */
const digits = Int8Array.from({ length: 128 }, (_, code) => alphabet.indexOf(String.fromCharCode(code)))
const comma = 0x2c
/** The numbers that are stored for each line: the start of its text, and source, line and column before it. */
const perLine = 4

/**
 * A source map, version 3: `;` ends a line, `,` a segment, and a segment is up to five differences to the one before, as base64
 * digits with the sign in the lowest bit. The constructor parses all of it once and stores only the starts of lines.
 */
export class SourcePositions {
  readonly #sources: readonly string[]
  readonly #mappings: string
  readonly #lines: number[] = []

  constructor({ sources, mappings }: SourceMap) {
    this.#sources = sources.map(source => source.replace(/^(\.\.\/)+/, ''))
    this.#mappings = mappings
    const state = [0, 0, 0, 0]
    for (let at = 0; at <= mappings.length; ) {
      this.#lines.push(at, state[1]!, state[2]!, state[3]!)
      at = readLine(mappings, at, state, () => true) + 1
    }
  }

  /** `orch/kernel/main.ts:3:1`, for a line and column that are counted from 0. */
  find(line: number, column: number): string | undefined {
    const [at, ...before] = this.#lines.slice(line * perLine, (line + 1) * perLine)
    if (at === undefined) return undefined
    const state = [0, ...before]
    let found: number[] | undefined
    readLine(this.#mappings, at, state, (atColumn, fields) => {
      if (atColumn > column) return false
      found = fields >= perLine ? [...state] : undefined
      return true
    })
    const source = found && this.#sources[found[1]!]
    return source === undefined ? undefined : `orch/${source}:${found![2]! + 1}:${found![3]! + 1}`
  }
}

/** Adds the segments of a line to `state` (column, source, line, column there) until `see` returns false. Returns the end. */
function readLine(
  mappings: string,
  start: number,
  state: number[],
  see: (column: number, fields: number) => boolean,
): number {
  let [at, field, value, shift] = [start, 0, 0, 0]
  state[0] = 0
  for (; ; at++) {
    const code = at < mappings.length ? mappings.charCodeAt(at) : 0
    const digit = digits[code] ?? -1
    if (digit >= 0) {
      value += (digit & 31) << shift
      shift += 5
      if (digit & 32) continue
      // The fifth field is a name, which frames already have.
      if (field < perLine) state[field]! += value & 1 ? -(value >> 1) : value >> 1
      field++
      value = 0
      shift = 0
      continue
    }
    if (field > 0 && !see(state[0], field)) return at
    field = 0
    if (code !== comma) return at
  }
}
