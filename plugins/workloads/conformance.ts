import type { ConformanceSamples } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import type { PodTemplate } from './pod-templates/schema.js'
import type { ReplicationController } from './replication-controllers/schema.js'

const podSpec = { containers: [{ name: 'c', image: 'i' }] }
const template = { metadata: { labels: { app: 'a' } }, spec: podSpec }

/** Samples for `orch conformance`. */
export const conformance = {
  samples: {
    pods: {
      valid: (): Pod => ({ metadata: {}, spec: structuredClone(podSpec) }),
      invalid: {
        'no container': (object: Pod) => {
          object.spec.containers = []
        },
        'a volume without a source': (object: Pod) => {
          object.spec.volumes = [{ name: 'v' }]
        },
      },
      update: (object: Pod) => {
        object.spec.containers = [{ ...object.spec.containers[0]!, image: 'other' }]
      },
    },
    podtemplates: {
      valid: (): PodTemplate => ({ template: { spec: podSpec } }),
      invalid: {
        'no container': (object: PodTemplate) => {
          object.template = {}
        },
      },
    },
    replicationcontrollers: {
      valid: (): ReplicationController => ({ spec: { replicas: 2, template } }),
      invalid: {
        'a negative number of Pods': (object: ReplicationController) => {
          object.spec = { replicas: -1, template }
        },
        'a selector that does not match the template': (object: ReplicationController) => {
          object.spec = { selector: { app: 'b' }, template }
        },
      },
      update: (object: ReplicationController) => {
        object.spec = { ...object.spec, replicas: 3 }
      },
    },
  },
} satisfies ConformanceSamples
