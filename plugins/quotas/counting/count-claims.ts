import type { ApiObject } from 'orch/sdk'
import type { PersistentVolumeClaim } from 'orch/sdk/core'
import {
  compareQuantities,
  type LabelOperator,
  labelMatcher,
  parseQuantity,
  type QuantityAmount,
  roundUpQuantity,
} from 'orch/sdk/validation'
import { one } from '../amounts/amounts.js'
import { allocatedStorage } from '../differences.js'
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

/** A claim that could not be expanded may have more than it requests by now. */
function larger(requested: string, allocated = '0'): QuantityAmount {
  const [amount, other] = [parseQuantity(requested), parseQuantity(allocated)]
  return compareQuantities(amount, other) >= 0 ? amount : other
}

const names = new Set(['persistentvolumeclaims', 'count/persistentvolumeclaims', 'requests.storage'])

/**
 * Counts claims and the storage they request, in total and by storage class. A claim can grow, so updates count too.
 */
export const claimCounter = ({ storageClassInfix, storageClassAnnotation, vendor }: QuotaNames): Evaluator => {
  const countsAllocated = vendor.level.has(allocatedStorage)
  const suffixes = ['requests.storage', 'persistentvolumeclaims'].map(name => `${storageClassInfix}${name}`)
  return {
    group: '',
    resource: 'persistentvolumeclaims',
    isCharged: () => true,
    isInScope: isClaimInScope,
    counts: name => names.has(name) || suffixes.some(suffix => name.endsWith(suffix)),
    usageOf(object) {
      const { metadata, spec, status } = object as ApiObject & PersistentVolumeClaim
      const storageClass = metadata.annotations?.[storageClassAnnotation] ?? spec?.storageClassName
      const usage = new Map<string, QuantityAmount>([['count/persistentvolumeclaims', one]])
      const use = (name: string, amount: QuantityAmount) => {
        usage.set(name, amount)
        if (storageClass) usage.set(`${storageClass}${storageClassInfix}${name}`, amount)
      }
      use('persistentvolumeclaims', one)
      const requested = spec?.resources?.requests?.['storage']
      const allocated = countsAllocated ? status?.allocatedResources?.['storage'] : undefined
      if (requested !== undefined) use('requests.storage', roundUpQuantity(larger(requested, allocated), 0))
      return usage
    },
  }
}
