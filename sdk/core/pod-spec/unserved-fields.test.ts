import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { kubernetesProfile, orchProfile, profileAtVersion, Vendor } from '../../plugin/vendor.js'
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

unserved('include grace periods of probes, unless the stored Pod has some', () => {
  const probe = () => ({ terminationGracePeriodSeconds: 5, periodSeconds: 1 })
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

unserved('include views of /proc and the operating system, unless the stored Pod has some', () => {
  const spec = () =>
    ({
      os: { name: 'linux' },
      containers: [{ name: 'c', securityContext: { procMount: 'Unmasked' } }],
    }) as unknown as PodSpec
  const kept = spec()
  dropUnservedFields(kept, acme, spec())
  assert.equal(kept, spec())
})

unserved('include restart policies of containers at 1.34, except those of sidecars and stored ones', () => {
  const spec = () =>
    ({
      containers: [{ name: 'c', restartPolicy: 'Never' }],
      initContainers: [
        { name: 'i', restartPolicy: 'OnFailure' },
        { name: 's', restartPolicy: 'Always' },
      ],
    }) as unknown as PodSpec
  const policiesAt = (version: string, stored?: PodSpec) => {
    const dropped = spec()
    dropUnservedFields(dropped, new Vendor(profileAtVersion(kubernetesProfile, version)!), stored)
    return [...dropped.containers, ...(dropped.initContainers ?? [])].map(({ restartPolicy }) => restartPolicy)
  }
  const sent = ['Never', 'OnFailure', 'Always']
  assert.equal(policiesAt('1.33'), sent)
  assert.equal(policiesAt('1.34'), [undefined, undefined, 'Always'])
  assert.equal(policiesAt('1.34', spec()), sent)
  assert.equal(policiesAt('1.35'), sent)
})

unserved.run()
