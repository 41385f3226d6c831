import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { CacheChange } from '../plugin/caches.js'
import type { ApiObject } from '../resource/meta.js'
import { ObjectCache } from './object-cache.js'

const thing = (name: string, version: string, more: Partial<ApiObject['metadata']> = {}): ApiObject => ({
  metadata: { name, namespace: 'a', uid: `uid-${name}`, resourceVersion: version, ...more },
})
const say = ({ type, object, previous }: CacheChange) =>
  `${type} ${object.metadata.name}@${object.metadata.resourceVersion}${previous ? ` was @${previous.metadata.resourceVersion}` : ''}`
function listening(cache: ObjectCache) {
  const heard: string[] = []
  const stop = cache.onChange(change => heard.push(say(change)))
  return { heard, stop }
}

const caches = suite('object cache')

caches('a listing reports added, modified and deleted objects, and no others', () => {
  const cache = new ObjectCache()
  cache.replace([thing('same', '1'), thing('changed', '2'), thing('gone', '3')])
  const { heard } = listening(cache)
  heard.length = 0
  cache.replace([thing('same', '1'), thing('changed', '5'), thing('new', '6')])
  assert.equal(heard, ['deleted gone@3 was @3', 'modified changed@5 was @2', 'added new@6'])
})
caches('an object that is created again under its name is a deletion and a creation', () => {
  const cache = new ObjectCache()
  cache.replace([thing('x', '1')])
  const { heard } = listening(cache)
  cache.apply('MODIFIED', thing('x', '9', { uid: 'another' }))
  assert.equal(heard.slice(1), ['deleted x@1 was @1', 'added x@9'])
})
caches('a new listener is called for each existing object, and no longer after it was removed', () => {
  const cache = new ObjectCache()
  cache.replace([thing('x', '1')])
  const { heard, stop } = listening(cache)
  stop()
  cache.apply('DELETED', thing('x', '2'))
  assert.equal(heard, ['added x@1'])
})
caches('a deletion shows the last state and the state before it', () => {
  const cache = new ObjectCache()
  cache.replace([thing('x', '1')])
  const { heard } = listening(cache)
  cache.apply('DELETED', thing('x', '2'))
  cache.apply('DELETED', thing('x', '2'))
  assert.equal(heard.slice(1), ['deleted x@2 was @1'])
})
caches('listeners see the complete listing at their first call', () => {
  const cache = new ObjectCache()
  const sizes: number[] = []
  cache.onChange(() => sizes.push(cache.list().length))
  cache.replace([thing('x', '1'), thing('y', '2')])
  assert.equal(sizes, [2, 2])
})
caches('a listener that throws does not affect the others', () => {
  const errors: unknown[] = []
  const cache = new ObjectCache(error => errors.push(error))
  cache.onChange(() => {
    throw new Error('broken')
  })
  const { heard } = listening(cache)
  cache.replace([thing('x', '1')])
  assert.equal(heard, ['added x@1'])
  assert.is(errors.length, 1)
})
caches('is ready after the first listing, even an empty one', async () => {
  const cache = new ObjectCache()
  assert.not.ok(cache.isReady)
  cache.replace([])
  await cache.ready()
  assert.ok(cache.isReady)
})
caches('reading an index that was never added throws', () => {
  assert.throws(() => new ObjectCache().indexed('color', 'red'), /addIndex/)
})

const event = fc.record({
  type: fc.constantFrom('ADDED' as const, 'MODIFIED' as const, 'DELETED' as const),
  name: fc.constantFrom('x', 'y', 'z'),
  namespace: fc.constantFrom('a', 'b'),
  color: fc.constantFrom('red', 'blue'),
})
caches('indexes and namespaces always agree with the objects', () => {
  fc.assert(
    fc.property(fc.array(event), events => {
      const cache = new ObjectCache()
      const colors = (object: ApiObject) => Object.values(object.metadata.labels ?? {})
      cache.addIndex('early', colors)
      events.forEach(({ type, name, namespace, color }, i) => {
        cache.apply(type, thing(name, String(i), { namespace, labels: { color } }))
      })
      cache.addIndex('late', colors)
      const names = (objects: readonly ApiObject[]) =>
        objects.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`).sort()
      for (const color of ['red', 'blue']) {
        const expected = names(cache.list().filter(object => object.metadata.labels?.['color'] === color))
        assert.equal(names(cache.indexed('early', color)), expected)
        assert.equal(names(cache.indexed('late', color)), expected)
      }
      assert.equal(names([...cache.list('a'), ...cache.list('b')]), names(cache.list()))
    }),
  )
})
caches.run()
