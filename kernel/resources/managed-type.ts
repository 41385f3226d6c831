import { type ApiObject, defineDifference } from 'orch/sdk'
import type { FieldManagerType } from '../apply/field-manager.js'
import { derive } from '../schema/derive.js'
import type { WriteTarget } from './write-target.js'

export const appliesOfNothingHaveNoTime = defineDifference({
  name: 'applies-that-change-nothing-have-no-time',
  since: '1.25',
  description: 'An applier that changes nothing becomes a co-owner without a time.',
  knownFrom: 'source',
})

const tracksRepeatedItems = defineDifference({
  name: 'lists-with-repeated-items-have-owners',
  since: '1.29',
  additive: true,
  description:
    'A manager that writes a list with duplicate items owns them as one; before, no field of the object has an owner.',
  knownFrom: 'source',
})

const takesResetChanges = defineDifference({
  name: 'applies-of-reset-fields-are-changes',
  since: '1.29',
  description:
    'An apply that contains only fields that the path resets reaches the strategy of the type; before, it changes nothing.',
  knownFrom: 'source',
})

const keepsAppliedOrder = defineDifference({
  name: 'merged-lists-have-the-order-of-the-applied-ones',
  since: '1.24',
  additive: true,
  description: 'An apply changes the order of list items to the applied one; before, new items come last.',
  knownFrom: 'source',
})

const managedTypes = () => new Map<string, FieldManagerType>()

/** How field ownership is tracked for the type, version and path of a write. Created once for each. */
export function managedType(
  target: WriteTarget,
  subresource = target.subresource,
  version = target.version,
): FieldManagerType {
  const { type, strategy, services } = target
  const { vendor } = services
  const ofVersion = derive(version, managedTypes)
  let found = ofVersion.get(subresource)
  if (!found) {
    found = {
      groupVersion: version.groupVersion,
      model: version.model,
      modelOf: groupVersion => type.versionOf(groupVersion)?.model,
      kind: type.kind,
      convert: (object: ApiObject, toGroupVersion: string, fromGroupVersion: string) => {
        const from = type.versionOf(fromGroupVersion) ?? version
        const to = type.versionOf(toGroupVersion) ?? version
        // An applied configuration may contain nulls, which conversions do not expect: they get a decoded copy.
        return type.fromStorage(type.toStorage(from.decode(object) as ApiObject, from), to)
      },
      resetFields: strategy.resetFields ?? [],
      timesSharedFields: !vendor.level.has(appliesOfNothingHaveNoTime),
      tracksRepeatedItems: vendor.level.has(tracksRepeatedItems),
      keepsAppliedOrder: vendor.level.has(keepsAppliedOrder),
      takesResetChanges: vendor.level.has(takesResetChanges),
      subresource,
      clientSideApply: { manager: vendor.profile.cli, annotation: vendor.lastAppliedAnnotation },
    }
    ofVersion.set(subresource, found)
  }
  return found
}
