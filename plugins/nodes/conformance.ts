import type { ConformanceSamples, Vendor } from 'orch/sdk'
import { nodeNames } from './names.js'
import type { Node } from './nodes/schema.js'
import type { PodGroup } from './pod-groups/schema.js'
import type { PriorityClass } from './priority-classes/schema.js'
import type { RuntimeClass } from './runtime-classes/schema.js'
import type { Workload } from './workloads/schema.js'

/** Samples for `orch conformance`. Pods and jobs exercise the admission controls. */
export function conformance(vendor: Vendor): ConformanceSamples {
  const { nodeGroup, schedulingGroup } = nodeNames(vendor)
  const containers = [{ name: 'c', image: 'i' }]
  return {
    plugins: ['orch/plugins/workloads', 'orch/plugins/batch'],
    samples: {
      pods: { valid: () => ({ spec: { containers } }) },
      'jobs.batch': { valid: () => ({ spec: { template: { spec: { restartPolicy: 'Never', containers } } } }) },
      nodes: {
        valid: (): Node => ({ spec: { podCIDR: '10.1.0.0/24' } }),
        mayCreateStatus: true,
        invalid: {
          'a taint without an effect': (object: Node) => {
            object.spec = { taints: [{ key: 'a', effect: '' }] }
          },
          'an invalid range': (object: Node) => {
            object.spec = { podCIDR: '10.1.0.0' }
          },
        },
        update: (object: Node) => {
          object.spec = { ...object.spec, unschedulable: true }
        },
      },
      [`runtimeclasses.${nodeGroup}`]: {
        valid: (): RuntimeClass => ({ handler: 'sandbox' }),
        invalid: {
          'no handler': (object: RuntimeClass) => {
            object.handler = ''
          },
          'a handler that is not a DNS label': (object: RuntimeClass) => {
            object.handler = 'a.b'
          },
          'a negative overhead': (object: RuntimeClass) => {
            object.overhead = { podFixed: { cpu: '-1' } }
          },
        },
      },
      [`priorityclasses.${schedulingGroup}`]: {
        valid: (): PriorityClass => ({ value: 7 }),
        invalid: {
          'a value reserved for the system': (object: PriorityClass) => {
            object.value = 1_000_000_001
          },
          'an unknown preemption policy': (object: PriorityClass) => {
            object.preemptionPolicy = 'Sometimes'
          },
        },
        update: (object: PriorityClass) => {
          object.description = 'seven'
        },
      },
      [`workloads.${schedulingGroup}`]: {
        valid: () => ({ spec: { podGroupTemplates: [{ name: 'workers', schedulingPolicy: { basic: {} } }] } }),
        invalid: {
          'no template': ({ spec }: Workload) => {
            spec.podGroupTemplates = []
          },
          'an empty gang': ({ spec }: Workload) => {
            spec.podGroupTemplates[0]!.schedulingPolicy = { gang: { minCount: 0 } }
          },
        },
      },
      [`podgroups.${schedulingGroup}`]: {
        valid: () => ({ spec: { schedulingPolicy: { gang: { minCount: 2 } } } }),
        invalid: {
          'two policies': ({ spec }: PodGroup) => {
            spec.schedulingPolicy = { basic: {}, gang: { minCount: 1 } }
          },
        },
      },
    },
  }
}
