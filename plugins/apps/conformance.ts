import type { ConformanceSamples } from 'orch/sdk'
import type { ControllerRevision } from './controller-revisions/schema.js'
import type { DaemonSet } from './daemon-sets/schema.js'
import type { Deployment } from './deployments/schema.js'
import type { ReplicaSet } from './replica-sets/schema.js'
import type { StatefulSet } from './stateful-sets/schema.js'

const labels = { app: 'a' }
const selector = { matchLabels: labels }
const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'i' }] } }

/** Samples for `orch conformance`. */
export const conformance = {
  samples: {
    'deployments.apps': {
      valid: (): Deployment => ({ spec: { selector, template, replicas: 2 } }),
      invalid: {
        'a negative number of Pods': (object: Deployment) => {
          object.spec = { selector, template, replicas: -1 }
        },
        'a selector that does not match the template': (object: Deployment) => {
          object.spec = { selector: { matchLabels: { app: 'b' } }, template }
        },
        'neither maxSurge nor maxUnavailable': (object: Deployment) => {
          const rollingUpdate = { maxUnavailable: 0, maxSurge: '0%' }
          object.spec = { selector, template, strategy: { type: 'RollingUpdate', rollingUpdate } }
        },
      },
      update: (object: Deployment) => {
        object.spec = { selector, template, replicas: 3 }
      },
    },
    'replicasets.apps': {
      valid: (): ReplicaSet => ({ spec: { selector, template } }),
      invalid: {
        'no selector': (object: ReplicaSet) => {
          object.spec = { template } as never
        },
      },
      update: (object: ReplicaSet) => {
        object.spec = { selector, template, replicas: 3 }
      },
    },
    'statefulsets.apps': {
      valid: (): StatefulSet => ({ spec: { selector, template, serviceName: 's' } }),
      invalid: {
        'an unknown order': (object: StatefulSet) => {
          object.spec = { selector, template, serviceName: 's', podManagementPolicy: 'Random' }
        },
        'a negative partition': (object: StatefulSet) => {
          const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: -1 } }
          object.spec = { selector, template, serviceName: 's', updateStrategy }
        },
      },
      update: (object: StatefulSet) => {
        object.spec = { selector, template, serviceName: 's', replicas: 3 }
      },
    },
    'daemonsets.apps': {
      valid: (): DaemonSet => ({ spec: { selector, template } }),
      invalid: {
        'Pods that are not restarted': (object: DaemonSet) => {
          object.spec = { selector, template: { ...template, spec: { ...template.spec, restartPolicy: 'Never' } } }
        },
      },
      update: (object: DaemonSet) => {
        object.spec = { selector, template, minReadySeconds: 3 }
      },
    },
    'controllerrevisions.apps': {
      valid: (): ControllerRevision => ({ revision: 1, data: { spec: {} } }),
      invalid: {
        'no data': (object: ControllerRevision) => {
          delete object.data
        },
        'a negative revision': (object: ControllerRevision) => {
          object.revision = -1
        },
      },
      update: (object: ControllerRevision) => {
        object.revision = 2
      },
    },
  },
} satisfies ConformanceSamples
