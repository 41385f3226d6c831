import { isObject, own, setOwn } from '../../libs/json/index.js'
import { endOfString } from './scan-json.js'
import type { StructNode, TypeNode } from './type-model.js'

/** A list or object that is being read. */
interface Container {
  readonly value: unknown[] | Record<string, unknown>
  readonly node: TypeNode | undefined
  /** Of an object: the last key. */
  key: string | undefined
}

const scalar = /-?\d[\d.eE+-]*|true|false|null/y

/**
 * Parses a JSON text with repeated keys as the reference does: repeated structs and maps are merged, and any other value is
 * replaced by the last one. The text must be valid JSON (parse it first).
 */
export function mergeRepeatedKeys(json: string, root: StructNode): unknown {
  const open: Container[] = []
  let result: unknown
  const begin = (isList: boolean): void => {
    const parent = open.at(-1)
    const node = parent ? nodeWithin(parent) : root
    const isMerged = !isList && parent?.node?.is === 'struct' && mayMerge(node)
    const before = isMerged ? own(parent.value as Record<string, unknown>, parent.key!) : undefined
    const value = isObject(before) ? before : isList ? [] : {}
    if (value !== before) put(value)
    open.push({ value, node, key: undefined })
  }
  const put = (value: unknown): void => {
    const parent = open.at(-1)
    if (!parent) result = value
    else if (Array.isArray(parent.value)) parent.value.push(value)
    else {
      setOwn(parent.value, parent.key!, value)
      parent.key = undefined
    }
  }
  for (let position = 0; position < json.length; position++) {
    const sign = json.charAt(position)
    if (sign === '{' || sign === '[') begin(sign === '[')
    else if (sign === '}' || sign === ']') {
      open.pop()
      const parent = open.at(-1)
      if (parent) parent.key = undefined
    } else if (sign === '"') {
      const token = json.slice(position, endOfString(json, position))
      const parent = open.at(-1)
      if (parent && !Array.isArray(parent.value) && parent.key === undefined) parent.key = JSON.parse(token) as string
      else put(JSON.parse(token))
      position += token.length - 1
    } else if (sign > ' ' && sign !== ',' && sign !== ':') {
      scalar.lastIndex = position
      const token = scalar.exec(json)![0]
      put(JSON.parse(token))
      position += token.length - 1
    }
  }
  return result
}

function nodeWithin({ node, key }: Container): TypeNode | undefined {
  if (node?.is === 'struct') return node.fields.get(key ?? '')?.node ?? node.rest
  if (node?.is === 'list') return node.item
  return node?.is === 'map' ? node.value : undefined
}
const mayMerge = (node: TypeNode | undefined) => node?.is === 'struct' || node?.is === 'map'
