import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { kubernetesProfile, profileAtVersion, Vendor } from '../../plugin/vendor.js'
import type { PodSpec } from '../pod-spec.js'
import { container } from './testing/pod-spec-problems.js'
import { validateSysctls } from './validate-sysctls.js'

const validation = suite('validation of sysctls')
const podWith = (names: readonly string[], change: object = {}) =>
  ({
    containers: [container],
    securityContext: { sysctls: names.map(name => ({ name, value: '1' })) },
    ...change,
  }) as PodSpec
function wrongNames(version: string, spec: PodSpec, stored?: PodSpec): string[] {
  const vendor = new Vendor(profileAtVersion(kubernetesProfile, version)!)
  return validateSysctls(spec, 'spec', vendor, stored).map(
    ({ field, type }) => `${/\d+/.exec(field)} ${type.slice(10)}`,
  )
}

validation('names may be paths since 1.25, and before if they are stored', () => {
  const path = podWith(['net/ipv4'])
  assert.equal(wrongNames('1.24', path), ['0 Invalid'])
  assert.equal(wrongNames('1.24', path, path), [])
  assert.equal(wrongNames('1.25', path), [])
})

const ofNetwork = ['net.ipv4.ip_forward', 'net/ipv4/ip_forward']
const ofIpc = ['kernel.sem', 'kernel.shm', 'kernel.msgmax', 'fs.mqueue.msg_max', 'fs/mqueue/msg_max']
const ofNeither = ['kernel.shmall.x', 'network', 'net', 'fs.mqueue', 'vm.swappiness']
const all = [...ofNetwork, ...ofIpc, ...ofNeither]
for (const [field, shared] of Object.entries({ hostNetwork: ofNetwork, hostIPC: ofIpc }))
  validation(`a Pod with ${field} cannot set what it shares with the host since 1.29, unless it does already`, () => {
    const spec = podWith(all, { [field]: true })
    const expected = shared.map(name => `${all.indexOf(name)} Invalid`)
    assert.equal(wrongNames('1.29', spec), expected)
    assert.equal(wrongNames('1.29', spec, podWith(all)), expected)
    assert.equal(wrongNames('1.29', spec, spec), [])
    assert.equal(wrongNames('1.28', spec), [])
    assert.equal(wrongNames('1.29', podWith(all)), [])
  })

validation('a name that is repeated is also told to be of the host', () => {
  const spec = podWith(['', 'net.a', 'net.a'], { hostNetwork: true })
  assert.equal(wrongNames('1.30', spec), ['0 Required', '1 Invalid', '2 Duplicate', '2 Invalid'])
})

validation.run()
