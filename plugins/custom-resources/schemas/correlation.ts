import { isRecord, type JsonObject } from 'orch/sdk'
import { sameJson } from 'orch/sdk/validation'
import { itemSchema, type SchemaNode, valueSchema } from '../../../libs/json-schema/index.js'
import { itemKey } from './visit.js'
import { costs, type Work } from './work.js'

/**
 * A value of an updated object together with the stored value at the same position. Errors of an unchanged value are
 * tolerated, because the schema may have been tightened since it was stored. Fields are found by their names, items
 * only in lists of type map.
 */
export class Correlation {
  readonly value: unknown
  readonly before: unknown
  readonly #schema: SchemaNode
  #children: Map<string | number, Correlation | undefined> | undefined
  #itemsBefore: Map<string, unknown> | undefined
  #isUnchanged: boolean | undefined

  constructor(value: unknown, before: unknown, schema: SchemaNode) {
    this.value = value
    this.before = before
    this.#schema = schema
  }

  /** A field of an object; undefined if it is not in both objects or has no schema. */
  key(name: string): Correlation | undefined {
    const { value, before } = this
    if (!isRecord(value) || !isRecord(before) || !Object.hasOwn(value, name) || !Object.hasOwn(before, name))
      return undefined
    return this.#child(
      name,
      value[name],
      before[name],
      () => this.#schema.properties.get(name) ?? valueSchema(this.#schema),
    )
  }

  /** An item of a list; undefined if the stored one cannot be found. */
  index(index: number): Correlation | undefined {
    const { value, before } = this
    const { listType, listMapKeys } = this.#schema
    if (listType !== 'map' || !Array.isArray(value) || !Array.isArray(before)) return undefined
    if (this.#children?.has(index)) return this.#children.get(index)
    this.#itemsBefore ??= new Map(before.map(item => [itemKey(item, listMapKeys), item]))
    const item = value[index]
    return this.#child(index, item, this.#itemsBefore.get(itemKey(item, listMapKeys)), () => itemSchema(this.#schema))
  }

  #child(step: string | number, value: unknown, before: unknown, schemaOf: () => SchemaNode | undefined) {
    this.#children ??= new Map()
    if (this.#children.has(step)) return this.#children.get(step)
    const schema = before === undefined ? undefined : schemaOf()
    const child = schema && new Correlation(value, before, schema)
    this.#children.set(step, child)
    return child
  }

  /** Whether the value is unchanged. An object with fields that no schema describes never counts as unchanged. */
  isUnchanged(work?: Work): boolean {
    return (this.#isUnchanged ??= this.#compare(work))
  }

  #compare(work: Work | undefined): boolean {
    const { value, before } = this
    if (value === null || before === null) return value === before
    if (Array.isArray(value)) {
      if (!Array.isArray(before) || before.length !== value.length) return false
      work?.charge(value.length * costs.visit, '')
      if (this.#schema.listType !== 'map') return sameValue(value, before, work)
      return value.every((_, index) => this.index(index)?.isUnchanged(work) ?? false)
    }
    if (!isRecord(value)) return sameJson(value, before)
    const names = Object.keys(value)
    if (!isRecord(before) || Object.keys(before).length !== names.length) return false
    work?.charge(names.length * costs.visit, '')
    return names.every(name => this.key(name)?.isUnchanged(work) ?? false)
  }
}

function sameValue(value: unknown, before: unknown, work: Work | undefined): boolean {
  if (typeof value !== 'object' || value === null) return Object.is(value, before)
  if (typeof before !== 'object' || before === null || Array.isArray(value) !== Array.isArray(before)) return false
  const names = Object.keys(value)
  work?.charge(names.length * costs.visit, '')
  return (
    names.length === Object.keys(before).length &&
    names.every(
      name => Object.hasOwn(before, name) && sameValue((value as JsonObject)[name], (before as JsonObject)[name], work),
    )
  )
}
