/** The type of a value in an expression. */
export interface Type {
  readonly kind: TypeKind
  /** The name of an opaque type, a struct or a type parameter. */
  readonly name: string
  /** Types of items, keys and values, or of the content of an opaque type. */
  readonly params: readonly Type[]
  /** The fields of a struct. Undefined for a struct with arbitrary fields. */
  readonly fields?: ReadonlyMap<string, Type>
}
export type TypeKind =
  | 'null'
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'timestamp'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'list'
  | 'map'
  | 'type'
  | 'opaque'
  | 'struct'
  | 'param'

const simple = (kind: TypeKind, name: string): Type => ({ kind, name, params: [] })
export const nullType = simple('null', 'null_type')
export const boolType = simple('bool', 'bool')
export const intType = simple('int', 'int')
export const uintType = simple('uint', 'uint')
export const doubleType = simple('double', 'double')
export const stringType = simple('string', 'string')
export const bytesType = simple('bytes', 'bytes')
export const timestampType = simple('timestamp', 'timestamp')
export const durationType = simple('duration', 'duration')
export const dynType = simple('dyn', 'dyn')
/** Stands for the type of a part that has an error, so that checking can go on. */
export const errorType = simple('error', '!error!')

export const listType = (item: Type): Type => ({ kind: 'list', name: 'list', params: [item] })
export const mapType = (key: Type, value: Type): Type => ({ kind: 'map', name: 'map', params: [key, value] })
export const typeType = (of?: Type): Type => ({ kind: 'type', name: 'type', params: of ? [of] : [] })
export const opaqueType = (name: string, ...params: Type[]): Type => ({ kind: 'opaque', name, params })
export const optionalType = (item: Type): Type => opaqueType('optional_type', item)
export const typeParameter = (name: string): Type => simple('param', name)
/** An object with named fields; without `fields`, with arbitrary ones. */
export const structType = (name: string, fields?: ReadonlyMap<string, Type>): Type => ({
  kind: 'struct',
  name,
  params: [],
  ...(fields ? { fields } : {}),
})

export const isOptional = (type: Type): boolean => type.kind === 'opaque' && type.name === 'optional_type'
/** The content of an optional type; any other type is returned as it is. */
export const unwrapped = (type: Type): Type => (isOptional(type) ? type.params[0]! : type)
export const isDyn = ({ kind }: Type): boolean => kind === 'dyn'
export const isDynOrError = ({ kind }: Type): boolean => kind === 'dyn' || kind === 'error'

/** Whether two types are the same. */
export function isExactType(one: Type, other: Type): boolean {
  return (
    one === other ||
    (one.kind === other.kind &&
      one.name === other.name &&
      one.params.length === other.params.length &&
      one.params.every((param, i) => isExactType(param, other.params[i]!)))
  )
}

/** The name of a type as a value: `type(x) == string`. */
export const typeNameOf = (type: Type): string =>
  type.kind === 'timestamp'
    ? 'google.protobuf.Timestamp'
    : type.kind === 'duration'
      ? 'google.protobuf.Duration'
      : type.name

/** The type as shown in messages. */
export function describeType(type: Type): string {
  switch (type.kind) {
    case 'list':
    case 'map':
    case 'opaque':
    case 'type':
      return type.params.length === 0 ? type.name : `${type.name}(${type.params.map(describeType).join(', ')})`
    default:
      return typeNameOf(type)
  }
}

const named: Readonly<Record<string, Type>> = {
  null: nullType,
  bool: boolType,
  int: intType,
  uint: uintType,
  double: doubleType,
  string: stringType,
  bytes: bytesType,
  timestamp: timestampType,
  duration: durationType,
  dyn: dynType,
  type: typeType(),
}

/** Reads a type such as `list(string)`, `map(K,V)` or `optional(A)`. Other names are those of `types`. */
export function readType(text: string, types: Readonly<Record<string, Type>> = {}): Type {
  const inner = /^(list|map|optional|type)\((.*)\)$/.exec(text)
  if (inner) {
    const params = splitTypes(inner[2]!).map(param => readType(param, types))
    if (inner[1] === 'list') return listType(params[0]!)
    if (inner[1] === 'map') return mapType(params[0]!, params[1]!)
    return inner[1] === 'type' ? typeType(params[0]) : optionalType(params[0]!)
  }
  const found = named[text] ?? types[text]
  if (found) return found
  if (/^[A-Z]$/.test(text)) return typeParameter(text)
  throw new TypeError(`unknown type ${text}`)
}

/** Splits at the commas that are not inside parentheses. */
export function splitTypes(text: string): string[] {
  if (text === '') return []
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let index = 0; index <= text.length; index++) {
    const letter = text[index]
    if (letter === '(') depth++
    else if (letter === ')') depth--
    else if (letter === undefined || (letter === ',' && depth === 0)) {
      parts.push(text.slice(start, index))
      start = index + 1
    }
  }
  return parts
}
