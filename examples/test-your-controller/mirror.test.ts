import type { ApiObject } from 'orch/sdk'
import { startServer, type TestServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { mirror } from './mirror.js'

const mirroring = suite<{ server: TestServer }>('the mirror, tested from TypeScript')
const configMaps = { group: '', version: 'v1', resource: 'configmaps' }
const namespaces = { group: '', version: 'v1', resource: 'namespaces' }

let running: Promise<TestServer> | undefined
mirroring.before.each(async context => {
  running ??= startServer({ vendor: 'kubernetes' })
  context.server = await running
  await context.server.client.resource<ApiObject>(namespaces).create({ metadata: { name: 'copies' } })
})
// Removes everything that a test has created, in milliseconds.
mirroring.after.each(({ server }) => server.reset())
mirroring.after(async () => (await running)?.stop())

const source = (color: string) => ({ metadata: { name: 'paint', labels: { mirror: 'yes' } }, data: { color } })

mirroring('copies only labelled ConfigMaps', async ({ server: { client } }) => {
  const maps = client.resource<ApiObject>(configMaps)
  await maps.in('default').create(source('red'))
  await maps.in('default').create({ metadata: { name: 'other' } })
  assert.equal(await mirror(client, 'copies'), ['paint'])
  assert.equal((await maps.in('copies').get('paint'))['data' as never], { color: 'red' })
  assert.is(await maps.in('copies').find('other'), undefined)
  assert.equal(await mirror(client, 'copies'), [], 'nothing is left to do')
})

mirroring('follows changes', async ({ server: { client } }) => {
  const maps = client.resource<ApiObject>(configMaps)
  await maps.in('default').create(source('red'))
  await mirror(client, 'copies')
  await maps.in('default').patch('paint', { data: { color: 'blue' } })
  assert.equal(await mirror(client, 'copies'), ['paint'])
  assert.equal((await maps.in('copies').get('paint'))['data' as never], { color: 'blue' })
})

mirroring('needs permissions', async ({ server }) => {
  await server.client.resource<ApiObject>(configMaps).in('default').create(source('red'))
  const nobody = await server.addUser({ name: 'nobody' })
  const failure = await mirror(nobody.client, 'copies').catch((error: Error) => error.message)
  assert.match(String(failure), /User "nobody" cannot list resource "configmaps"/)
})

mirroring.run()
