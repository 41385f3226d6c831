import {
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  mapTag,
  mergeTag,
  NOT_RESOLVED,
  Schema,
  seqTag,
  strTag,
} from 'js-yaml'

/** Text that is not YAML, or that exceeds a limit. The message never quotes the text, which may hold secrets. */
export class YamlError extends Error {
  /** The line of the error, counted from 1; undefined when it is about the whole text. */
  readonly line: number | undefined
  /** Whether it exceeds the nesting limit. */
  readonly isTooDeep: boolean
  constructor(reason: string, place?: { readonly line: number; readonly column: number }, isTooDeep = false) {
    super(place ? `${reason} at line ${place.line}, column ${place.column}` : reason)
    this.name = 'YamlError'
    this.line = place?.line
    this.isTooDeep = isTooDeep
  }
}

/**
 * The YAML of manifests, as the YAML 1.1 reader of Go interprets it: 0644 is octal, `yes` is true, 12:30 and 2020-01-01 are text,
 * mappings merge, and other tags are ignored: `!!binary` remains text.
 */
export function yamlDialect(): Schema {
  dialect ??= new Schema([
    strTag,
    seqTag,
    mapTag,
    mergeTag,
    scalar('null', name => (nulls.has(name) ? null : NOT_RESOLVED), ['', '~', 'n', 'N']),
    scalar('bool', name => booleans.get(name) ?? NOT_RESOLVED, [...'yYtToOnNfF']),
    scalar('int', numberOf, [...'+-.0123456789']),
    scalar('float', numberOf),
    anyScalar,
    anySequence,
    anyMapping,
  ])
  return dialect
}
let dialect: Schema | undefined

const scalar = (name: string, resolve: (text: string) => unknown, implicitFirstChars?: readonly string[]) =>
  defineScalarTag(`tag:yaml.org,2002:${name}`, {
    implicit: implicitFirstChars !== undefined,
    implicitFirstChars: implicitFirstChars ?? null,
    resolve,
    identify: () => false,
  })

const nulls = new Set(['', '~', 'null', 'Null', 'NULL'])
const booleans = new Map([
  ...'y Y yes Yes YES true True TRUE on On ON'.split(' ').map(name => [name, true] as const),
  ...'n N no No NO false False FALSE off Off OFF'.split(' ').map(name => [name, false] as const),
])

/** Whether reading the number overflowed to infinity, or underflowed to 0. */
export const isOutOfRange = (literal: string, value: number): boolean =>
  !Number.isFinite(value) || (value === 0 && /^[^eE]*[1-9]/.test(literal))

function numberOf(text: string): unknown {
  const plain = text.includes('_') && text[0] !== '.' ? text.replaceAll('_', '') : text
  const whole = /^([-+]?)0(?:[xX]([0-9a-fA-F]+)|[oO]?([0-7]+)|[bB]([01]+))$/.exec(plain)
  if (whole) {
    const [, sign, hex, octal, binary] = whole
    const value = hex ? Number.parseInt(hex, 16) : octal ? Number.parseInt(octal, 8) : Number.parseInt(binary ?? '', 2)
    return sign === '-' ? -value : value
  }
  if (/^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$/.test(plain))
    throw new YamlError('it has a number that JSON cannot represent')
  if (!/^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/.test(plain)) return NOT_RESOLVED
  const value = Number(plain)
  if (isOutOfRange(plain, value)) throw new YamlError('it has a number that is out of range')
  return value
}

const any = { matchByTagPrefix: true, identify: () => false }
const anyScalar = defineScalarTag('', { ...any, resolve: text => text })
const anySequence = defineSequenceTag('', { ...any, create: seqTag.create, addItem: seqTag.addItem })
const { create, addPair, has, keys, get } = mapTag
const anyMapping = defineMappingTag('', { ...any, create, addPair, has, keys, get })
