import type { ApiObject } from 'orch/sdk'
import type { ConvertObjects } from 'orch/sdk/server'
import { copyJson, writeJson } from '../../libs/json/index.js'
import type { FieldManagerType } from '../apply/field-manager.js'
import { type InTurns, runInTurns } from '../contracts/in-turns.js'
import { managedType } from './managed-type.js'
import type { WriteTarget } from './write-target.js'

/** More than any write needs: a few for each version that a manager has used. */
const maxConversions = 100

/**
 * Runs work on field ownership. Managers may have used other versions of the type, so objects must be converted in the middle of
 * it. Where a webhook converts, the work is restarted after each conversion, with the results so far; so it
 * must be deterministic, and copy (`own`) whatever it changes.
 */
export function withOwnership<T>(
  target: WriteTarget,
  subresource: string | undefined,
  work: (type: FieldManagerType, own: <V>(value: V) => V) => InTurns<T>,
): T | Promise<T> {
  const managed = managedType(target, subresource)
  const { conversion } = target.type.definition
  if (typeof conversion !== 'function')
    return runInTurns(
      target.context,
      work(managed, value => value),
    )
  return untilConverted(target, managed, conversion, work)
}

/** Thrown by `convert` when the result is not available yet. */
class ConversionNeeded {
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
  { type, context }: WriteTarget,
  managed: FieldManagerType,
  conversion: ConvertObjects,
  work: (type: FieldManagerType, own: <V>(value: V) => V) => InTurns<T>,
): Promise<T> {
  const known = new Map<string, ApiObject>()
  const convert = (object: ApiObject, toGroupVersion: string, fromGroupVersion: string): ApiObject => {
    const [from, to] = [type.versionOf(fromGroupVersion), type.versionOf(toGroupVersion)]
    if (!from || !to || from === to) return object
    const { apiVersion: _, kind: __, ...fields } = object
    const key = `${from.name} ${to.name} ${writeJson(fields)}`
    const found = known.get(key)
    if (found) return copyJson(found)
    throw new ConversionNeeded(key, from.decode(fields) as ApiObject, from.name, to.name)
  }
  // Values derived from the type are cached with it.
  const converting: FieldManagerType = Object.create(managed, { convert: { value: convert } })
  for (;;) {
    try {
      return await runInTurns(context, work(converting, copyJson))
    } catch (thrown) {
      if (!(thrown instanceof ConversionNeeded)) throw thrown
      if (known.size >= maxConversions) throw new Error(`ownership of ${type.kind} takes too many conversions`)
      const { key, object, from, to } = thrown
      const [converted] = await conversion([object], from, to)
      known.set(key, converted!)
    }
  }
}
