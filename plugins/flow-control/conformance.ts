import type { ConformanceSamples, Vendor } from 'orch/sdk'
import type { FlowSchema } from './flow-schemas/schema.js'
import { flowControlNames } from './names.js'
import type { PriorityLevel } from './priority-levels/schema.js'

/** Samples for `orch conformance`. */
export function conformance(vendor: Vendor): ConformanceSamples {
  const { group } = flowControlNames(vendor)
  return {
    samples: {
      [`flowschemas.${group}`]: {
        valid: (): FlowSchema => ({
          spec: { priorityLevelConfiguration: { name: 'workload-low' }, matchingPrecedence: 5000 },
        }),
        invalid: {
          'no priority level': (object: FlowSchema) => {
            object.spec = { priorityLevelConfiguration: { name: '' } }
          },
          'a rule without subjects': (object: FlowSchema) => {
            object.spec = { priorityLevelConfiguration: { name: 'a' }, rules: [{ subjects: [] }] }
          },
        },
        update: (object: FlowSchema) => {
          object.spec = { priorityLevelConfiguration: { name: 'workload-high' }, matchingPrecedence: 5001 }
        },
      },
      [`prioritylevelconfigurations.${group}`]: {
        valid: (): PriorityLevel => ({
          spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } },
        }),
        invalid: {
          'exempt from limits': (object: PriorityLevel) => {
            object.spec = { type: 'Exempt' }
          },
          'a hand that is larger than the number of queues': (object: PriorityLevel) => {
            const queuing = { queues: 1, handSize: 2, queueLengthLimit: 1 }
            object.spec = { type: 'Limited', limited: { limitResponse: { type: 'Queue', queuing } } }
          },
        },
        update: (object: PriorityLevel) => {
          object.spec = { type: 'Limited', limited: { nominalConcurrencyShares: 2, limitResponse: { type: 'Reject' } } }
        },
      },
    },
  }
}
