import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type PersistentVolume, volumeCollection } from '../persistent-volumes/schema.js'
import { storage } from '../plugin.js'
import { requiredPlugins } from '../testing/storage-server.js'
import type { VolumeAttachment } from './schema.js'

const inline = suite('inline volumes of attachments')

const collection = { group: 'storage.k8s.io', version: 'v1', resource: 'volumeattachments' }
const csi = { driver: 'csi.example.com', volumeHandle: 'h' }
const attributed = { csi, accessModes: ['ReadWriteOnce'], volumeAttributesClassName: 'fast' }
const anAttachment = (accessMode = 'ReadWriteOnce'): VolumeAttachment => ({
  metadata: { name: 'a' },
  spec: {
    attacher: 'csi.example.com',
    nodeName: 'north',
    source: { inlineVolumeSpec: { ...attributed, accessModes: [accessMode] } },
  },
})

async function withVersion(kubernetesVersion: string, test: (server: TestServer) => Promise<void>) {
  const server = await startServer({ plugins: [...requiredPlugins, storage], vendor: 'kubernetes', kubernetesVersion })
  try {
    await test(server)
  } finally {
    await server.stop()
  }
}
const create = ({ client }: TestServer, attachment: VolumeAttachment) =>
  client.resource<VolumeAttachment>(collection).create(attachment)

inline('keep a field whose gate is off, which volumes do not', () =>
  withVersion('1.31', async server => {
    const made = await create(server, anAttachment())
    assert.is(made.spec.source.inlineVolumeSpec?.volumeAttributesClassName, 'fast')
    const volumes = server.client.resource<PersistentVolume>(volumeCollection)
    const volume = await volumes.create({
      metadata: { name: 'v' },
      spec: { ...attributed, capacity: { storage: '1Gi' } },
    })
    assert.is(volume.spec?.volumeAttributesClassName, undefined)
  }),
)

inline('may be for single Pods since 1.29, not since volumes may', async () => {
  await withVersion('1.28', async server => {
    const refused = await create(server, anAttachment('ReadWriteOncePod')).catch(String)
    assert.match(String(refused), /accessModes: Unsupported value/)
  })
  await withVersion('1.29', async server => {
    const made = await create(server, anAttachment('ReadWriteOncePod'))
    assert.equal(made.spec.source.inlineVolumeSpec?.accessModes, ['ReadWriteOncePod'])
  })
})

inline.run()
