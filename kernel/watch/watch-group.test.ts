import type { StoreEvent } from 'orch/sdk/host'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type AttributeRequirement, compileAttributeFilter, encodeAttributes } from '../storage/attributes.js'
import type { EventEncoder } from './event-encoder.js'
import { selectEvent } from './watch-event.js'
import { type WatchGroup, type WatchGroupKey, WatchGroups } from './watch-group.js'

const keyOf = (id: string, requirements: readonly AttributeRequirement[], onlyKey?: string): WatchGroupKey => ({
  id,
  typeKey: 'pods',
  namespace: '',
  onlyKey,
  filter: requirements.length === 0 ? undefined : compileAttributeFilter(requirements),
  encoder: {} as EventEncoder,
})
const onNode = (...values: string[]): AttributeRequirement => ({
  kind: 'f',
  name: 'spec.nodeName',
  operator: 'in',
  values,
})
const labelled = (...values: string[]): AttributeRequirement => ({ kind: 'l', name: 'app', operator: 'in', values })

const keys = [
  keyOf('all', []),
  keyOf('pod a', [], 'pods/n/a'),
  keyOf('node 1', [onNode('1')]),
  keyOf('node 2', [onNode('2')]),
  keyOf('node 1 or 2', [onNode('1', '2')]),
  keyOf('web', [labelled('web')]),
  keyOf('web on 1', [labelled('web'), onNode('1')]),
  keyOf('no node', [onNode()]),
  keyOf('not web', [{ ...labelled('web'), operator: 'notIn' }]),
]
const attributesOf = ([node, app]: readonly (string | undefined)[]) =>
  encodeAttributes({
    version: 'v1',
    labels: app === undefined ? {} : { app },
    fields: node === undefined ? {} : { 'spec.nodeName': node },
  })
const states = [
  [undefined, undefined],
  ['1', 'web'],
  ['1', undefined],
  ['2', 'web'],
  ['12', 'webs'],
]
const eventsOf = (): StoreEvent[] =>
  ['pods/n/a', 'pods/n/b'].flatMap(key =>
    states.flatMap(now =>
      [undefined, ...states].map(before => ({
        revision: 2,
        type: before === undefined ? ('create' as const) : ('update' as const),
        key,
        body: Buffer.alloc(0),
        attributes: attributesOf(now),
        previousAttributes: before && attributesOf(before),
        previousBody: () => undefined,
      })),
    ),
  )
const concerns = ({ onlyKey, filter }: WatchGroupKey, event: StoreEvent) =>
  (onlyKey === undefined || onlyKey === event.key) && selectEvent(event, filter) !== undefined

const groupsTests = suite('the watch groups of a type')

groupsTests('an event visits every group that it concerns, once', () => {
  const groups = new WatchGroups()
  const idOf = new Map<WatchGroup, string>(keys.map(key => [groups.of(key), key.id]))
  for (const event of eventsOf()) {
    const visited: string[] = []
    groups.visit(event, group => visited.push(idOf.get(group)!))
    assert.is(new Set(visited).size, visited.length)
    for (const key of keys) if (concerns(key, event)) assert.ok(visited.includes(key.id), key.id)
  }
})

groupsTests('groups of other values are not visited', () => {
  const groups = new WatchGroups()
  for (let node = 0; node < 1000; node++) groups.of(keyOf(`node ${node}`, [onNode(`${node}`)]))
  for (let pod = 0; pod < 1000; pod++) groups.of(keyOf(`pod ${pod}`, [], `pods/n/${pod}`))
  let visited = 0
  for (const event of eventsOf()) groups.visit(event, () => visited++)
  assert.ok(visited <= 2 * eventsOf().length)
})

groupsTests('a group that is removed is visited no more, and the others are', () => {
  for (const removed of keys) {
    const groups = new WatchGroups()
    const idOf = new Map<WatchGroup, string>(keys.map(key => [groups.of(key), key.id]))
    groups.remove(removed)
    for (const event of eventsOf()) {
      const visited: string[] = []
      groups.visit(event, group => visited.push(idOf.get(group)!))
      assert.not.ok(visited.includes(removed.id))
      for (const key of keys) if (key !== removed && concerns(key, event)) assert.ok(visited.includes(key.id), key.id)
    }
    for (const key of keys) groups.remove(key)
    assert.ok(groups.isEmpty)
  }
})

groupsTests.run()
