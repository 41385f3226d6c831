import { kubernetesProfile, orchProfile, profileAtVersion, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { warnOfStaticName } from './static-names.js'

const names = suite('names of webhook configurations in files')
const at = (version: string) => new Vendor(profileAtVersion(kubernetesProfile, version) ?? kubernetesProfile)

names('are used elsewhere with a warning since 1.36', () => {
  const warnings = (name: string, vendor: Vendor) => warnOfStaticName({ name }, vendor).length
  assert.is(warnings('a.static.k8s.io', at('1.36')), 1)
  assert.is(warnings('a.static.k8s.io', at('1.35')), 0)
  assert.is(warnings('static.k8s.io', at('1.36')), 0)
  assert.is(warnings('a.static.orch.io', new Vendor(orchProfile)), 0)
})
names.run()
