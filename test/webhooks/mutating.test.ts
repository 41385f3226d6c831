import { definePlugin, defineResource, field, Int32, Kind, required, Struct, Text } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Behaviour } from './behaviour.js'
import { startWorld } from './start-world.js'
import type { WebhookWorld } from './webhook-world.js'

const Gadget = Kind('acme.v1.Gadget', {
  spec: field(
    2,
    Struct('acme.v1.GadgetSpec', {
      color: field(1, Text({ default: 'red' })),
      size: field(2, Int32({ default: 1, maximum: 9 })),
      name: required(3, Text()),
    }),
  ),
})
const gadgets = definePlugin({
  name: 'gadgets',
  register: to =>
    to.resource(
      defineResource({
        group: 'acme.test',
        kind: 'Gadget',
        resource: 'gadgets',
        namespaced: true,
        versions: [{ name: 'v1', schema: Gadget }],
      }),
    ),
})

const mutating = suite('mutating webhooks')
let world: WebhookWorld
let count = 0
const patching = (...operations: object[]): Behaviour => ({
  is: 'answer',
  response: {
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
  },
})
const allowing: Behaviour = { is: 'answer', response: { allowed: true } }
const label = (name: string, value = 'yes') =>
  patching({ op: 'add', path: '/metadata/labels', value: { [name]: value } })
const create = (more: Record<string, unknown> = {}) => world.create('town', `c${++count}`, more)
const labelsSeen = async (name: string) =>
  (await world.webhook.takeCalls(`/town/${name}`)).map(({ review }) => review.request.object?.metadata['labels'] ?? {})

