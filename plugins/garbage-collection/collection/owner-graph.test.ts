import type { ObjectMeta, OwnerReference, ResourceInfo } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { collectObject } from './collect-object.js'
import { CollectedTypes } from './collected-types.js'
import { ConcurrencyLimit } from './concurrency-limit.js'
import { type FollowServices, followType } from './follow-type.js'
import type { LiveObjects } from './live-objects.js'
import { identityOf, OwnerGraph } from './owner-graph.js'

const kind = (name: string, more: Partial<ResourceInfo> = {}): ResourceInfo => ({
  group: 'acme.test',
  version: 'v1',
  kind: name,
  resource: `${name.toLowerCase()}s`,
  namespaced: true,
  verbs: ['get', 'list', 'watch', 'delete'],
  subresources: [],
  virtual: false,
  servedVersions: ['v1'],
  ...more,
})
const types = new CollectedTypes([{ group: 'acme.test', resource: 'notices' }])
const served = [
  kind('Widget', { servedVersions: ['v1', 'v1beta1'] }),
  kind('Planet', { namespaced: false }),
  kind('Review', { verbs: ['create'] }),
  kind('Notice'),
]
const { added: followed } = types.update(served, {
  find: (_, resource) => served.find(info => info.resource === resource),
})
const widgets = followed[0]!

/** A graph, and the names that it has enqueued since the last call. */
function aGraph() {
  const touched = new Set<string>()
  const graph = new OwnerGraph({ types, now: () => 1, touch: key => touched.add(key) })
  const takeTouched = () => {
    const names = [...touched].map(key => key.split('/')[3])
    touched.clear()
    return names
  }
  return { graph, takeTouched }
}
const meta = (name: string, owners: readonly OwnerReference[] = [], more: Partial<ObjectMeta> = {}): ObjectMeta => ({
  name,
  namespace: 'town',
  uid: `uid-${name}`,
  ownerReferences: [...owners],
  ...more,
})
const owned = (name: string, more: Partial<OwnerReference> = {}): OwnerReference => ({
  apiVersion: 'acme.test/v1',
  kind: 'Widget',
  name,
  uid: `uid-${name}`,
  ...more,
})
const keyOf = (name: string) => identityOf(widgets, 'town', name, `uid-${name}`).key

const graphs = suite('owner graph')

graphs('has types that can be listed, watched and deleted, each in one version, except ignored ones', () => {
  assert.equal(
    followed.map(({ resource, version }) => `${resource} ${version}`),
    ['widgets v1', 'planets v1'],
  )
  assert.is(types.named('acme.test/v1beta1', 'Widget'), widgets)
  assert.is(types.named('acme.test/v1', 'Review'), undefined)
})

graphs('keeps nothing about objects that own nothing and are not owned', () => {
  const { graph, takeTouched } = aGraph()
  for (let i = 0; i < 100; i++) graph.observe(widgets, meta(`w${i}`))
  assert.is(graph.size, 0)
  assert.equal(takeTouched(), [])
})

graphs('has an owner looked up when it is first referenced, and not again', () => {
  const { graph, takeTouched } = aGraph()
  graph.observe(widgets, meta('child', [owned('owner')]))
  assert.equal(takeTouched(), ['owner'])
  graph.observe(widgets, meta('owner'))
  graph.observe(widgets, meta('child', [owned('owner')]))
  graph.observe(widgets, meta('second', [owned('owner')]))
  assert.equal(takeTouched(), [])
})

graphs('checks dependents when their owner is gone, and drops it with the last of them', () => {
  const { graph, takeTouched } = aGraph()
  for (const name of ['a', 'b']) graph.observe(widgets, meta(name, [owned('owner')]))
  takeTouched()
  graph.forget(widgets, meta('owner'))
  assert.equal(takeTouched(), ['a', 'b'])
  graph.forget(widgets, meta('a'))
  graph.observe(widgets, meta('b'))
  assert.is(graph.size, 0)
})

graphs('a reference with the wrong namespace or uid refers to another object', () => {
  const { graph } = aGraph()
  graph.observe(widgets, meta('owner', [owned('x')]))
  graph.observe(widgets, meta('near', [owned('owner', { uid: 'old' })]))
  graph.observe(widgets, meta('far', [owned('owner')], { namespace: 'village' }))
  assert.is(graph.get(keyOf('owner'))?.dependents.size, 0)
})

graphs('a waiting owner is checked when a dependent is removed, stops blocking, or is added', () => {
  const { graph, takeTouched } = aGraph()
  const blocking = owned('owner', { blockOwnerDeletion: true })
  graph.observe(widgets, meta('a', [blocking]))
  graph.observe(widgets, meta('b', [blocking]))
  takeTouched()
  graph.observe(
    widgets,
    meta('owner', [], { deletionTimestamp: '2024-01-01T00:00:00Z', finalizers: ['foregroundDeletion'] }),
  )
  assert.equal(takeTouched(), ['owner', 'a', 'b'])
  graph.forget(widgets, meta('a'))
  assert.equal(takeTouched(), ['owner'])
  graph.observe(widgets, meta('b', [owned('owner')]))
  assert.ok(takeTouched().includes('owner'))
  graph.observe(widgets, meta('c', [blocking]))
  assert.equal(takeTouched(), ['c'])
})

