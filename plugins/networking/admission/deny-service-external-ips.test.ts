import type { Service } from 'orch/sdk/core'
import { admit } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { denyServiceExternalIps } from './deny-service-external-ips.js'

const aService = (...externalIPs: string[]): Service => ({ metadata: { name: 's' }, spec: { externalIPs } })
const write = async (sent: string[], stored?: string[], dryRun = false) => {
  const update = stored ? ({ operation: 'update', oldObject: aService(...stored) } as const) : {}
  const request = { resource: 'services', object: aService(...sent), dryRun, ...update }
  return (await admit(denyServiceExternalIps, request, {})).refusal?.code
}

const deny = suite('deny service external IPs')

deny('lets Services without them pass', async () => {
  assert.is(await write([]), undefined)
  assert.is(await write([], []), undefined)
})
deny('refuses a new Service that has one, on a dry run too', async () => {
  assert.is(await write(['192.0.2.1']), 403)
  assert.is(await write(['192.0.2.1'], undefined, true), 403)
})
deny('refuses an update that adds one', async () => {
  assert.is(await write(['192.0.2.1', '192.0.2.2'], ['192.0.2.1']), 403)
})
deny('lets an update keep and remove those that were there', async () => {
  assert.is(await write(['192.0.2.1'], ['192.0.2.2', '192.0.2.1']), undefined)
})

deny.run()
