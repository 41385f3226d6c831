import type { ApiObject } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { convertFirst, type StorageVersionMigration } from './schema.js'
import { validateMigration, validateMigrationStatus } from './validation.js'

const migrations = suite('migrations of stored versions')
const definition = (stored: 'v1' | 'v2') => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'shelves.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Namespaced',
    names: { plural: 'shelves', singular: 'shelf', kind: 'Shelf' },
    versions: (['v1', 'v2'] as const).map(name => ({
      name,
      served: true,
      storage: name === stored,
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    })),
  },
})
const shelves = { group: 'example.com', version: 'v2', resource: 'shelves' }

async function withServer(kubernetesVersion: string, look: (server: TestServer) => Promise<void>) {
  const server = await startServer({
    vendor: 'kubernetes',
    kubernetesVersion,
    options: {
      runtimeConfig: { 'storagemigration.k8s.io/v1beta1': 'true', 'storagemigration.k8s.io/v1alpha1': 'true' },
      featureGates: { StorageVersionMigrator: 'true' },
    },
  })
  try {
    await look(server)
  } finally {
    await server.stop()
  }
}

migrations('store objects in the new version, and change nothing else', async () => {
  for (const [kubernetesVersion, version] of [
    ['1.36', 'v1beta1'],
    ['1.31', 'v1alpha1'],
  ] as const)
    await withServer(kubernetesVersion, async server => {
      const { client } = server
      await server.installCrds(definition('v1'))
      const objects = client.resource<ApiObject>(shelves).in('default')
      const old = await objects.create({ metadata: { name: 'old' } } as ApiObject)
      await server.installCrds(definition('v2'))
      const svm = client.resource<StorageVersionMigration>({
        group: 'storagemigration.k8s.io',
        version,
        resource: 'storageversionmigrations',
      })
      const resource = { group: 'example.com', resource: 'shelves', version: 'v2' }
      await svm.create({ metadata: { name: 'm' }, spec: { resource } } as StorageVersionMigration)
      const done = await svm.waitFor('m', ({ status }) =>
        (status.conditions ?? []).some(({ type, status: is }) => type === 'Succeeded' && is === 'True'),
      )
      assert.ok(done.status.resourceVersion)
      const migrated = await objects.get('old')
      assert.is.not(migrated.metadata.resourceVersion, old.metadata.resourceVersion)
      assert.is(migrated.metadata.uid, old.metadata.uid)
      assert.equal(migrated.metadata.managedFields, old.metadata.managedFields)
    })
})

const aMigration = (status: StorageVersionMigration['status'] = {}): StorageVersionMigration => ({
  metadata: { name: 'm' },
  spec: { resource: { group: 'example.com', resource: 'shelves' } },
  status,
})
const condition = (type: string) => ({
  type,
  status: 'True',
  reason: 'Because',
  message: '',
  lastTransitionTime: '2026-01-01T00:00:00Z',
})
const fieldsOf = (errors: readonly { field: string }[]) => errors.map(({ field }) => field)

migrations('name a type', () => {
  assert.equal(validateMigration(aMigration()), [])
  const without = { ...aMigration(), spec: { resource: { group: 'A', resource: '' } } }
  assert.equal(fieldsOf(validateMigration(without)), ['spec.resource.resource', 'spec.resource.group'])
})

migrations('begin and end once', () => {
  const [begun, done] = [{ resourceVersion: '7' }, { conditions: [condition('Succeeded')] }]
  assert.equal(validateMigrationStatus(aMigration(begun), aMigration(), true), [])
  assert.equal(fieldsOf(validateMigrationStatus(aMigration({ resourceVersion: '8' }), aMigration(begun), true)), [
    'status.resourceVersion',
  ])
  assert.equal(fieldsOf(validateMigrationStatus(aMigration(), aMigration(done), true)), ['status.conditions'])
  const both = { conditions: [condition('Succeeded'), condition('Failed')] }
  assert.equal(fieldsOf(validateMigrationStatus(aMigration(both), aMigration(), true)), ['status.conditions'])
})

migrations('do not begin at version 0, except in older versions', () => {
  const zero = aMigration({ resourceVersion: '0' })
  assert.equal(fieldsOf(validateMigrationStatus(zero, aMigration(), true)), ['status.resourceVersion'])
  assert.equal(validateMigrationStatus(zero, aMigration(), false), [])
})

migrations('are the same in the first version and back', () => {
  const migration = aMigration({ resourceVersion: '7', conditions: [condition('Running')] })
  assert.equal(convertFirst.toStorage(convertFirst.fromStorage(migration)), migration)
})

migrations.run()
