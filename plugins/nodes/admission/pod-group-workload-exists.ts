import { defineAdmission, reject } from 'orch/sdk'
import type { NodeNames } from '../names.js'
import type { PodGroup } from '../pod-groups/schema.js'
import type { Workload } from '../workloads/schema.js'
import { findObject, lookupNeeds } from './find-object.js'

/** The Workload and the template that a PodGroup refers to must exist. */
export const podGroupWorkloadExists = ({ schedulingGroup }: NodeNames, isOn: boolean) =>
  defineAdmission<PodGroup>()({
    name: 'PodGroupWorkloadExists',
    since: '1.36',
    after: ['PodTopologyLabels'],
    phase: 'validate',
    sideEffects: 'none',
    matches: { group: schedulingGroup, resource: 'podgroups', operations: ['create'] },
    needs: lookupNeeds,
    async review({ object, namespace }, lookup) {
      const template = isOn ? object.spec.podGroupTemplateRef?.workload : undefined
      if (!template) return
      const { workloadName, podGroupTemplateName } = template
      const workloads = { group: schedulingGroup, resource: 'workloads' }
      const workload = await findObject<Workload>(workloads, namespace, workloadName, lookup)
      if (!workload) return reject(`PodGroup rejected: Workload "${workloadName}" not found`)
      if (workload.metadata?.deletionTimestamp)
        return reject(`PodGroup rejected: Workload "${workloadName}" is being deleted`)
      if (workload.spec.podGroupTemplates.some(({ name }) => name === podGroupTemplateName)) return
      return reject(
        `PodGroup rejected: PodGroupTemplate "${podGroupTemplateName}" not found in Workload "${workloadName}"`,
      )
    },
  })
