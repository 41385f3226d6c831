import type { parse } from '@bufbuild/cel'

/** A parsed expression. */
export type Expr = NonNullable<ReturnType<typeof parse>['expr']>

/** The type of a value in an expression. Sizes bound what an expression can cost; without one it is as large as a request. */
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
  // Who may do what, asked step by step.
  | 'authorizer'
  | 'pathCheck'
  | 'groupCheck'
  | 'resourceCheck'
  | 'decision'
  // What a change of an object consists of.
  | 'Object'
  | 'JSONPatch'

/** A request has at most so many bytes, and so has everything in it. */
export const maxRequestBytes = 3 * 1024 * 1024

export const scalar = (kind: ScalarKind, maxSize?: number): ExpressionType =>
  maxSize === undefined ? { kind } : { kind, maxSize }
export const dyn = scalar('dyn')
export const list = (item: ExpressionType, maxSize?: number): ExpressionType => ({
  kind: 'list',
  item,
  ...(maxSize === undefined ? {} : { maxSize }),
})

/** The most that a value of the type can be: characters, bytes or items. */
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

/** What the parameters of a signature stand for in one call. */
export type Bindings = Map<string, ExpressionType>

/** Can a value of one type be used where another is wanted? Parameters are bound on the way. */
export function matches(wanted: ExpressionType, given: ExpressionType, bindings: Bindings): boolean {
  if (wanted.kind === 'parameter') {
    const bound = bindings.get(wanted.name)
    if (bound && bound.kind !== 'dyn') return matches(bound, given, bindings)
    // The more precise one counts: an empty list takes the type of what is added to it.
    if (!bound || given.kind !== 'dyn') bindings.set(wanted.name, given)
    return true
  }
  if (wanted.kind === 'dyn' || given.kind === 'dyn') return true
  if (wanted.kind !== given.kind) return false
  if ((wanted.kind === 'list' || wanted.kind === 'optional') && given.kind === wanted.kind)
    return matches(wanted.item, given.item, bindings)
  if (wanted.kind === 'map' && given.kind === 'map')
    return matches(wanted.key, given.key, bindings) && matches(wanted.value, given.value, bindings)
  if (wanted.kind === 'object' && given.kind === 'object') return wanted.fields === given.fields
  return true
}

/** The type with its parameters replaced. */
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
