import type { ApiObject } from 'orch/sdk'
import type { PersistentVolumeClaim, PersistentVolumeClaimSpec } from 'orch/sdk/core'
import {
  type LabelOperator,
  labelMatcher,
  parseQuantity,
  type QuantityAmount,
  roundUpQuantity,
} from 'orch/sdk/validation'
import { one } from '../amounts/amounts.js'
import type { QuotaNames } from '../names.js'
import type { ScopedResourceSelectorRequirement } from '../resource-quotas/schema.js'
import type { Evaluator } from './evaluator.js'

/** The VolumeAttributesClasses that a claim has or will get. */
const classesOf = ({ spec, status }: PersistentVolumeClaim): string[] =>
  [
    spec?.volumeAttributesClassName,
    status?.currentVolumeAttributesClassName,
    status?.modifyVolumeStatus?.targetVolumeAttributesClassName,
  ].filter(name => !!name) as string[]

/** Whether a claim is in a scope of a quota. */
function isClaimInScope(
  object: ApiObject,
  { scopeName, operator, values = [] }: ScopedResourceSelectorRequirement,
): boolean {
  if (scopeName !== 'VolumeAttributesClass') return false
  const classes = classesOf(object as PersistentVolumeClaim)
  if (operator === 'Exists') return classes.length > 0
  const matches = labelMatcher([{ key: scopeName, operator: operator as LabelOperator, values }])
  return classes.length === 0 ? matches({}) : classes.some(name => matches({ [scopeName]: name }))
}

const names = new Set(['persistentvolumeclaims', 'count/persistentvolumeclaims', 'requests.storage'])

/**
 * Counts claims and the storage they request, in total and by storage class. A claim can grow, so updates count too.
 */
export const claimCounter = ({ storageClassInfix, storageClassAnnotation }: QuotaNames): Evaluator => {
  const suffixes = ['requests.storage', 'persistentvolumeclaims'].map(name => `${storageClassInfix}${name}`)
  return {
    group: '',
    resource: 'persistentvolumeclaims',
    operations: ['create', 'update'],
    isInScope: isClaimInScope,
    counts: name => names.has(name) || suffixes.some(suffix => name.endsWith(suffix)),
    usageOf({ metadata, spec: of }) {
      const spec = (of ?? {}) as PersistentVolumeClaimSpec
      const storageClass = metadata.annotations?.[storageClassAnnotation] ?? spec.storageClassName
      const usage = new Map<string, QuantityAmount>([['count/persistentvolumeclaims', one]])
      const use = (name: string, amount: QuantityAmount) => {
        usage.set(name, amount)
        if (storageClass) usage.set(`${storageClass}${storageClassInfix}${name}`, amount)
      }
      use('persistentvolumeclaims', one)
      const storage = spec.resources?.requests?.['storage']
      if (storage !== undefined) use('requests.storage', roundUpQuantity(parseQuantity(storage), 0))
      return usage
    },
  }
}