graphs('checks objects that a new listing lacks instead of considering them deleted', () => {
  const { graph, takeTouched } = aGraph()
  graph.observe(widgets, meta('child', [owned('owner')]))
  graph.observe(widgets, meta('owner'))
  takeTouched()
  graph.recheckAllBut(widgets, new Set([keyOf('child')]))
  assert.equal(takeTouched(), ['owner'])
  assert.is(graph.get(keyOf('owner'))?.state, 'claimed')
  assert.is(graph.get(keyOf('child'))?.state, 'present')
})

graphs('a cluster-wide object has no namespaced owner, and any object may have a cluster-wide one', () => {
  const { graph } = aGraph()
  assert.is(graph.identify('', owned('owner')), undefined)
  assert.is(graph.identify('town', owned('home', { kind: 'Planet' }))?.namespace, '')
  assert.is(graph.identify('town', owned('x', { kind: 'Gadget' })), undefined)
})

graphs('checks objects again when the type of their owner becomes known', () => {
  const { graph, takeTouched } = aGraph()
  const late = kind('Fruit')
  const object = meta('peel', [owned('apple', { kind: 'Fruit' })])
  graph.observe(widgets, object)
  graph.recheckUnknownOwners()
  assert.equal(takeTouched(), [])
  assert.is(graph.get(keyOf('peel'))?.state, 'present')
  types.update([late], { find: () => late })
  graph.recheckUnknownOwners()
  assert.equal([takeTouched(), graph.get(keyOf('peel'))?.state], [['peel'], 'claimed'])
  graph.observe(widgets, object)
  assert.equal([takeTouched(), graph.get(keyOf('peel'))?.owners.size], [['apple'], 1])
  graph.recheckUnknownOwners()
  assert.equal(takeTouched(), [])
})

graphs('keeps a dependent whose event arrives after its owner was orphaned', async () => {
  const { graph, takeTouched } = aGraph()
  graph.observe(widgets, meta('owner', [], { deletionTimestamp: 'now', finalizers: ['orphan'] }))
  graph.releaseDependents(identityOf(widgets, 'town', 'owner', 'uid-owner'))
  graph.forget(widgets, meta('owner'))
  takeTouched()
  const late = meta('late', [owned('owner')])
  graph.observe(widgets, late)
  const owner = graph.get(identityOf(widgets, 'town', 'owner', 'uid-owner').key)!
  graph.vanish(owner)
  assert.equal(takeTouched(), ['owner', 'late'])
  const changes: unknown[] = []
  const api: Pick<LiveObjects, 'find' | 'delete' | 'patchMetadata'> = {
    find: async ({ name }) => (name === 'late' ? { metadata: late } : undefined),
    delete: async ({ name }) => changes.push(['delete', name]) > 0,
    patchMetadata: async ({ name }, _, change) => changes.push([name, change]) > 0,
  }
  const node = graph.get(identityOf(widgets, 'town', 'late', 'uid-late').key)!
  await collectObject(node, graph, api, { report: async () => {} })
  assert.equal(changes, [['late', { ownerReferences: [] }]])
  // With another owner that is gone, it is collected.
  late.ownerReferences = [owned('owner'), owned('gone')]
  await collectObject(node, graph, api, { report: async () => {} })
  assert.equal(changes.at(-1), ['delete', 'late'])
})

graphs(
  'what was deleted after its type was listed is not confirmed: its dependents may be listed only then',
  async () => {
    const { graph } = aGraph()
    const metadata = (name: string) => ({ namespace: 'town', name, uid: `u-${name}` })
    const listing = ['deleted', 'missing', 'kept'].map(name => ({ metadata: metadata(name) }))
    async function* watch() {
      yield { type: 'DELETED', object: { metadata: metadata('deleted') } }
      yield { type: 'RELISTED', items: listing.filter(({ metadata: { name } }) => name === 'kept') }
    }
    const client = {
      resource: () => ({
        list: async () => ({ items: listing, metadata: { resourceVersion: '1' } }),
        watchWithResume: watch,
      }),
    } as unknown as FollowServices['client']
    const seen = new Set<string>()
    const services = { client, graph, signal: new AbortController().signal, listingLimit: new ConcurrencyLimit(1) }
    let listed: string[] = []
    await followType(widgets, { ...services, metaGroup: 'm' } as FollowServices, seen, () => {
      listed = [...seen]
    })
    const keyOf = (name: string) => identityOf(widgets, 'town', name, `u-${name}`).key
    assert.equal(listed, ['deleted', 'missing', 'kept'].map(keyOf))
    assert.equal([...seen], [keyOf('kept')])
  },
)

graphs.run()
