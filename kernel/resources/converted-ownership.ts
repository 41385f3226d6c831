import type { ApiObject, ConvertObjects } from 'orch/sdk'
import { copyJson } from '../../libs/json/index.js'
import type { FieldManagerType } from '../apply/field-manager.js'
import type { ResourceType } from '../types/resource-type.js'
import { managedType } from './managed-type.js'
import type { WriteTarget } from './write-target.js'

/** More than any write needs: a few for each version that some manager has used. */
const maxConversions = 100

/**
 * Work on the ownership of fields. Managers may have used other versions of the type, so objects must be converted in the middle of
 * it. Where that is done outside of this process, the work is begun again after each conversion, with what is known by then; so it
 * must make the same of the same values, and take a copy (`own`) of whatever it changes.
 */
export function withOwnership<T>(
  target: WriteTarget,
  subresource: string | undefined,
  work: (type: FieldManagerType, own: <V>(value: V) => V) => T,
): T | Promise<T> {
  const managed = managedType(target, subresource)
  const { conversion } = target.type.definition
  if (typeof conversion !== 'function') return work(managed, value => value)
  return untilConverted(target.type, managed, conversion, work)
}

/** Thrown by `convert` where the answer is not known yet. */
class ConversionWanted {
  readonly key: string
  readonly object: ApiObject
  readonly from: string
  readonly to: string
  constructor(key: string, object: ApiObject, from: string, to: string) {
    this.key = key
    this.object = object
    this.from = from
    this.to = to
  }
}

async function untilConverted<T>(
  type: ResourceType,
  managed: FieldManagerType,
  conversion: ConvertObjects,
  work: (type: FieldManagerType, own: <V>(value: V) => V) => T,
): Promise<T> {
  const known = new Map<string, ApiObject>()
  const convert = (object: ApiObject, toGroupVersion: string, fromGroupVersion: string): ApiObject => {
    const [from, to] = [type.versionOf(fromGroupVersion), type.versionOf(toGroupVersion)]
    if (!from || !to || from === to) return object
    const { apiVersion: _, kind: __, ...fields } = object
    const key = `${from.name} ${to.name} ${JSON.stringify(fields)}`
    const found = known.get(key)
    if (found) return copyJson(found)
    throw new ConversionWanted(key, from.decode(fields) as ApiObject, from.name, to.name)
  }
  // What is derived from the type stays with it.
  const converting: FieldManagerType = Object.create(managed, { convert: { value: convert } })
  for (;;) {
    try {
      return work(converting, copyJson)
    } catch (thrown) {
      if (!(thrown instanceof ConversionWanted)) throw thrown
      if (known.size >= maxConversions) throw new Error(`ownership of ${type.kind} takes too many conversions`)
      const { key, object, from, to } = thrown
      const [converted] = await conversion([object], from, to)
      known.set(key, converted!)
    }
  }
}
