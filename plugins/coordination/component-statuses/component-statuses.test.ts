import { definePlugin } from 'orch/sdk'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { leases } from '../leases/resource.js'
import { componentStatuses } from './resource.js'

const components = suite('component statuses')
const plugin = definePlugin({
  name: 'components-under-test',
  register: (to, { vendor }) => to.resource(leases(vendor), componentStatuses(vendor)),
})
const path = '/api/v1/componentstatuses'

for (const [vendor, prefix, store, domain] of [
  ['orch', 'orch', 'storage-0', 'orch.io'],
  ['kubernetes', 'kube', 'etcd-0', 'k8s.io'],
] as const)
  components(`show the health of the control plane: ${vendor}`, async () => {
    const server = await startServer({ plugins: [plugin], vendor })
    const ask = async (below: string, method = 'GET', accept = 'application/json') => {
      const headers = { authorization: `Bearer ${server.token}`, accept }
      const answer = await fetch(`${server.baseUrl}${below}`, { method, headers })
      return { status: answer.status, warning: answer.headers.get('warning'), body: JSON.parse(await answer.text()) }
    }
    type Status = { metadata: { name: string }; conditions: { type: string; status: string; message: string }[] }
    const told = ({ metadata, conditions: [condition] }: Status) => [metadata.name, condition?.type, condition?.status]
    try {
      const all = await ask(path)
      assert.equal([all.status, all.body.kind, all.body.metadata], [200, 'ComponentStatusList', {}])
      assert.match(all.warning ?? '', 'v1 ComponentStatus is deprecated in v1.19+')
      assert.equal(all.body.items.map(told), [
        ['controller-manager', 'Healthy', 'True'],
        ['scheduler', 'Healthy', 'False'],
        [store, 'Healthy', 'True'],
      ])
      const held = server.client
        .resource({ group: `coordination.${domain}`, version: 'v1', resource: 'leases' })
        .in(`${prefix}-system`)
      const spec = (renewTime: Date) => ({
        holderIdentity: 'me',
        leaseDurationSeconds: 60,
        renewTime: renewTime.toISOString().replace('Z', '000Z'),
      })
      await held.create({ metadata: { name: `${prefix}-scheduler` }, spec: spec(new Date()) } as never)
      await held.create({ metadata: { name: `${prefix}-controller-manager` }, spec: spec(new Date(0)) } as never)
      const scheduler = await ask(`${path}/scheduler`)
      assert.equal([scheduler.body.kind, ...told(scheduler.body)], ['ComponentStatus', 'scheduler', 'Healthy', 'True'])
      assert.equal(told((await ask(`${path}/controller-manager`)).body).at(-1), 'False', 'its lease has expired')
      const selected = await ask(`${path}?fieldSelector=metadata.name%3Dscheduler`)
      assert.equal(
        selected.body.items.map(({ metadata }: Status) => metadata.name),
        ['scheduler'],
      )
      const table = await ask(path, 'GET', 'application/json;as=Table;v=v1;g=meta.k8s.io, application/json')
      if (vendor === 'kubernetes') assert.equal(table.body.rows[1].cells.slice(0, 2), ['scheduler', 'Healthy'])
      assert.equal((await ask(`${path}/nobody`)).status, 404)
      for (const method of ['POST', 'DELETE']) assert.is((await ask(path, method)).status, 405, method)
      assert.is((await ask(`${path}?watch=true`)).status, 405)
      const found = (await ask('/api/v1')).body.resources.find(
        ({ name }: { name: string }) => name === 'componentstatuses',
      )
      assert.equal([found.verbs, found.shortNames], [['get', 'list'], ['cs']])
    } finally {
      await server.stop()
    }
  })

components.run()
