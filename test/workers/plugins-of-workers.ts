import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import type { GreeterStatus } from '../support/greeter-package.js'
import type { Connection } from './connection.js'
import { patientMs } from './worker-server.js'

const maps = '/api/v1/namespaces/default/configmaps'

/** A plugin comes, changes and goes by its object, in every worker; its loop runs in the primary, whose process id is given. */
export async function tryPlugins(connections: readonly Connection[], pid: number): Promise<void> {
  const [first] = connections as [Connection]
  const plugins = '/apis/plugins.orch.io/v1alpha1/plugins'
  const serve = (wanted: string) =>
    eventually(
      `every worker to serve ${wanted}`,
      async () => {
        const replies = await Promise.all(connections.map(each => each.get('/greeting')))
        return replies.every(({ status, text }) => (status === 200 ? text : 'none') === wanted)
      },
      patientMs,
    )
  const spec = { package: 'greeter-1.mjs' }
  const made = await first.post(plugins, { metadata: { name: 'greeter' }, spec })
  assert.is(made.status, 201)
  await serve('1')
  // The status may be written in between.
  await eventually(
    'the update',
    async () => {
      const replaced = { ...(await first.get(`${plugins}/greeter`)).body, spec: { package: 'greeter-2.mjs' } }
      return (await first.put(`${plugins}/greeter`, replaced)).status === 200
    },
    patientMs,
  )
  await serve('2')
  const loops = async () => {
    const { body } = await first.get(maps)
    return body.items?.map(({ metadata: { name } }) => name).filter(name => name.startsWith('loop-'))
  }
  const wanted = [`loop-1-${pid}`, `loop-2-${pid}`]
  await eventually('the loops of the primary', async () => String(await loops()) === String(wanted), patientMs)
  const status = await eventually(
    'the status',
    async () => {
      const found: GreeterStatus = (await first.get(`${plugins}/greeter`)).body.status ?? {}
      return found.observedGeneration === 2 && found
    },
    patientMs,
  )
  assert.is(status.servers, undefined)
  assert.is((await first.delete(`${plugins}/greeter`)).status, 200)
  await serve('none')
}
