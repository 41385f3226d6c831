import { isObject } from '../json/index.js'

/** A value of a template. A missing one is undefined and prints as `<no value>`. */
export type Value = unknown
export type TemplateFunction = (...values: readonly Value[]) => Value

export const isTrue = (value: Value): boolean =>
  Array.isArray(value) ? value.length > 0 : isObject(value) ? Object.keys(value).length > 0 : Boolean(value)

/** A value as Go prints it. */
export function shown(value: Value): string {
  if (value === undefined || value === null) return '<no value>'
  if (Array.isArray(value)) return `[${value.map(inner).join(' ')}]`
  if (!isObject(value)) return String(value)
  const entries = Object.keys(value).sort()
  return `map[${entries.map(key => `${key}:${inner(value[key])}`).join(' ')}]`
}
const inner = (value: Value) => (value === undefined || value === null ? '<nil>' : shown(value))

/** The type of a value, for messages: they must not quote values, which may be secret. */
export const typeName = (value: Value): string =>
  Array.isArray(value) ? 'list' : isObject(value) ? 'map' : typeof value

function lengthOf(value: Value): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (Array.isArray(value)) return value.length
  if (isObject(value)) return Object.keys(value).length
  throw new Error(`error calling len: a ${typeName(value)} has no length`)
}

function at(value: Value, key: Value): Value {
  if (Array.isArray(value)) {
    const place = Number(key)
    if (!Number.isInteger(place) || place < 0 || place >= value.length)
      throw new Error(`error calling index: index out of range: ${shown(key)}`)
    return value[place]
  }
  if (isObject(value)) return Object.hasOwn(value, String(key)) ? value[String(key)] : undefined
  throw new Error(`error calling index: can't index a ${typeName(value)}`)
}

function order(left: Value, right: Value): number {
  const isOrdered = (value: Value) => typeof value === 'number' || typeof value === 'string'
  if (!isOrdered(left) || typeof left !== typeof right) throw new Error('incompatible types for comparison')
  return left === right ? 0 : (left as number) < (right as number) ? -1 : 1
}

function slice(value: Value, from: Value = 0, to: Value = undefined): Value {
  if (typeof value !== 'string' && !Array.isArray(value))
    throw new Error(`error calling slice: can't slice a ${typeName(value)}`)
  const end = to === undefined ? value.length : Number(to)
  if (Number(from) < 0 || end > value.length || Number(from) > end) throw new Error('slice: index out of range')
  return value.slice(Number(from), end)
}

/** `printf` with the verbs that templates use. */
function formatted(format: Value, ...values: readonly Value[]): string {
  const rest = [...values]
  const text = String(format).replace(
    /%([-+ 0]{0,5})(\d{0,4})(?:\.(\d{1,4}))?([a-zA-Z%])/g,
    (whole, flags, width, digits, verb) => {
      if (verb === '%') return '%'
      if (rest.length === 0) return `%!${verb}(MISSING)`
      const body = formOf(verb, rest.shift(), digits)
      if (body === undefined)
        throw new Error(`printf: ${whole} is not supported; supported are %v %s %q %d %f %e %g %x %t`)
      if (flags.includes('-')) return body.padEnd(Number(width))
      return body.padStart(Number(width), flags.includes('0') ? '0' : ' ')
    },
  )
  return rest.length === 0 ? text : `${text}%!(EXTRA ${rest.map(shown).join(', ')})`
}
function formOf(verb: string, value: Value, digits: string | undefined): string | undefined {
  const places = digits === undefined ? 6 : Number(digits)
  if (verb === 'v' || verb === 's') return digits === undefined ? inner(value) : inner(value).slice(0, places)
  if (verb === 'q') return JSON.stringify(inner(value))
  if (verb === 'd') return String(Math.trunc(Number(value)))
  if (verb === 'f') return Number(value).toFixed(places)
  if (verb === 'e') return Number(value).toExponential(places)
  if (verb === 'g') return String(Number(value))
  if (verb === 't') return String(value === true)
  if (verb !== 'x') return undefined
  return typeof value === 'number' ? value.toString(16) : Buffer.from(String(value)).toString('hex')
}

/** As in Go, a space separates adjacent values that are not strings. */
const printed = (...values: readonly Value[]) =>
  values
    .map((value, index) => {
      const isApart = index > 0 && typeof value !== 'string' && typeof values[index - 1] !== 'string'
      return `${isApart ? ' ' : ''}${inner(value)}`
    })
    .join('')

/**
 * The functions of Go templates, and the two that kubectl adds: exists and base64decode. `and` and `or` are missing
 * because they short-circuit.
 */
export const templateFunctions: Readonly<Record<string, TemplateFunction>> = {
  not: value => !isTrue(value),
  len: lengthOf,
  index: (value, ...keys) => keys.reduce((found, key) => at(found, key), value),
  slice,
  print: printed,
  println: (...values) => `${values.map(inner).join(' ')}\n`,
  printf: formatted,
  urlquery: (...values) => encodeURIComponent(printed(...values)).replaceAll('%20', '+'),
  html: (...values) =>
    printed(...values).replace(
      /[&<>'"]/g,
      letter => `&${{ '&': 'amp', '<': 'lt', '>': 'gt', "'": '#39', '"': '#34' }[letter]};`,
    ),
  eq: (value, ...others) => others.some(other => (value ?? undefined) === (other ?? undefined)),
  ne: (left, right) => (left ?? undefined) !== (right ?? undefined),
  lt: (left, right) => order(left, right) < 0,
  le: (left, right) => order(left, right) <= 0,
  gt: (left, right) => order(left, right) > 0,
  ge: (left, right) => order(left, right) >= 0,
  exists: (value, ...keys) => {
    let found = value
    for (const key of keys) {
      const isThere = Array.isArray(found)
        ? Number(key) < found.length
        : isObject(found) && Object.hasOwn(found, String(key))
      if (!isThere) return false
      found = at(found, key)
    }
    return true
  },
  base64decode: value => Buffer.from(String(value), 'base64').toString('utf8'),
}
