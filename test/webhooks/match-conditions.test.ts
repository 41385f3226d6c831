import { expressionLanguage } from 'orch/plugins/expressions'
import { policies } from 'orch/plugins/policies'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startWorld } from './start-world.js'
import type { WebhookWorld } from './webhook-world.js'

const conditions = suite('the conditions of webhooks')
let world: WebhookWorld
conditions.before(async () => {
  world = await startWorld({ plugins: [expressionLanguage, policies] })
  await world.namespace('town')
})
conditions.after(() => world.stop())

const isNamed = (name: string, start: string) => ({ name, expression: `object.metadata.name.startsWith('${start}')` })
const calls = async () => (await world.webhook.takeCalls('/town/a')).length

conditions('all of them must hold for a webhook to be called', async () => {
  const matchConditions = [isNamed('first', 'a'), isNamed('second', 'ab')]
  await world.configure('Validating', 'v', [world.hook('town', 'a', { matchConditions })])
  assert.is((await world.create('town', 'abc', {}, '?dryRun=All')).status, 201)
  assert.is(await calls(), 1)
  assert.is((await world.create('town', 'axe', {}, '?dryRun=All')).status, 201)
  assert.is((await world.create('town', 'xab', {}, '?dryRun=All')).status, 201)
  assert.is(await calls(), 0)
})

conditions('see the request and who makes it', async () => {
  const matchConditions = [
    { name: 'who', expression: "request.operation == 'CREATE' && request.userInfo.username != ''" },
  ]
  await world.configure('Validating', 'v', [world.hook('town', 'a', { matchConditions })])
  await world.create('town', 'seen', {}, '?dryRun=All')
  assert.is(await calls(), 1)
})

conditions('one that fails counts as the failure policy says, unless another does not hold', async () => {
  const failing = { name: 'fails', expression: "object.data['absent'] == 'x'" }
  const withPolicy = (failurePolicy: string, ...more: object[]) =>
    world.configure('Validating', 'v', [
      world.hook('town', 'a', { failurePolicy, matchConditions: [failing, ...more] }),
    ])
  await withPolicy('Fail')
  const refused = await world.create('town', 'broken', { data: { k: 'v' } }, '?dryRun=All')
  assert.is(refused.status, 403, JSON.stringify(refused.body))
  await withPolicy('Ignore')
  assert.is((await world.create('town', 'broken', { data: { k: 'v' } }, '?dryRun=All')).status, 201)
  await withPolicy('Fail', { name: 'never', expression: 'false' })
  assert.is((await world.create('town', 'broken', { data: { k: 'v' } }, '?dryRun=All')).status, 201)
  assert.is(await calls(), 0)
})

conditions('that do not compile are refused with their field', async () => {
  const path = '/apis/admissionregistration.orch.io/v1/validatingwebhookconfigurations'
  const hook = world.hook('town', 'a', { matchConditions: [{ name: 'typo', expression: 'object.metadata.name ===' }] })
  const { status, body } = await world.send('POST', path, { metadata: { name: 'bad' }, webhooks: [hook] })
  assert.is(status, 422)
  assert.is(body.details.causes[0].field, 'webhooks[0].matchConditions[0].expression')
})

conditions.run()
