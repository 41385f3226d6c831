import { kubernetesProfile, orchProfile, profileAtVersion, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { storageNames } from './names.js'
import { warningsAboutCapacity, warningsAboutClaim, warningsAboutVolume } from './warnings.js'

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

const annotations = { 'volume.beta.kubernetes.io/storage-class': 'fast' }
const atVersions: Record<string, { claim: string[]; volume: string[] }> = {
  '1.25': { claim: [], volume: ['spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key'] },
  '1.27': {
    claim: ['spec.resources.requests[storage]'],
    volume: ['spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key'],
  },
  '1.28': {
    claim: ['metadata.annotations[volume.beta.kubernetes.io/storage-class]', 'spec.resources.requests[storage]'],
    volume: [
      'metadata.annotations[volume.beta.kubernetes.io/storage-class]',
      'spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key',
    ],
  },
}
for (const [version, { claim, volume }] of Object.entries(atVersions))
  warnings(`know the annotation for the class since 1.28: at ${version}`, () => {
    const served = new Vendor(profileAtVersion(kubernetesProfile, version)!)
    const names = storageNames(served)
    const fields = (texts: string[]) => texts.map(text => text.split(': ')[0])
    const resources = { requests: { storage: '1m' } }
    assert.equal(fields(warningsAboutClaim({ metadata: { annotations }, spec: { resources } }, names, served)), claim)
    const onLinux = { matchExpressions: [{ key: 'beta.kubernetes.io/os', operator: 'Exists' }] }
    const nodeAffinity = { required: { nodeSelectorTerms: [onLinux] } }
    assert.equal(
      fields(warningsAboutVolume({ metadata: { annotations }, spec: { nodeAffinity } }, names, served)),
      volume,
    )
  })

warnings.run()
