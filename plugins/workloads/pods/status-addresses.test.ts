import { kubernetesProfile, profileAtVersion, Vendor, type VendorProfile } from 'orch/sdk'
import type { Pod } from 'orch/sdk/core'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { validateAddresses } from './status-addresses.js'

const podWith = (podIPs: readonly string[] = [], hostIPs: readonly string[] = []): Pod => ({
  spec: { containers: [] },
  status: {
    podIPs: podIPs.map(ip => ({ ip })),
    hostIPs: hostIPs.map(ip => ({ ip })),
    ...(hostIPs[0] === undefined ? {} : { hostIP: hostIPs[0] }),
  },
})
const problemsAt = (version: string, sent: Pod, stored = podWith()) =>
  validateAddresses(sent, stored, new Vendor(profileAtVersion(kubernetesProfile, version) as VendorProfile)).map(
    ({ field, type }) => `${field} ${type.replace('FieldValue', '')}`,
  )

const addresses = suite('addresses of Pods')
const odd = ['010.0.0.1', '::ffff:10.0.0.1', '::ffff:a00:1']
for (const ip of odd)
  addresses(`are strict from 1.36 on: ${ip}`, () => {
    const lists = { podIPs: podWith([ip]), hostIPs: podWith([], [ip]) }
    for (const [list, pod] of Object.entries(lists)) {
      assert.equal(problemsAt('1.35', pod), [])
      assert.equal(problemsAt('1.36', pod), [`status.${list}[0] Invalid`])
      assert.equal(problemsAt('1.36', pod, pod), [], 'a stored one may stay')
    }
  })
addresses('are of two families if there are two', () => {
  for (const list of ['podIPs', 'hostIPs'] as const) {
    const pod = (...ips: string[]) => (list === 'podIPs' ? podWith(ips) : podWith([], ips))
    assert.equal(problemsAt('1.36', pod('10.0.0.1', 'fd00::1')), [])
    assert.equal(problemsAt('1.36', pod('10.0.0.1', '10.0.0.2')), [`status.${list} Invalid`])
    assert.equal(problemsAt('1.36', pod('10.0.0.1', 'fd00::1', 'fd00::2')), [`status.${list} Invalid`])
    assert.equal(problemsAt('1.35', pod('10.0.0.1', '::ffff:10.0.0.2')), [`status.${list} Invalid`])
    const broken = [`status.${list}[1] Invalid`, `status.${list} InternalError`, `status.${list} Invalid`]
    assert.equal(problemsAt('1.36', pod('10.0.0.1', 'x')), broken)
  }
})
addresses('that are repeated are duplicates until 1.32', () => {
  const twice = podWith(['10.0.0.1', '10.0.0.1'])
  assert.equal(problemsAt('1.32', twice), ['status.podIPs Invalid', 'status.podIPs[1] Duplicate'])
  assert.equal(problemsAt('1.33', twice), ['status.podIPs Invalid'])
})
addresses('of the node begin with hostIP', () => {
  const pod = podWith([], ['10.0.0.1'])
  const other = { ...pod, status: { ...pod.status, hostIP: '10.0.0.2' } }
  assert.equal(problemsAt('1.30', other), ['status.hostIPs[0].ip Invalid'])
})
addresses.run()
