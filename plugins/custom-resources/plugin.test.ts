import type { ApiError, ApiObject } from 'orch/sdk'
import { startServer } from 'orch/sdk/testing'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { customResources } from './plugin.js'

const server = await startServer({ plugins: ['orch/plugins/namespaces', 'orch/plugins/webhooks', customResources] })
const { client } = server
const definitions = client.resource<ApiObject>({
  group: 'apiextensions.orch.io',
  version: 'v1',
  resource: 'customresourcedefinitions',
})
const define = async (
  plural: string,
  kind: string,
  version: Record<string, unknown> = {},
  spec: Record<string, unknown> = {},
) => {
  const schema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { size: { type: 'integer', default: 1 } } } },
  }
  await definitions.create({
    metadata: { name: `${plural}.example.com` },
    spec: {
      group: 'example.com',
      scope: 'Cluster',
      names: { plural, kind },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version }],
      ...spec,
    },
  })
  await definitions.waitFor(`${plural}.example.com`, isEstablished, { timeoutMs: 20_000 })
  return client.resource<ApiObject>({ group: 'example.com', version: 'v1', resource: plural })
}
const isEstablished = ({ status }: ApiObject) =>
  (status as { conditions?: { type: string; status: string }[] | null }).conditions?.some(
    condition => condition.type === 'Established' && condition.status === 'True',
  ) ?? false
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 0,
    error => (error as ApiError).code,
  )

const resources = suite('custom resources')
resources.after(() => server.stop())

resources('with too many items or too deep nesting are rejected with 400', async () => {
  const open = { type: 'object', 'x-orch-preserve-unknown-fields': true }
  const properties = {
    spec: {
      type: 'object',
      properties: { open, list: { type: 'array', items: { type: 'integer' } }, size: { type: 'integer' } },
    },
  }
  const crowds = await define('crowds', 'Crowd', { schema: { openAPIV3Schema: { type: 'object', properties } } })
  const create = (spec: object) => codeOf(crowds.create({ metadata: { generateName: 'a-' }, spec }))
  const many = Array.from({ length: 110_000 }, (_, index) => index)
  assert.is(await create({ list: many }), 0)
  assert.is(await create({ list: many, open: { other: many } }), 413)
  const deep = (levels: number) => JSON.parse('['.repeat(levels) + ']'.repeat(levels))
  assert.is(await create({ open: { deep: deep(9000) } }), 0)
  assert.is(await create({ open: { deep: deep(10_001) } }), 400)
  assert.is(await create({ size: deep(10_001) }), 400)
})
resources('whose schema is malformed are rejected', async () => {
  const refused = (schema: object) => codeOf(define('odds', 'Odd', { schema: { openAPIV3Schema: schema } }))
  const list = (items: unknown) => ({ type: 'object', properties: { list: { type: 'array', items } } })
  assert.is(await refused(list(5)), 400)
  assert.is(await refused(list([{ type: 7 }])), 400)
  assert.is(await refused({ type: 'object', additionalProperties: 'yes' }), 400)
})

resources('are served once their definition is established: pruned, defaulted and validated', async () => {
  const widgets = await define('widgets', 'Widget')
  const made = await widgets.create({ metadata: { name: 'a' }, spec: { gone: true } })
  assert.equal(made['spec'], { size: 1 })
  assert.is(made.metadata.generation, 1)
  assert.is(await codeOf(widgets.create({ metadata: { name: 'b' }, spec: { size: 'big' } })), 422)
  const changed = await widgets.patch('a', { spec: { size: 2 } })
  assert.is(changed.metadata.generation, 2)
  assert.is((await widgets.patch('a', { metadata: { labels: { l: 'x' } } })).metadata.generation, 2)
})

resources('are pruned and defaulted by a changed schema when they are read', async () => {
  const gears = await define('gears', 'Gear')
  await gears.create({ metadata: { name: 'a' }, spec: { size: 3 } })
  const fields = { teeth: { type: 'integer', default: 12 } }
  await definitions.patch('gears.example.com', {
    spec: {
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: fields } } } },
        },
      ],
    },
  })
  assert.equal((await gears.get('a'))['spec'], { teeth: 12 })
})

resources('have status and scale subresources if the definition declares them', async () => {
  const open = { type: 'object', 'x-orch-preserve-unknown-fields': true }
  const sets = await define('sets', 'Set', {
    schema: { openAPIV3Schema: { type: 'object', properties: { spec: open, status: open } } },
    subresources: { status: {}, scale: { specReplicasPath: '.spec.n', statusReplicasPath: '.status.n' } },
  })
  const made = await sets.create({ metadata: { name: 'a' }, spec: { n: 1 }, status: { n: 9 } })
  assert.is(made['status'], undefined)
  const updated = await sets.updateSubresource('status', { ...made, spec: { n: 7 }, status: { n: 1 } })
  assert.equal([updated['spec'], updated['status'], updated.metadata.generation], [{ n: 1 }, { n: 1 }, 1])
  await sets.patch('a', { spec: { replicas: 4 } }, { subresource: 'scale' })
  const scaled = await sets.get('a')
  assert.equal([scaled['spec'], scaled.metadata.generation], [{ n: 4 }, 2])
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'a' }, spec: { replicas: 6 } }
  const apply = { subresource: 'scale', fieldManager: 'scaler' }
  assert.is(await codeOf(sets.apply(scale, apply)), 409)
  await sets.apply(scale, { ...apply, force: true })
  const applied = await sets.get('a')
  assert.equal([applied['spec'], applied.metadata.generation], [{ n: 6 }, 3])
})

resources('of a definition with names of another one wait for the names', async () => {
  await define('firsts', 'First', {}, { names: { plural: 'firsts', kind: 'First', shortNames: ['ff'] } })
  const second = { plural: 'seconds', kind: 'Second', shortNames: ['ff'] }
  const waiting = define('seconds', 'Second', {}, { names: second })
  const refused = ({ status }: ApiObject) =>
    JSON.stringify(status).includes('ShortNamesConflict') && !isEstablished({ metadata: {}, status })
  await definitions.waitFor('seconds.example.com', refused, { timeoutMs: 20_000 })
  await definitions.delete('firsts.example.com')
  const seconds = await waiting
  await seconds.create({ metadata: { name: 'a' } })
})

resources(
  'are deleted with their definition once their finalizers are removed; until then none can be created',
  async () => {
    const doomed = await define('doomed', 'Doomed')
    await doomed.create({ metadata: { name: 'held', finalizers: ['example.com/hold'] } })
    await doomed.create({ metadata: { name: 'free' } })
    await definitions.delete('doomed.example.com')
    await doomed.waitForDeletion('free', { timeoutMs: 20_000 })
    assert.is(await codeOf(doomed.create({ metadata: { name: 'late' } })), 405)
    await doomed.waitFor('held', ({ metadata }) => metadata.deletionTimestamp !== undefined, { timeoutMs: 20_000 })
    await doomed.patch('held', { metadata: { finalizers: null } })
    await definitions.waitForDeletion('doomed.example.com', { timeoutMs: 20_000 })
    assert.is(await codeOf(doomed.list()), 404)
  },
)

resources.run()
