import { definePlugin, defineResource, orchProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { webhookNames } from '../../plugins/webhooks/names.js'
import { validatingWebhookConfigurations } from '../../plugins/webhooks/webhook-configurations/resource.js'
import { eventually } from '../support/eventually.js'
import { withWorld } from './start-world.js'

const changing = suite('configurations that change')
const allow = { is: 'answer', response: { allowed: true } } as const

changing('never affect requests in flight', () =>
  withWorld(async world => {
    await world.namespace('town')
    const hooks = [world.hook('town', 'a'), world.hook('town', 'b')]
    await world.configure('Mutating', 'c', hooks)
    await world.webhook.behave('/town/a', { is: 'hold' })
    await world.webhook.behave('/town/b', allow)
    const begun = world.create('town', 'x')
    await eventually('the first call', async () => (await world.webhook.takeCalls('/town/a')).length > 0)
    await world.removeConfiguration('Mutating', 'c')
    await world.webhook.behave('/town/a', allow)
    assert.is((await begun).status, 201)
    assert.is((await world.webhook.takeCalls('/town/b')).length, 1)
    await world.create('town', 'y')
    assert.equal(await world.webhook.takeCalls('/town/b'), [])
  }),
)
changing('take effect with the next request, however many are in flight', () =>
  withWorld(async world => {
    await world.namespace('town')
    let isOver = false
    const statuses = new Set<number>()
    const load = Promise.all(
      Array.from({ length: 8 }, async (_, worker) => {
        for (let i = 0; !isOver; i++) statuses.add((await world.create('town', `w${worker}-${i}`)).status)
      }),
    )
    for (let i = 0; i < 5; i++) {
      await world.webhook.behave('/town/a', { is: 'answer', response: { allowed: false } })
      await world.configure('Validating', 'c', [world.hook('town', 'a')])
      assert.is((await world.create('town', `denied-${i}`)).status, 400)
      await world.removeConfiguration('Validating', 'c')
      assert.is((await world.create('town', `free-${i}`)).status, 201)
    }
    isOver = true
    await load
    assert.equal([...statuses].sort(), [201, 400])
  }),
)
/** The same configurations without their rules, as a server of another version may have stored them. */
const unchecked = definePlugin({
  name: 'unchecked',
  register(to) {
    const { versions, group, resource } = validatingWebhookConfigurations(webhookNames(new Vendor(orchProfile)))
    const [storage] = versions
    to.resource(
      defineResource({
        group: 'unchecked.acme.test',
        kind: 'Anything',
        resource: 'anythings',
        namespaced: false,
        storedAs: { group, resource },
        versions: [
          { ...storage!, name: 'v2', storage: false },
          { ...storage!, served: false },
        ],
      }),
    )
  },
})
for (const [failurePolicy, expected] of [
  ['Fail', 500],
  ['Ignore', 201],
] as const)
  changing(`to versions that this server cannot send fail the call; policy ${failurePolicy} decides`, () =>
    withWorld(
      async world => {
        await world.namespace('town')
        await world.mustSend('POST', '/apis/unchecked.acme.test/v2/anythings', {
          metadata: { name: 'future' },
          webhooks: [world.hook('town', 'a', { admissionReviewVersions: ['v9'], failurePolicy })],
        })
        assert.is((await world.create('town', 'x')).status, expected)
        assert.equal(await world.webhook.takeCalls('/town/a'), [])
      },
      { plugins: [unchecked] },
    ),
  )

changing.run()
