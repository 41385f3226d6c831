import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { replicationControllers } from './resource.js'
import type { ReplicationController } from './schema.js'

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } }

const conformance = suite('replication controllers serve the whole API')

for (const { name, run } of resourceConformance<ReplicationController>({
  resource: replicationControllers,
  valid: () => ({ spec: { replicas: 2, template } }),
  invalid: {
    'fewer than no Pods': object => {
      object.spec = { replicas: -1, template }
    },
    'a selector of other Pods': object => {
      object.spec = { selector: { app: 'b' }, template }
    },
  },
  update: object => {
    object.spec = { ...object.spec, replicas: 3 }
  },
})) {
  conformance(name, run)
}

conformance.run()
