import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConformanceSamples, Event, Vendor } from 'orch/sdk'
import type { Lease } from './leases/schema.js'
import type { LimitRange } from './limit-ranges/schema.js'
import { type NodeNames, nodeNames } from './names.js'
import type { Node } from './nodes/schema.js'
import type { PriorityClass } from './priority-classes/schema.js'
import type { ResourceQuota } from './resource-quotas/schema.js'
import type { RuntimeClass } from './runtime-classes/schema.js'

/** Samples for `orch conformance`. Pods are for the controls that look at them. */
export function conformance(vendor: Vendor, folder: string): ConformanceSamples {
  const names = nodeNames(vendor)
  const { coordinationGroup, nodeGroup, schedulingGroup, eventsGroup } = names
  return {
    plugins: ['orch/plugins/workloads'],
    options: { admissionControlConfigFile: admissionConfiguration(vendor, names, folder) },
    samples: {
      pods: { valid: () => ({ spec: { containers: [{ name: 'c', image: 'i' }] } }) },
      nodes: {
        valid: (): Node => ({ spec: { podCIDR: '10.1.0.0/24' } }),
        invalid: {
          'a taint without an effect': (object: Node) => {
            object.spec = { taints: [{ key: 'a', effect: '' }] }
          },
          'a range that is none': (object: Node) => {
            object.spec = { podCIDR: '10.1.0.0' }
          },
        },
        update: (object: Node) => {
          object.spec = { ...object.spec, unschedulable: true }
        },
      },
      [`leases.${coordinationGroup}`]: {
        valid: (): Lease => ({ spec: { holderIdentity: 'me' } }),
        invalid: {
          'a duration of nothing': (object: Lease) => {
            object.spec = { leaseDurationSeconds: 0 }
          },
          'negative transitions': (object: Lease) => {
            object.spec = { leaseTransitions: -1 }
          },
        },
        update: (object: Lease) => {
          object.spec = { holderIdentity: 'you' }
        },
      },
      [`runtimeclasses.${nodeGroup}`]: {
        valid: (): RuntimeClass => ({ handler: 'sandbox' }),
        invalid: {
          'no handler': (object: RuntimeClass) => {
            object.handler = ''
          },
          'a handler that is no label': (object: RuntimeClass) => {
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
          'a value only the system has': (object: PriorityClass) => {
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
      events: {
        valid: () => ({ ...happening, involvedObject: regarding }),
        invalid: {
          'an event that happened to nobody knows what': (object: Event) => {
            object.involvedObject = {}
          },
          'no action': (object: Event) => {
            object.action = ''
          },
        },
        update: (object: Event) => {
          object.count = 2
        },
      },
      // The same objects under names of its own.
      [`events.${eventsGroup}`]: {
        valid: () => {
          const { reportingComponent: reportingController, ...rest } = happening
          return { ...rest, reportingController, regarding, type: 'Normal' }
        },
        invalid: {
          'no action': (object: { action?: string }) => {
            object.action = ''
          },
          'no reporter': (object: { reportingController?: string }) => {
            object.reportingController = ''
          },
        },
      },
      limitranges: {
        valid: (): LimitRange => ({ spec: { limits: [{ type: 'Container', max: { cpu: '2' } }] } }),
        invalid: {
          'an unknown type': (object: LimitRange) => {
            object.spec = { limits: [{ type: 'Bogus' }] }
          },
          'a minimum above the maximum': (object: LimitRange) => {
            object.spec = { limits: [{ type: 'Pod', min: { cpu: '2' }, max: { cpu: '1' } }] }
          },
        },
      },
      resourcequotas: {
        valid: (): ResourceQuota => ({ spec: { hard: { pods: '10' } } }),
        invalid: {
          'an unknown resource': (object: ResourceQuota) => {
            object.spec = { hard: { bogus: '1' } }
          },
          'half a Pod': (object: ResourceQuota) => {
            object.spec = { hard: { pods: '0.5' } }
          },
        },
        update: (object: ResourceQuota) => {
          object.spec = { hard: { pods: '20' } }
        },
      },
    },
  }
}

/** Limits that no run reaches: without any, the control that counts events refuses to start. */
function admissionConfiguration(vendor: Vendor, names: NodeNames, folder: string): string {
  const [apiVersion, kind] = (names.eventRateConfigurations[0] ?? '').split(' ')
  const configuration = { apiVersion, kind, limits: [{ type: 'Server', qps: 1e6, burst: 1e6 }] }
  const path = join(folder, 'admission.json')
  const file = {
    apiVersion: `${vendor.group('apiserver.config')}/v1`,
    kind: 'AdmissionConfiguration',
    plugins: [{ name: 'EventRateLimit', configuration }],
  }
  writeFileSync(path, JSON.stringify(file))
  return path
}

const regarding = { kind: 'Pod', name: 'p', namespace: 'conformance' }
const happening = {
  eventTime: '2030-01-02T03:04:05.000006Z',
  reportingComponent: 'example.com/reporter',
  reportingInstance: 'reporter-1',
  action: 'Testing',
  reason: 'BecauseWeCan',
}
