import { defineAdmission, type GroupResource, ownValue, type Rejection, reject } from 'orch/sdk'
import { compareAmountTexts, type Pod } from 'orch/sdk/core'
import type { NodeNames } from '../names.js'
import type { RuntimeClass, Scheduling } from '../runtime-classes/schema.js'
import { findObject, lookupNeeds } from './find-object.js'
import { mergeTolerations } from './merge-tolerations.js'

type Amounts = Readonly<Record<string, string>>

/** Adds the overhead and the scheduling constraints of its runtime class to a Pod. */
export const runtimeClass = ({ nodeGroup, acceptsStatedOverhead }: NodeNames) => {
  const classes: GroupResource = { group: nodeGroup, resource: 'runtimeclasses' }
  return defineAdmission<Pod>()({
    name: 'RuntimeClass',
    after: ['ExtendedResourceToleration', 'OwnerReferencesPermissionEnforcement', 'PersistentVolumeClaimResize'],
    phase: 'both',
    sideEffects: 'none',
    matches: { group: '', resource: 'pods', operations: ['create'] },
    needs: lookupNeeds,
    async review({ object: { spec }, reinvoked }, lookup, phase) {
      const name = spec.runtimeClassName
      const found = name ? await findObject<RuntimeClass>(classes, '', name, lookup) : undefined
      if (name && !found) return reject(`pod rejected: RuntimeClass "${name}" not found`)
      const overhead = found?.overhead?.podFixed
      const given = Object.keys(spec.overhead ?? {}).length > 0 ? spec.overhead : undefined
      if (phase === 'validate' && given && !found?.overhead)
        return reject('pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead')
      // At the second invocation it was set here.
      const isStated = phase === 'mutate' && !reinvoked && given !== undefined
      if (isStated && found?.overhead && !acceptsStatedOverhead)
        return reject("pod rejected: Pod's Overhead is set by its RuntimeClass and must not be specified")
      // Once set, it is never removed.
      if (found?.overhead && (given || phase === 'validate') && !areSameAmounts(given ?? {}, overhead ?? {}))
        return reject("pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead")
      if (phase === 'validate') return
      if (overhead) spec.overhead = { ...overhead }
      return found?.scheduling ? applyScheduling(spec, found.scheduling) : undefined
    },
  })
}

/** `1` and `1000m` are the same amount. */
function areSameAmounts(one: Amounts, other: Amounts): boolean {
  const keys = Object.keys(one)
  return (
    keys.length === Object.keys(other).length &&
    keys.every(key => other[key] !== undefined && compareAmountTexts(one[key] ?? '', other[key]) === 0)
  )
}

function applyScheduling(
  spec: Pod['spec'],
  { nodeSelector = {}, tolerations = [] }: Scheduling,
): Rejection | undefined {
  const given = spec.nodeSelector ?? {}
  for (const [key, value] of Object.entries(nodeSelector))
    if ((ownValue(given, key) ?? value) !== value)
      return reject(
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${given[key]}`,
      )
  if (Object.keys(nodeSelector).length > 0) spec.nodeSelector = { ...given, ...nodeSelector }
  const merged = mergeTolerations(spec.tolerations ?? [], tolerations)
  if (merged.length > 0) spec.tolerations = merged
  return undefined
}
