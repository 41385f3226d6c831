import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { gears } from './gears.js'
import { startWorld } from './start-world.js'
import type { WebhookWorld } from './webhook-world.js'

const conversion = suite('requests through other versions and groups')
let world: WebhookWorld
let count = 0
const called = () => world.webhook.takeCalls('/town/a')
const rule = (group: string, version: string, resources = ['gears']) => ({
  operations: ['*'],
  apiGroups: [group],
  apiVersions: [version],
  resources,
})
const configure = (
  rules: object[],
  changes: object = {},
  version = 'v1',
  kind: 'Mutating' | 'Validating' = 'Validating',
) => world.configure(kind, 'a', [world.hook('town', 'a', { rules, ...changes })], version)
const viaV1 = (teeth = 8) =>
  world.mustSend('POST', '/apis/acme.test/v1/namespaces/town/gears', { metadata: { name: `g${++count}` }, teeth })
const viaOldGroup = () =>
  world.mustSend('POST', '/apis/old.acme.test/v1/namespaces/town/gears', {
    metadata: { name: `g${++count}` },
    toothCount: '8',
  })

conversion('the server and the webhook start', async () => {
  world = await startWorld({ plugins: [gears] })
  await world.namespace('town')
})
conversion('do not reach a webhook of matchPolicy Exact', async () => {
  await configure([rule('acme.test', 'v2')], { matchPolicy: 'Exact' })
  await viaV1()
  await viaOldGroup()
  assert.equal(await called(), [])
})
conversion('reach a webhook of matchPolicy Equivalent in the version of its rule', async () => {
  await configure([rule('acme.test', 'v2')], { matchPolicy: 'Equivalent' })
  await viaV1()
  const request = (await called())[0]?.review.request
  assert.equal(request?.['kind'], { group: 'acme.test', version: 'v2', kind: 'Gear' })
  assert.equal(request?.['resource'], { group: 'acme.test', version: 'v2', resource: 'gears' })
  assert.equal(request?.['requestKind'], { group: 'acme.test', version: 'v1', kind: 'Gear' })
  assert.equal(request?.['requestResource'], { group: 'acme.test', version: 'v1', resource: 'gears' })
  assert.equal([request?.object?.apiVersion, request?.object?.['spec']], ['acme.test/v2', { teeth: 8 }])
})
conversion('are converted from another group, too, with old and new object', async () => {
  const { body } = await viaOldGroup()
  const path = `/apis/old.acme.test/v1/namespaces/town/gears/${body.metadata.name}`
  await called()
  await world.send('PATCH', path, { toothCount: '9' }, 'application/merge-patch+json')
  const request = (await called())[0]?.review.request
  assert.equal(request?.['requestKind'], { group: 'old.acme.test', version: 'v1', kind: 'Gear' })
  assert.equal([request?.oldObject?.['spec'], request?.object?.['spec']], [{ teeth: 8 }, { teeth: 9 }])
  await world.send('DELETE', path)
  assert.equal((await called())[0]?.review.request.oldObject?.['spec'], { teeth: 9 })
})
conversion('are not converted when a rule names what was requested', async () => {
  await configure([rule('acme.test', 'v2'), rule('acme.test', 'v1')])
  await viaV1()
  const request = (await called())[0]?.review.request
  assert.equal([request?.object?.apiVersion, request?.object?.['teeth']], ['acme.test/v1', 8])
})
conversion('match as Equivalent unless the configuration is of the older version', async () => {
  await configure([rule('acme.test', 'v2')])
  await viaV1()
  assert.is((await called()).length, 1)
  await configure([rule('acme.test', 'v2')], {}, 'v1beta1')
  await viaV1()
  assert.is((await called()).length, 0)
})
conversion('are changed by a patch for the version that the webhook received', async () => {
  await world.removeConfiguration('Validating', 'a')
  await configure([rule('acme.test', 'v2')], {}, 'v1', 'Mutating')
  const patch = Buffer.from(JSON.stringify([{ op: 'replace', path: '/spec/teeth', value: 12 }])).toString('base64')
  await world.webhook.behave('/town/a', { is: 'answer', response: { allowed: true, patchType: 'JSONPatch', patch } })
  assert.is((await viaV1()).body.teeth, 12)
  assert.is((await viaOldGroup()).body.toothCount, '12')
  await world.removeConfiguration('Mutating', 'a')
})
conversion('to connect are of operation CONNECT, without old object and options', async () => {
  const { body } = await viaV1()
  await configure([{ ...rule('acme.test', 'v2', ['gears/spin']), operations: ['CONNECT'] }])
  await world.webhook.behave('/town/a', { is: 'answer', response: { allowed: true } })
  const path = `/apis/acme.test/v2/namespaces/town/gears/${body.metadata.name}/spin`
  assert.is((await world.send('POST', path, { speed: 3 })).status, 201)
  const request = (await called())[0]?.review.request
  assert.equal([request?.operation, request?.subResource, request?.name], ['CONNECT', 'spin', body.metadata.name])
  assert.equal([request?.object?.kind, request?.object?.['speed']], ['Spin', 3])
  assert.equal([request?.oldObject, request?.['options']], [null, null])
  await world.webhook.behave('/town/a', { is: 'answer', response: { allowed: false } })
  assert.is((await world.send('POST', path, { speed: 3 })).status, 400)
})
conversion('the server and the webhook stop', () => world.stop())

conversion.run()
