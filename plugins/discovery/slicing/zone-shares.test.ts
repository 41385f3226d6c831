import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { EndpointGroup } from './plan-slices.js'
import { withZoneHints, zoneShares } from './zone-shares.js'

const sharing = suite('endpoints allocated to zones')
const names = { zoneKey: 'zone', excluded: ['control-plane'] }
const node = (zone: string | undefined, cpu: string, ready = 'True', labels = {}) => ({
  metadata: { labels: { ...(zone ? { zone } : {}), ...labels } },
  status: { allocatable: { cpu }, conditions: [{ type: 'Ready', status: ready }] },
})

sharing('are allocated by the CPUs of ready worker nodes', () => {
  const nodes = [node('a', '3'), node('b', '500m'), node('b', '500m'), node('b', '9', 'False')]
  const shares = zoneShares([...nodes, node('a', '9', 'True', { 'control-plane': '' })], names)
  assert.equal(
    [...(shares ?? [])],
    [
      ['a', 0.75],
      ['b', 0.25],
    ],
  )
  assert.is(zoneShares([node('a', '1'), node('a', '1')], names), undefined, 'one zone')
  assert.is(zoneShares([node('a', '1'), node('b', '1'), node(undefined, '1')], names), undefined, 'a node nowhere')
})

const group = (...zones: string[]): EndpointGroup => ({
  addressType: 'IPv4',
  ports: [],
  endpoints: zones.map((zone, i) => ({
    addresses: [`10.0.0.${i}`],
    conditions: { ready: true },
    ...(zone ? { zone } : {}),
  })),
})
const even = new Map([
  ['a', 0.5],
  ['b', 0.5],
])
const hintsOf = (groups: readonly EndpointGroup[]) =>
  groups.flatMap(({ endpoints }) => endpoints.map(({ hints }) => hints?.forZones?.[0]?.name))

sharing('stay in their zone if each zone has its share', () => {
  assert.equal(hintsOf(withZoneHints([group('a', 'b', 'a', 'b')], even)), ['a', 'b', 'a', 'b'])
})

sharing('are allocated to a zone that has too few', () => {
  const hints = hintsOf(withZoneHints([group('a', 'a', 'a', 'a', 'a', 'b')], even))
  assert.equal([hints.filter(zone => zone === 'a').length, hints.filter(zone => zone === 'b').length], [3, 3])
  assert.is(hints.at(-1), 'b')
})

sharing('have no hints if there are too few, one has no zone, or the nodes are unknown', () => {
  const nobody = [undefined, undefined, undefined]
  assert.equal(hintsOf(withZoneHints([group('a')], even)), [undefined])
  assert.equal(hintsOf(withZoneHints([group('a', 'b', '')], even)), nobody)
  assert.equal(hintsOf(withZoneHints([group('a', 'a', 'b')], even)), nobody, 'a zone would be overloaded')
  assert.equal(hintsOf(withZoneHints([group('a', 'b', 'b')], undefined)), nobody)
})

sharing.run()
