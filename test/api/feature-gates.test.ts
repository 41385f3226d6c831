import type { ApiObject } from 'orch/sdk'
import { orchProfile, Vendor } from 'orch/sdk'
import { clientFromConfig } from 'orch/sdk/client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runBinary } from '../boot/run-binary.js'
import { startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'

const gates = suite('feature gates of a server')
interface Claim extends ApiObject {
  spec?: { dataSourceRef?: object; resources?: object }
}
const claim = (name: string) => ({
  metadata: { name },
  spec: {
    accessModes: ['ReadWriteOnce'],
    resources: { requests: { storage: '1Gi' } },
    dataSourceRef: { apiGroup: 'example.com', kind: 'Image', name: 'base' },
  },
})

async function withGates(
  flags: readonly string[],
  use: (client: Awaited<ReturnType<typeof clientFromConfig>>) => Promise<void>,
) {
  const server = await startOrch({ flags: [...flags] })
  const vendor = new Vendor(orchProfile)
  const client = await clientFromConfig({ vendor, environment: { ORCHCONFIG: server.adminConfig } })
  try {
    await use(client)
  } finally {
    await server.stop()
  }
}

gates('decide whether a claim may have any data source, and whether lists are chunked', async () => {
  for (const isOn of [false, true]) {
    const flags = [`--feature-gates=AnyVolumeDataSource=${isOn},APIListChunking=${isOn}`]
    await withGates(flags, async client => {
      const claims = client
        .resource<Claim>({ group: '', version: 'v1', resource: 'persistentvolumeclaims' })
        .in('default')
      const made = await claims.create(claim('a') as Claim)
      assert.is(made.spec?.dataSourceRef !== undefined, isOn)
      await claims.create(claim('b') as Claim)
      const { items } = await claims.list({ limit: 1 })
      assert.is(items.length, isOn ? 1 : 2)
    })
  }
})

gates('that are unknown fail the start with one line', async () => {
  const { path, remove } = temporaryFolder()
  const { code, err } = await runBinary(path, 'serve', '--secure-port=0', '--feature-gates=AnyVolumeDataSrc=true')
  remove()
  assert.is(code, 2)
  assert.match(err, 'did you mean "AnyVolumeDataSource"?')
})

gates.run()