mutating('the server and the webhook start', async () => {
  world = await startWorld({ plugins: [gadgets] })
  await world.namespace('town')
})
mutating('are called one after another, by name of the configuration and then as listed', async () => {
  await world.configure('Mutating', 'b', [world.hook('town', 'b2'), world.hook('town', 'b1')])
  await world.configure('Mutating', 'a', [world.hook('town', 'a')])
  const add = (key: string) => patching({ op: 'add', path: `/data/${key}`, value: key })
  await world.webhook.behave('/town/a', patching({ op: 'add', path: '/data', value: { a: 'a' } }))
  await world.webhook.behave('/town/b2', add('b2'))
  await world.webhook.behave('/town/b1', add('b1'))
  const { body } = await create()
  assert.equal(body.data, { a: 'a', b1: 'b1', b2: 'b2' })
  const seenLast = (await world.webhook.takeCalls('/town/b1'))[0]?.review.request.object?.['data']
  assert.equal(seenLast, { a: 'a', b2: 'b2' })
  await world.removeConfiguration('Mutating', 'b')
})
mutating('a denial stops those that would follow', async () => {
  await world.configure('Mutating', 'a', [world.hook('town', 'a'), world.hook('town', 'b')])
  await world.webhook.behave('/town/a', { is: 'answer', response: { allowed: false } })
  await world.webhook.behave('/town/b', allowing)
  assert.is((await create()).status, 400)
  assert.equal(await labelsSeen('b'), [])
})
mutating('selectors look at the object as earlier webhooks left it', async () => {
  await world.configure('Mutating', 'a', [
    world.hook('town', 'a'),
    world.hook('town', 'b', { objectSelector: { matchLabels: { marked: 'yes' } } }),
  ])
  await world.webhook.behave('/town/a', label('marked'))
  await world.webhook.behave('/town/b', allowing)
  await create()
  assert.equal(await labelsSeen('b'), [{ marked: 'yes' }])
})
mutating('their changes are decoded, defaulted and validated like those of a client', async () => {
  const rules = [{ operations: ['*'], apiGroups: ['acme.test'], apiVersions: ['*'], resources: ['gadgets'] }]
  await world.configure('Mutating', 'a', [world.hook('town', 'a', { rules })])
  const make = (...operations: object[]) =>
    world.webhook.behave('/town/a', patching(...operations)).then(() =>
      world.send('POST', '/apis/acme.test/v1/namespaces/town/gadgets', {
        metadata: { name: `g${++count}` },
        spec: { name: 'x', color: 'blue', size: 3 },
      }),
    )
  const { body } = await make(
    { op: 'remove', path: '/spec/color' },
    { op: 'replace', path: '/spec/size', value: 5 },
    { op: 'add', path: '/spec/unknown', value: 'field' },
  )
  assert.equal(body.spec, { color: 'red', size: 5, name: 'x' })
  const refused = await make({ op: 'replace', path: '/spec/size', value: 50 })
  assert.equal([refused.status, refused.body.details.causes[0].field], [422, 'spec.size'])
})
mutating('see objects with everything that is always written', async () => {
  const [first] = await world.webhook.takeCalls('/town/a')
  assert.equal(first?.review.request.object, {
    kind: 'Gadget',
    apiVersion: 'acme.test/v1',
    metadata: {
      name: first?.review.request.name,
      creationTimestamp: null,
      managedFields: first?.review.request.object?.metadata['managedFields'],
    },
    spec: { name: 'x', color: 'blue', size: 3 },
  })
})
mutating('cannot move an object to another namespace', async () => {
  await world.configure('Mutating', 'a', [world.hook('town', 'a')])
  await world.webhook.behave('/town/a', patching({ op: 'add', path: '/metadata/namespace', value: 'default' }))
  assert.is((await create()).status, 400)
})
mutating('cannot change what is being deleted', async () => {
  await world.webhook.behave('/town/a', allowing)
  const { body } = await create()
  await world.webhook.behave('/town/a', label('x'))
  const { status, body: refused } = await world.send(
    'DELETE',
    `/api/v1/namespaces/town/configmaps/${body.metadata.name}`,
  )
  assert.is(status, 500)
  assert.match(refused.message, /attempted to modify the object, which is not supported for this operation/)
})
mutating('change updates and patches, too', async () => {
  await world.webhook.behave('/town/a', allowing)
  const path = `/api/v1/namespaces/town/configmaps/${(await create()).body.metadata.name}`
  await world.webhook.behave('/town/a', label('seen'))
  const patched = await world.send('PATCH', path, { data: { a: '1' } }, 'application/merge-patch+json')
  assert.equal([patched.body.data, patched.body.metadata.labels], [{ a: '1' }, { seen: 'yes' }])
})
mutating('run on a dry run if they have no side effects; nothing is stored', async () => {
  await world.webhook.behave('/town/a', label('seen'))
  const { status, body } = await world.create('town', 'dry', {}, '?dryRun=All')
  assert.equal([status, body.metadata.labels], [201, { seen: 'yes' }])
  assert.is((await world.send('GET', '/api/v1/namespaces/town/configmaps/dry')).status, 404)
})
for (const sideEffects of ['Some', 'Unknown'])
  for (const kind of ['Mutating', 'Validating'] as const)
    mutating(
      `a ${kind.toLowerCase()} one with side effects "${sideEffects}" refuses a dry run without being called`,
      async () => {
        await world.removeConfiguration('Mutating', 'a')
        await world.configure(
          kind,
          'old',
          [world.hook('town', 'o', { sideEffects, failurePolicy: 'Ignore' })],
          'v1beta1',
        )
        await world.webhook.behave('/town/o', allowing)
        const { status, body } = await world.create('town', 'dry', {}, '?dryRun=All')
        assert.equal([status, body.reason], [400, 'BadRequest'])
        assert.match(body.message, /admission webhook "o.acme.test" does not support dry run/)
        assert.equal(await world.webhook.takeCalls('/town/o'), [])
        assert.is((await create()).status, 201)
        assert.is((await world.webhook.takeCalls('/town/o')).length, 1)
        await world.removeConfiguration(kind, 'old')
      },
    )

