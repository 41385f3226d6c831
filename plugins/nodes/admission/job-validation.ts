import { type ApiObject, defineAdmission, reject } from 'orch/sdk'
import { controllerOf } from 'orch/sdk/controllers'
import type { PodTemplateSpec } from 'orch/sdk/core'
import type { NodeNames } from '../names.js'
import type { PodGroup } from '../pod-groups/schema.js'
import { findObject, lookupNeeds } from './find-object.js'

interface Job extends ApiObject {
  spec?: { parallelism?: number; template?: PodTemplateSpec }
}

/** The parallelism of a gang-scheduled job is immutable. */
export const jobValidation = ({ schedulingGroup, batchGroup }: NodeNames, isOn: boolean) => {
  const podGroups = { group: schedulingGroup, resource: 'podgroups' }
  return defineAdmission<Job>()({
    name: 'JobValidation',
    since: '1.36',
    after: ['PodTopologyLabels', 'NodeDeclaredFeatureValidator'],
    phase: 'validate',
    sideEffects: 'none',
    matches: { group: batchGroup, resource: 'jobs', operations: ['update'] },
    needs: lookupNeeds,
    async review({ object, oldObject, namespace }, lookup) {
      if (!isOn || object.spec?.parallelism === oldObject.spec?.parallelism) return
      const named = oldObject.spec?.template?.spec?.schedulingGroup?.podGroupName
      const groups = named
        ? [await findObject<PodGroup>(podGroups, namespace, named, lookup)]
        : lookup.caches
            .of<PodGroup>(podGroups)
            .list(namespace)
            .filter(group => controllerOf(group as ApiObject)?.uid === oldObject.metadata.uid)
      const gang = groups.find(group => group?.spec.schedulingPolicy.gang)
      if (!gang) return
      const name = gang.metadata?.name ?? ''
      return reject(`cannot change parallelism for a Job referencing gang-scheduled PodGroup "${name}"`)
    },
  })
}
