import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { orchProfile, Vendor } from '../../plugin/vendor.js'
import type { PodSpec } from '../pod-spec.js'
import { dropUnservedFields } from './unserved-fields.js'

const acme = new Vendor({ ...orchProfile, domain: 'acme.test' })

const unserved = suite('fields that are not served')

unserved('are dropped or reset to their default, and no others', () => {
  const container = (procMount: string) => ({ name: 'c', securityContext: { privileged: true, procMount } })
  const spec = {
    os: { name: 'windows' },
    containers: [container('Unmasked'), { name: 'd' }],
    initContainers: [container('Default')],
    ephemeralContainers: [container('Unmasked')],
  } as unknown as PodSpec
  dropUnservedFields(spec, acme)
  assert.equal(spec as unknown, {
    containers: [container('Default'), { name: 'd' }],
    initContainers: [container('Default')],
    ephemeralContainers: [container('Default')],
  })
})

unserved('include gRPC probes and grace periods of probes, unless the stored Pod has some', () => {
  const probe = () => ({ grpc: { port: 1 }, terminationGracePeriodSeconds: 5, periodSeconds: 1 })
  const spec = () =>
    ({ containers: [{ name: 'c', livenessProbe: probe(), readinessProbe: probe() }] }) as unknown as PodSpec
  const dropped = spec()
  dropUnservedFields(dropped, acme)
  const readinessProbe = { terminationGracePeriodSeconds: 5, periodSeconds: 1 }
  assert.equal(dropped as unknown, {
    containers: [{ name: 'c', livenessProbe: { periodSeconds: 1 }, readinessProbe }],
  })
  const kept = spec()
  dropUnservedFields(kept, acme, spec())
  assert.equal(kept, spec())
})

unserved.run()
