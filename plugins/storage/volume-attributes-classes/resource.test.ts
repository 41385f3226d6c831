import { kubernetesProfile, profileAtVersion, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { validateClassUpdate } from './resource.js'

const classes = suite('classes of attributes of volumes')

const updates: Record<string, string[]> = {
  '1.29': ['parameters', 'driverName'],
  '1.30': ['driverName', 'parameters', 'driverName'],
  '1.34': ['driverName', 'parameters', 'driverName'],
  '1.35': ['parameters', 'driverName'],
}
for (const [version, wrong] of Object.entries(updates))
  classes(`report errors of a changed object as Kubernetes ${version} does`, () => {
    const vendor = new Vendor(profileAtVersion(kubernetesProfile, version)!)
    const stored = { driverName: 'a b', parameters: { a: 'b' } }
    const sent = { driverName: 'a b', parameters: { a: 'c' } }
    assert.equal(
      validateClassUpdate(sent, stored, { vendor }).map(({ field }) => field),
      wrong,
    )
  })

classes.run()
