import { hostname } from 'node:os'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { identityOf } from './server-identity.js'

interface LeaseSeen {
  readonly metadata: { readonly name: string; readonly labels: Record<string, string> }
  readonly spec: { readonly holderIdentity: string; readonly leaseDurationSeconds: number; readonly renewTime: string }
}

const identity = suite('the Lease of a server')

identity('has a name derived from the machine, as in the reference', () => {
  assert.match(identityOf('machine'), /^apiserver-[a-z2-7]{26}$/)
  assert.is(identityOf('machine'), identityOf('machine'))
  assert.is.not(identityOf('machine'), identityOf('other'))
})

for (const [kubernetesVersion, hasLease] of [
  ['1.25', false],
  ['1.26', true],
  ['1.36', true],
] as const)
  identity(`${hasLease ? 'is there' : 'is not there'} at ${kubernetesVersion}`, async () => {
    const server = await startServer({ vendor: 'kubernetes', kubernetesVersion, options: { controllers: ['-*'] } })
    try {
      const leases = server.client
        .resource<LeaseSeen>({ group: 'coordination.k8s.io', version: 'v1', resource: 'leases' })
        .in('kube-system')
      const list = async () =>
        (await leases.list({ labelSelector: 'apiserver.kubernetes.io/identity=kube-apiserver' })).items
      const until = Date.now() + 10_000
      while (hasLease && (await list()).length === 0 && Date.now() < until)
        await new Promise(resolve => setTimeout(resolve, 20))
      const found = await list()
      assert.is(found.length, hasLease ? 1 : 0)
      if (!hasLease) return
      const [{ metadata, spec }] = found as [LeaseSeen]
      assert.is(metadata.name, identityOf(hostname()))
      assert.is(metadata.labels['kubernetes.io/hostname'], hostname())
      assert.is(spec.leaseDurationSeconds, 3600)
      assert.ok(spec.holderIdentity.startsWith(`${metadata.name}_`))
      assert.match(spec.renewTime, /\.\d{6}Z$/)
    } finally {
      await server.stop()
    }
  })

identity.run()
