import { orchProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { warningsAboutCapacity } from './warnings.js'

const vendor = new Vendor({ ...orchProfile, name: 'acme', domain: 'acme.test', groupDomain: 'acme.test' })
const warnings = suite('warnings about storage')

warnings('name old labels of nodes in the topology of a capacity', () => {
  const capacity = {
    storageClassName: 'fast',
    nodeTopology: {
      matchLabels: { 'beta.acme.test/os': 'linux', zone: 'a' },
      matchExpressions: [
        { key: 'zone', operator: 'Exists' },
        { key: 'beta.acme.test/arch', operator: 'Exists' },
      ],
    },
  }
  assert.equal(
    warningsAboutCapacity(capacity as never, vendor).map(text => text.split(': ')[0]),
    ['nodeTopology.matchExpressions[1].key', 'nodeTopology.matchLabels.beta.acme.test/os'],
  )
})

warnings.run()
