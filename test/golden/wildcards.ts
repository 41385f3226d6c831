const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const microTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/
const webToken = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/
const age = /^(\d+(y|d|h|m|s))+$|^<unknown>$|^<invalid>$/
const generatedSuffix = /^[a-z0-9]{5}$/
const daySeconds = 86_400

const isText = (value: unknown): value is string => typeof value === 'string' && value.length > 0
const matches = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)

/** Wildcards that an expectation may have instead of a value: `<time>`, `<gen:prefix->`. */
const wildcards: Readonly<Record<string, (value: unknown, argument: string) => boolean>> = {
  any: () => true,
  text: isText,
  string: value => typeof value === 'string',
  uid: isText,
  rv: value => isText(value) && value !== '0',
  time: matches(time),
  microtime: matches(microTime),
  jwt: matches(webToken),
  pem: matches(/^-----BEGIN/),
  pem64: value => typeof value === 'string' && Buffer.from(value, 'base64').toString('latin1').startsWith('-----BEGIN'),
  continue: isText,
  age: matches(age),
  number: value => typeof value === 'number',
  unixtime: value => Math.abs(Number(value) - Date.now() / 1000) < daySeconds,
  managedFields: value => Array.isArray(value) && value.length > 0,
  gen: (value, prefix) =>
    typeof value === 'string' && value.startsWith(prefix) && generatedSuffix.test(value.slice(prefix.length)),
  contains: (value, part) => typeof value === 'string' && value.includes(part),
}
const form = new RegExp(`^<(${Object.keys(wildcards).join('|')})(?::([^>]*))?>$`)

export interface Wildcard {
  readonly argument: string | undefined
  /** Symbols represent one value throughout a scenario: `<uid:1>`, `<rv:2>`. The value is their namespace. */
  readonly symbolSpace: 'uid' | 'rv' | undefined
  accepts(value: unknown, argument: string): boolean
}

/** Reads a wildcard; undefined for ordinary text. */
export function readWildcard(text: string): Wildcard | undefined {
  const match = form.exec(text)
  if (!match) return undefined
  const [, type = '', argument] = match
  const isSymbol = (type === 'uid' || type === 'rv') && argument !== undefined && argument !== ''
  return { argument, symbolSpace: isSymbol ? type : undefined, accepts: wildcards[type] ?? (() => false) }
}
