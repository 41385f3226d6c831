import type { parse } from '@bufbuild/cel'

/** A parsed expression. */
export type Expr = NonNullable<ReturnType<typeof parse>['expr']>

/** The type of a value in an expression. `maxSize` bounds the cost; without it a value may be as large as a request. */
export type ExpressionType =
  | { readonly kind: ScalarKind; readonly maxSize?: number }
  | { readonly kind: 'list'; readonly item: ExpressionType; readonly maxSize?: number }
  | { readonly kind: 'map'; readonly key: ExpressionType; readonly value: ExpressionType; readonly maxSize?: number }
  | { readonly kind: 'optional'; readonly item: ExpressionType; readonly maxSize?: number }
  | { readonly kind: 'object'; readonly fields: ReadonlyMap<string, ExpressionType>; readonly maxSize?: number }
  /** Stands for any type within a signature. */
  | { readonly kind: 'parameter'; readonly name: string; readonly maxSize?: number }

export type ScalarKind =
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'bool'
  | 'null'
  | 'timestamp'
  | 'duration'
  | 'dyn'
  | 'type'
  | 'url'
  | 'quantity'
  | 'ip'
  | 'cidr'
  | 'semver'
  | 'image'
  | 'namedFormat'
  // Authorization checks.
  | 'authorizer'
  | 'pathCheck'
  | 'groupCheck'
  | 'resourceCheck'
  | 'decision'
  // Changes of objects.
  | 'Object'
  | 'JSONPatch'

/** The maximum size of a request, and therefore of every value in it. */
export const maxRequestBytes = 3 * 1024 * 1024

export const scalar = (kind: ScalarKind, maxSize?: number): ExpressionType =>
  maxSize === undefined ? { kind } : { kind, maxSize }
export const dyn = scalar('dyn')
export const list = (item: ExpressionType, maxSize?: number): ExpressionType => ({
  kind: 'list',
  item,
  ...(maxSize === undefined ? {} : { maxSize }),
})

/** The maximum size of a value of the type: characters, bytes or items. */
export const maxSizeOf = (type: ExpressionType): number =>
  type.maxSize ?? (hasSize.has(type.kind) ? maxRequestBytes : 1)
const hasSize = new Set(['string', 'bytes', 'list', 'map', 'object', 'dyn', 'url'])

export function describeType(type: ExpressionType): string {
  switch (type.kind) {
    case 'list':
      return `list(${describeType(type.item)})`
    case 'optional':
      return `optional_type(${describeType(type.item)})`
    case 'null':
      return 'null_type'
    case 'map':
      return `map(${describeType(type.key)}, ${describeType(type.value)})`
    case 'parameter':
      return type.name
    default:
      return type.kind
  }
}

/** The types that are bound to the type parameters of a signature in one call. */
export type Bindings = Map<string, ExpressionType>

/** Whether a value of type `actual` can be used where `expected` is required. Binds type parameters. */
export function matches(expected: ExpressionType, actual: ExpressionType, bindings: Bindings): boolean {
  if (expected.kind === 'parameter') {
    const bound = bindings.get(expected.name)
    if (bound && bound.kind !== 'dyn' && bound.kind !== 'null') return matches(bound, actual, bindings)
    if (bound?.kind === 'null' && !matches(bound, actual, bindings)) return false
    // The more specific type wins: an empty list takes the type of the items added to it.
    if (!bound || actual.kind !== 'dyn') bindings.set(expected.name, actual)
    return true
  }
  if (expected.kind === 'dyn' || actual.kind === 'dyn') return true
  if (expected.kind === 'null' || actual.kind === 'null') return isNullable(expected) && isNullable(actual)
  if (expected.kind !== actual.kind) return false
  if ((expected.kind === 'list' || expected.kind === 'optional') && actual.kind === expected.kind)
    return matches(expected.item, actual.item, bindings)
  if (expected.kind === 'map' && actual.kind === 'map')
    return matches(expected.key, actual.key, bindings) && matches(expected.value, actual.value, bindings)
  if (expected.kind === 'object' && actual.kind === 'object') return expected.fields === actual.fields
  return true
}

/** Values of these types are never null. A `namespaceObject` or `oldObject` may be, so expressions can compare them with it. */
const neverNull = new Set(['bool', 'int', 'uint', 'double', 'string', 'bytes', 'list', 'map', 'optional', 'type'])
const isNullable = ({ kind }: ExpressionType) => !neverNull.has(kind)

/** The type with its parameters replaced by the bound types. */
export function bound(type: ExpressionType, bindings: Bindings): ExpressionType {
  if (type.kind === 'parameter') return bindings.get(type.name) ?? dyn
  if (type.kind === 'list' || type.kind === 'optional') return { ...type, item: bound(type.item, bindings) }
  if (type.kind === 'map') return { ...type, key: bound(type.key, bindings), value: bound(type.value, bindings) }
  return type
}

export const optional = (item: ExpressionType): ExpressionType => ({ kind: 'optional', item })

/** Reads a type such as `list(string)` or `map(string,A)`. */
export function readType(text: string): ExpressionType {
  const inner = /^(list|map|optional)\((.*)\)$/.exec(text)
  if (inner?.[1] === 'list' || inner?.[1] === 'optional') return { kind: inner[1], item: readType(inner[2]!) }
  if (inner?.[1] === 'map') {
    const [key = '', ...value] = inner[2]!.split(',')
    return { kind: 'map', key: readType(key), value: readType(value.join(',')) }
  }
  return /^[A-Z]$/.test(text) ? { kind: 'parameter', name: text } : { kind: text as ScalarKind }
}
