import { CelList, CelMap, Duration, Timestamp, Uint } from '../run/values.js'
import { Failure, type Work } from '../run/work.js'
import { textOf } from './conversions.js'
import { durationText, timestampText } from './time.js'

const defaultPrecision = 6
const maxPrecision = 100
/** The maximum length of the result. */
const maxLength = 32 * 1024 * 1024

/** `'%s has %d'.format([name, count])`. Lists and maps are written with everything in them. */
export function formatText(work: Work, pattern: string, args: CelList): string {
  work.steps(pattern.length / 4)
  const out = new Output(work)
  let used = 0
  let last = 0
  for (const { start, end, precision, clause } of formatClauses(pattern)) {
    out.write(pattern.slice(last, start))
    last = end
    if (clause === undefined) {
      out.write('%')
      continue
    }
    if (used >= args.size)
      throw new Failure(`could not evaluate argument: index ${used} out of range: too few arguments`)
    formatClause(work, out, clause, precisionOf(precision), args.get(used++))
  }
  out.write(pattern.slice(last))
  return out.text
}

/** The clauses of a format such as `%.2f`. The clause of `%%` is undefined, and that of a trailing `%` is empty. */
export function* formatClauses(pattern: string): Generator<{
  readonly start: number
  readonly end: number
  readonly precision: string | undefined
  readonly clause: string | undefined
}> {
  for (const { index: start, 0: whole, 1: percent, 2: precision, 3: clause = '' } of pattern.matchAll(
    /%(?:(%)|(\.\d*)?([\s\S])?)/g,
  ))
    yield { start, end: start + whole.length, precision, clause: percent ? undefined : clause }
}

function precisionOf(written: string | undefined): number | undefined {
  if (written === undefined) return undefined
  const precision = written === '.' ? 0 : Number(written.slice(1))
  if (precision > maxPrecision) throw new Failure(`precision must be at most ${maxPrecision}`)
  return precision
}

/** Collects text and charges for it. */
class Output {
  readonly #work: Work
  readonly #pieces: string[] = []
  #length = 0
  constructor(work: Work) {
    this.#work = work
  }
  write(text: string): void {
    this.#work.steps(1 + text.length / 8)
    this.#length += text.length
    if (this.#length > maxLength) throw new Failure('the result is too long')
    this.#pieces.push(text)
  }
  get text(): string {
    return this.#pieces.join('')
  }
}

function formatClause(work: Work, out: Output, clause: string, precision: number | undefined, value: unknown): void {
  switch (clause) {
    case 's':
      return writeValue(work, out, value, false)
    case 'd':
      return out.write(integer(value, 'decimal clause').toString())
    case 'f':
      return out.write(fixed(double(value, 'fixed-point clause'), precision ?? defaultPrecision))
    case 'e':
      return out.write(scientific(double(value, 'scientific clause')))
    case 'b':
      return out.write(typeof value === 'boolean' ? String(Number(value)) : integer(value, 'binary clause').toString(2))
    case 'o':
      return out.write(integer(value, 'octal clause').toString(8))
    case 'x':
    case 'X': {
      const text = hexadecimal(work, value)
      return out.write(clause === 'X' ? text.toUpperCase() : text)
    }
    default:
      throw new Failure(`could not parse formatting clause: unrecognized formatting clause ${JSON.stringify(clause)}`)
  }
}

function integer(value: unknown, clause: string): bigint {
  if (typeof value === 'bigint') return value
  if (value instanceof Uint) return value.value
  throw new Failure(`error during formatting: ${clause} can only be used on integers: invalid integer value`)
}
function double(value: unknown, clause: string): number {
  if (typeof value === 'number') return value
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return Number(value)
  throw new Failure(`error during formatting: ${clause} can only be used on doubles`)
}
function hexadecimal(work: Work, value: unknown): string {
  if (typeof value === 'string' || value instanceof Uint8Array) {
    work.steps(value.length)
    return Buffer.from(value as string).toString('hex')
  }
  return integer(value, 'hex clause').toString(16)
}

/** With thousands separators, as in English. */
function fixed(value: number, precision: number): string {
  if (!Number.isFinite(value)) return unlimited(value)
  const plain =
    Math.abs(value) < 1e21
      ? value.toFixed(precision)
      : `${BigInt(value)}${precision > 0 ? `.${'0'.repeat(precision)}` : ''}`
  return plain.replace(/^(-?)(\d+)/, (_, sign: string, digits: string) => sign + grouped(digits))
}
/** Digits in groups of three. */
function grouped(digits: string): string {
  const groups: string[] = []
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end))
  return groups.join(',')
}
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹'
/**
 * A power of ten with superscript digits, as in English. The reference treats the precision as a width, so it has no
 * effect.
 */
function scientific(value: number): string {
  if (!Number.isFinite(value)) return unlimited(value)
  const [digits, exponent = '0'] = value.toExponential(defaultPrecision).split('e')
  const power = Math.abs(Number(exponent)).toString().padStart(2, '0')
  const raised = [...power].map(digit => superscripts[Number(digit)]).join('')
  return `${digits}\u202f×\u202f10${exponent.startsWith('-') ? '⁻' : ''}${raised}`
}
const unlimited = (value: number): string => (Number.isNaN(value) ? 'NaN' : value > 0 ? '∞' : '-∞')

/** Parts of lists and maps are written as in an expression. */
function writeValue(work: Work, out: Output, value: unknown, isPart: boolean): void {
  work.steps(4)
  if (value instanceof CelList) {
    out.write('[')
    let isFirst = true
    for (const item of value) {
      if (!isFirst) out.write(', ')
      isFirst = false
      writeValue(work, out, item, true)
    }
    return out.write(']')
  }
  if (value instanceof CelMap) return writeMap(work, out, value)
  if (value === null) return out.write('null')
  if (!isPart) return out.write(textOf(work, value))
  if (typeof value === 'string') return out.write(quoted(work, value))
  if (typeof value === 'number') {
    const text = Number.isFinite(value) ? value.toFixed(defaultPrecision) : textOf(work, value)
    return out.write(Number.isFinite(value) ? text : quoted(work, text))
  }
  if (value instanceof Uint8Array) return out.write(`b${quoted(work, textOf(work, value))}`)
  if (value instanceof Timestamp) return out.write(`timestamp("${timestampText(value)}")`)
  if (value instanceof Duration) return out.write(`duration("${durationText(value)}")`)
  out.write(textOf(work, value))
}

function writeMap(work: Work, out: Output, map: CelMap): void {
  const entries: { name: string; key: unknown }[] = []
  for (const key of map.keys()) {
    work.steps(8)
    entries.push({ key, name: typeof key === 'string' ? quoted(work, key) : textOf(work, key) })
  }
  work.steps(entries.length * Math.ceil(Math.log2(entries.length + 2)) * 4)
  entries.sort((one, other) => (one.name < other.name ? -1 : 1))
  out.write('{')
  for (const [i, { key, name }] of entries.entries()) {
    if (i > 0) out.write(', ')
    out.write(`${name}:`)
    writeValue(work, out, map.get(key), true)
  }
  out.write('}')
}

function quoted(work: Work, text: string): string {
  work.steps(text.length / 4)
  return JSON.stringify(text)
}
