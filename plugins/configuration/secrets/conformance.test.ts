import { orchProfile, Vendor } from 'orch/sdk'
import { resourceConformance } from 'orch/sdk/testing'
import { suite } from 'uvu'
import { configurationNames } from '../names.js'
import { secrets } from './resource.js'
import type { Secret } from './schema.js'

const conformance = suite('secrets serve the whole API')

for (const { name, run } of resourceConformance<Secret>({
  resource: secrets(configurationNames(new Vendor(orchProfile))),
  valid: () => ({ data: { password: 'c2VjcmV0' } }),
  invalid: {
    'a key with a slash': object => {
      object.data = { 'a/b': 'eA==' }
    },
  },
  update: object => {
    object.data = { ...object.data, user: 'bWU=' }
  },
})) {
  conformance(name, run)
}

conformance.run()
