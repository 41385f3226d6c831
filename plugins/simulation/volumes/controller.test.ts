import { type ApiObject, orchProfile, Vendor } from 'orch/sdk'
import { createClient } from 'orch/sdk/client'
import { FakeApi, fakeClock, fakeLogger, fakeMetrics } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { simulationNames } from '../names.js'
import { volumeLoop } from './controller.js'

const volumes = suite('simulated volumes')
const vendor = new Vendor(orchProfile)
const names = simulationNames(vendor)
const claims = '/api/v1/namespaces/town/persistentvolumeclaims'
const volumePath = '/api/v1/persistentvolumes'
const classes = `/apis/${names.classes.group}/v1/storageclasses`

async function run(prepare: (api: FakeApi) => void): Promise<FakeApi> {
  const api = new FakeApi()
  const clock = fakeClock()
  prepare(api)
  const client = createClient({ transport: api.transport, clock })
  const stop = await volumeLoop(names).start({ client, clock, logger: fakeLogger(), metrics: fakeMetrics(), vendor })
  for (let turn = 0; turn < 10; turn++) {
    await new Promise(resolve => setTimeout(resolve, 5))
    await clock.advance(100)
  }
  await stop()
  return api
}
const claim = (name: string, storageClassName: string): ApiObject => ({
  metadata: { name, namespace: 'town', annotations: { [names.provisionerAnnotation]: names.provisioner } },
  spec: { storageClassName },
})

volumes(
  'are provisioned for claims of the simulated class, and not for claims that only carry the annotation',
  async () => {
    const api = await run(api => {
      api.put(`${classes}/simulated`, { metadata: { name: 'simulated' }, provisioner: names.provisioner } as ApiObject)
      api.put(`${classes}/disks`, { metadata: { name: 'disks' }, provisioner: 'example.com/disks' } as ApiObject)
      api.put(`${claims}/good`, claim('good', 'simulated'))
      api.put(`${claims}/forged`, claim('forged', 'disks'))
      api.put(`${claims}/classless`, claim('classless', 'nowhere'))
    })
    assert.is(api.requests.filter(request => request === `POST ${volumePath}`).length, 1)
  },
)

volumes('of other provisioners are never removed', async () => {
  const api = await run(api => {
    const spec = { persistentVolumeReclaimPolicy: 'Delete' }
    const status = { phase: 'Released' }
    const annotations = { [names.provisionedBy]: names.provisioner }
    api.put(`${volumePath}/ours`, { metadata: { name: 'ours', annotations }, spec, status } as ApiObject)
    api.put(`${volumePath}/others`, { metadata: { name: 'others' }, spec, status } as ApiObject)
  })
  assert.equal(
    api.requests.filter(request => request.startsWith('DELETE')),
    [`DELETE ${volumePath}/ours`],
  )
})

volumes.run()
