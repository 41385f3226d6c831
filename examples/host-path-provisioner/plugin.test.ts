import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { namespaces } from 'orch/plugins/namespaces'
import { nodes } from 'orch/plugins/nodes'
import { storage } from 'orch/plugins/storage'
import { workloads } from 'orch/plugins/workloads'
import { orchProfile, Vendor } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Claim, namesFor, type StorageClass, type Volume } from './objects.js'
import { hostPathProvisioner } from './plugin.js'

const names = namesFor(new Vendor(orchProfile))
const example = suite('the host-path provisioner example')

/** A server with the provisioner, its folder, and its storage class. */
async function withProvisioner(
  test: (client: Client, root: string) => Promise<void>,
  more: Partial<StorageClass> = {},
): Promise<void> {
  const root = await mkdtemp(join(tmpdir(), 'host-path-example-'))
  const plugins = [namespaces, nodes, workloads, storage, hostPathProvisioner({ hostPathRoot: root })]
  const server = await startServer({ plugins })
  try {
    await server.client.resource<StorageClass>(names.classes).create({
      metadata: { name: 'folders' },
      provisioner: 'example.com/host-path',
      allowVolumeExpansion: true,
      ...more,
    })
    await test(server.client, root)
  } finally {
    await server.stop()
    await rm(root, { recursive: true })
  }
}
const aClaim = (more: Partial<Claim['spec']> = {}): Claim => ({
  metadata: { name: 'data' },
  spec: {
    storageClassName: 'folders',
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    ...more,
  },
})
const isBound = ({ status }: Claim) => status?.phase === 'Bound'

example('creates a folder for a claim, resizes it, and removes it with the claim', async () => {
  await withProvisioner(async (client, root) => {
    const claims = client.resource<Claim>(names.claims).in('default')
    await claims.create(aClaim())
    const bound = await claims.waitFor('data', isBound)
    const volumeName = bound.spec.volumeName ?? ''
    assert.equal(bound.status?.capacity, { storage: '1Gi' })
    assert.equal(await readdir(root), [volumeName])
    await writeFile(join(root, volumeName, 'file'), 'contents')

    await claims.patch('data', { spec: { resources: { requests: { storage: '3Gi' } } } })
    const grown = await claims.waitFor('data', ({ status }) => status?.capacity?.['storage'] === '3Gi')
    assert.equal(grown.status?.conditions ?? [], [])
    const volumes = client.resource<Volume>(names.volumes)
    assert.equal((await volumes.get(volumeName)).spec.capacity, { storage: '3Gi' })

    await claims.delete('data')
    await claims.waitForDeletion('data')
    await volumes.waitForDeletion(volumeName)
    assert.equal(await readdir(root), [])
  })
})

example('keeps volumes of a class with the policy Retain', async () => {
  await withProvisioner(
    async (client, root) => {
      const claims = client.resource<Claim>(names.claims).in('default')
      await claims.create(aClaim())
      const { spec } = await claims.waitFor('data', isBound)
      await claims.delete('data')
      const volumes = client.resource<Volume>(names.volumes)
      await volumes.waitFor(spec.volumeName ?? '', ({ status }) => status?.phase === 'Released')
      assert.ok(existsSync(join(root, spec.volumeName ?? '')))
    },
    { reclaimPolicy: 'Retain' },
  )
})

example('waits for the node of the first consumer if the class requires it', async () => {
  await withProvisioner(
    async (client, root) => {
      const claims = client.resource<Claim>(names.claims).in('default')
      await claims.create(aClaim())
      await claims.patch('data', { metadata: { annotations: { [names.provisioner]: 'example.com/host-path' } } })
      await new Promise(resolve => setTimeout(resolve, 200))
      assert.equal(await readdir(root), [])
      await claims.patch('data', { metadata: { annotations: { [names.selectedNode]: 'north' } } })
      const { spec } = await claims.waitFor('data', isBound)
      const volume = await client.resource<Volume>(names.volumes).get(spec.volumeName ?? '')
      const [term] = volume.spec.nodeAffinity?.required?.nodeSelectorTerms ?? []
      assert.equal(term?.matchExpressions, [{ key: names.hostname, operator: 'In', values: ['north'] }])
    },
    { volumeBindingMode: 'WaitForFirstConsumer' },
  )
})

example('does not touch folders that are not its own', async () => {
  await withProvisioner(async (client, root) => {
    const elsewhere = await mkdtemp(join(tmpdir(), 'not-yours-'))
    try {
      const volumes = client.resource<Volume>(names.volumes)
      await volumes.create({
        metadata: { name: 'pvc-trap', annotations: { [names.provisionedBy]: 'example.com/host-path' } },
        spec: {
          capacity: { storage: '1Gi' },
          accessModes: ['ReadWriteOnce'],
          persistentVolumeReclaimPolicy: 'Delete',
          hostPath: { path: elsewhere },
          claimRef: { namespace: 'default', name: 'gone', uid: 'gone' },
        },
      })
      await volumes.waitFor('pvc-trap', ({ status }) => status?.phase === 'Released')
      await new Promise(resolve => setTimeout(resolve, 200))
      assert.ok(existsSync(elsewhere))
      assert.ok(await volumes.find('pvc-trap'))
      assert.equal(await readdir(root), [])
    } finally {
      await rm(elsewhere, { recursive: true })
    }
  })
})

example.run()
