import type { FieldNode, ScalarKind, TypeNode } from './type-model.js'

/** What "not set" means for a decoded value. One place, because decoding, defaulting and generators must agree. */

export const isNull = (value: unknown): boolean => value === null
const isNullOrEmptyList = (value: unknown): boolean => value === null || (Array.isArray(value) && value.length === 0)
const emptiness = {
  scalar: (value: unknown) => value === '' || value === 0 || value === false || value === null,
  list: (value: unknown) => value === null || (value as unknown[]).length === 0,
  map: (value: unknown) => {
    for (const _ in value as object | null) return false
    return true
  },
  /** Structs, quantities and the like have no empty value: they are written whenever they were set. */
  never: isNull,
} as const

/**
 * Whether a value in a request counts as unset. A list or map that is always written is set by an empty one, too: a client that
 * sends `rules: []` owns the field, although it is stored like no rules.
 */
export function unsetWhenSent(field: FieldNode): (value: unknown) => boolean {
  const isCollection = field.node.is === 'list' || field.node.is === 'map'
  return field.presence === 'always' && isCollection ? isNull : unsetTest(field)
}

/** Whether a defaulted or stored value of the field counts as unset. */
export function unsetTest({ node, presence, nullable }: FieldNode): (value: unknown) => boolean {
  // A value of several forms, one of which is a list, has no empty list.
  if (node.is === 'scalar' && node.forms?.list) return isNullOrEmptyList
  // Nullable fields, and bytes that are always written, distinguish null from empty.
  if (presence === 'keep' || nullable || (presence === 'always' && isBytes(node))) return isNull
  if (node.is === 'list' || node.is === 'map') return emptiness[node.is]
  if (node.is !== 'scalar' || hasNoEmptyValue.has(node.scalar)) return emptiness.never
  return emptiness.scalar
}

const hasNoEmptyValue: ReadonlySet<ScalarKind> = new Set(['quantity', 'intOrString', 'raw'])

/** The value of an unset non-struct that must be written; `isItem` for values inside lists and maps. */
export function zeroValue(node: Exclude<TypeNode, { is: 'struct' }>, isItem: boolean): unknown {
  if (node.is !== 'scalar') return null
  return isBytes(node) && !isItem ? null : zeroScalars[node.scalar]
}

const isBytes = (node: TypeNode): boolean => node.is === 'scalar' && node.scalar === 'bytes'

const zeroScalars: Readonly<Record<ScalarKind, unknown>> = {
  string: '',
  boolean: false,
  int32: 0,
  int64: 0,
  double: 0,
  bytes: '',
  time: null,
  microTime: null,
  quantity: '0',
  intOrString: 0,
  raw: null,
}
