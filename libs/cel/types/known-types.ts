import type { LiteralValue } from '../syntax/ast.js'
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  optionalType,
  stringType,
  type Type,
  timestampType,
  typeNameOf,
  typeType,
  uintType,
} from './cel-types.js'

/** Names of types, which are values. */
export const typeValues: Readonly<Record<string, Type>> = Object.fromEntries(
  [
    ...[boolType, intType, uintType, doubleType, stringType, bytesType, nullType, timestampType, durationType],
    ...[listType(dynType), mapType(dynType, dynType), typeType(), optionalType(dynType)],
  ].map(type => [typeNameOf(type), type]),
)

/** The type of a literal. */
export function literalType(value: LiteralValue): Type {
  switch (typeof value) {
    case 'boolean':
      return boolType
    case 'bigint':
      return intType
    case 'number':
      return doubleType
    case 'string':
      return stringType
    default:
      if (value === null) return nullType
      return value instanceof Uint8Array ? bytesType : uintType
  }
}

/** The types of the variables of a loop over a value of this type; undefined if it cannot be iterated over. */
export function loopVariables(range: Type, hasTwo: boolean): readonly [Type, Type] | undefined {
  switch (range.kind) {
    case 'list':
      return hasTwo ? [intType, range.params[0]!] : [range.params[0]!, dynType]
    case 'map':
      return [range.params[0]!, range.params[1]!]
    case 'dyn':
    case 'error':
    case 'param':
      return [dynType, dynType]
    default:
      return undefined
  }
}
