import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { configMaps } from './resource.js'
import type { ConfigMap } from './schema.js'

const conformance = suite('config maps serve the whole API')

for (const { name, run } of resourceConformance<ConfigMap>({
  resource: configMaps,
  valid: () => ({ data: { color: 'blue' } }),
  invalid: {
    'a key with a slash': object => {
      object.data = { 'a/b': 'x' }
    },
    'a key in data and binaryData': object => {
      object.binaryData = { color: 'AA==' }
    },
  },
  update: object => {
    object.data = { ...object.data, color: 'green' }
  },
})) {
  conformance(name, run)
}

conformance.run()
