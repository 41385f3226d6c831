import { defineAdmission } from 'orch/sdk'
import type { NodeNames } from '../names.js'
import type { PodGroup } from '../pod-groups/schema.js'

/** Adds a finalizer to a new PodGroup, so that it is kept while one of its Pods runs. */
export const podGroupProtection = ({ schedulingGroup, podGroupFinalizer }: NodeNames, isOn: boolean) =>
  defineAdmission<PodGroup>()({
    name: 'PodGroupProtection',
    since: '1.36',
    after: ['StorageObjectInUseProtection'],
    phase: 'mutate',
    sideEffects: 'none',
    matches: { group: schedulingGroup, resource: 'podgroups', operations: ['create'] },
    review({ object }) {
      const finalizers = object.metadata?.finalizers ?? []
      if (!isOn || finalizers.includes(podGroupFinalizer)) return
      object.metadata = { ...object.metadata, finalizers: [...finalizers, podGroupFinalizer] }
    },
  })
