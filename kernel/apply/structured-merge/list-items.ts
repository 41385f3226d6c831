import { derive } from '../../schema/derive.js'
import { zeroValue } from '../../schema/presence.js'
import type { ListNode, StructNode } from '../../schema/type-model.js'
import { isObject, own } from './json-values.js'
import { keyElement, type PathElement, valueElement } from './path-element.js'
import { TypedValueError } from './typed-error.js'

/** An item that has no identity in its list. The message states the reason. */
export class ItemWithoutIdentity extends TypedValueError {
  constructor(why: string) {
    super('', why)
  }
}

interface Keys {
  readonly names: readonly string[]
  /** The default values of omitted keys, by position in `names`. */
  readonly defaults: readonly unknown[]
}

function keysOf(node: ListNode): Keys {
  const names = [...node.keys].sort()
  const struct = node.item.is === 'struct' ? node.item : undefined
  return { names, defaults: names.map(name => struct && keyDefault(struct, name)) }
}

/** A field of a typed struct that is always written has a value without being sent; one of a custom resource has not. */
function keyDefault({ name: type, fields }: StructNode, name: string): unknown {
  const field = fields.get(name)
  if (field === undefined || field.default !== undefined) return field?.default
  const isTyped = type !== '' && field.presence === 'always' && !field.nullable
  return isTyped && field.node.is === 'scalar' ? (zeroValue(field.node, false) ?? undefined) : undefined
}

/** The path element of an item of a set or a map list. */
export function elementOf(node: ListNode, item: unknown): PathElement {
  return node.listType === 'set' ? elementOfSet(item) : elementOfMap(node, item)
}

function elementOfSet(item: unknown): PathElement {
  if (item === null)
    throw new ItemWithoutIdentity("associative list without keys has an element that's an explicit null")
  if (Array.isArray(item)) throw new ItemWithoutIdentity('not supported: associative list with lists as elements')
  if (isObject(item)) throw new ItemWithoutIdentity("associative list without keys has an element that's a map type")
  return valueElement(item)
}

function elementOfMap(node: ListNode, item: unknown): PathElement {
  if (item === null) throw new ItemWithoutIdentity('associative list with keys may not have a null element')
  if (!isObject(item)) throw new ItemWithoutIdentity('associative list with keys may not have non-map elements')
  const { names, defaults } = derive(node, keysOf)
  const values = names.map((name, i) => {
    const value = own(item, name)
    // A null is a value like any other.
    return value === undefined ? defaults[i] : value
  })
  if (!values.includes(undefined)) return keyElement(names, values)
  // Some of several keys may be left out.
  const isGiven = (_: unknown, i: number) => values[i] !== undefined
  if (!values.some(isGiven)) {
    const omitted = names.map(name => JSON.stringify(name)).join(' ')
    throw new ItemWithoutIdentity(
      `associative list with keys has an element that omits all key fields [${omitted}] (and doesn't have default values for any key fields)`,
    )
  }
  return keyElement(names.filter(isGiven), values.filter(isGiven))
}