mutating('of policy IfNeeded are called again after a later change, others are not', async () => {
  await world.configure('Mutating', 'a', [
    world.hook('town', 'again', { reinvocationPolicy: 'IfNeeded' }),
    world.hook('town', 'never'),
    world.hook('town', 'changer'),
  ])
  await world.webhook.behave('/town/again', allowing)
  await world.webhook.behave('/town/never', allowing)
  await world.webhook.behave('/town/changer', label('late'))
  await create()
  assert.equal(await labelsSeen('again'), [{}, { late: 'yes' }])
  assert.equal(await labelsSeen('never'), [{}])
  assert.equal(await labelsSeen('changer'), [{}])
})
mutating('of policy IfNeeded are called once if nothing changes after them', async () => {
  await world.webhook.behave('/town/again', label('early'))
  await world.webhook.behave('/town/changer', allowing)
  await create()
  assert.equal((await labelsSeen('again')).length, 1)
})
mutating('of policy IfNeeded are called twice at most', async () => {
  await world.configure('Mutating', 'a', [
    world.hook('town', 'one', { reinvocationPolicy: 'IfNeeded' }),
    world.hook('town', 'two', { reinvocationPolicy: 'IfNeeded' }),
  ])
  await world.webhook.behave('/town/one', label('by', 'one'), label('by', 'one-again'))
  await world.webhook.behave('/town/two', label('by', 'two'), label('by', 'two-again'))
  const { body } = await create()
  assert.equal([(await labelsSeen('one')).length, (await labelsSeen('two')).length], [2, 2])
  assert.equal(body.metadata.labels, { by: 'two-again' })
})
mutating('that change nothing by their patch cause no second round', async () => {
  await world.webhook.behave('/town/one', allowing)
  await world.webhook.behave('/town/two', label('same'))
  await create({ metadata: { labels: { same: 'yes' } } })
  assert.equal((await labelsSeen('one')).length, 1)
})
mutating('are called for an update before it is found to conflict', async () => {
  await world.configure('Mutating', 'a', [world.hook('town', 'a')])
  await world.webhook.behave('/town/a', allowing)
  const { body } = await create()
  await world.webhook.takeCalls('/town/a')
  const stale = { metadata: { name: body.metadata.name, resourceVersion: '1' } }
  const path = `/api/v1/namespaces/town/configmaps/${body.metadata.name}`
  assert.is((await world.send('PUT', path, stale)).status, 409)
  assert.is((await labelsSeen('a')).length, 1)
})
mutating('cannot make an update build on another version', async () => {
  const { body } = await create()
  const path = `/api/v1/namespaces/town/configmaps/${body.metadata.name}`
  await world.webhook.behave('/town/a', patching({ op: 'add', path: '/metadata/resourceVersion', value: '1' }))
  assert.is((await world.send('PUT', path, { metadata: { name: body.metadata.name } })).status, 409)
})
mutating('may rename what is created; what the client asked for keeps its name', async () => {
  await world.webhook.behave('/town/a', patching({ op: 'replace', path: '/metadata/name', value: 'renamed' }))
  await world.configure('Validating', 'v', [world.hook('town', 'v')])
  await world.webhook.behave('/town/v', allowing)
  assert.is((await world.create('town', 'asked-for')).body.metadata.name, 'renamed')
  const [seen] = await world.webhook.takeCalls('/town/v')
  assert.equal([seen?.review.request.name, seen?.review.request.object?.metadata['name']], ['asked-for', 'renamed'])
  await world.removeConfiguration('Validating', 'v')
})
mutating('cannot corrupt managedFields', async () => {
  const value = [{ manager: 'm', operation: 'Update', apiVersion: 'v1', fieldsType: 'Odd', fieldsV1: {} }]
  await world.webhook.behave('/town/a', patching({ op: 'add', path: '/metadata/managedFields', value }))
  const { status, body, warnings } = await create({ data: { a: 'b' } })
  assert.equal([status, body.metadata.managedFields[0].fieldsType], [201, 'FieldsV1'])
  assert.match(warnings, /managedFields/)
})
mutating('the server and the webhook stop', () => world.stop())

mutating.run()
