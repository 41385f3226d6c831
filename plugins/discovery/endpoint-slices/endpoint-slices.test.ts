import { kubernetesProfile, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { discoveryNames } from '../names.js'
import { columns, convertV1beta1 } from './resource.js'
import type { Endpoint, EndpointSlice } from './schema.js'
import { mainStrategy } from './strategy.js'
import { validateSlice, validateSliceUpdate } from './validation.js'

const names = discoveryNames(new Vendor(kubernetesProfile))
const { hostnameKey, zoneKey } = names
const slice = (endpoint: Partial<Endpoint> = {}, rest: Partial<EndpointSlice> = {}) => ({
  addressType: 'IPv4',
  endpoints: [{ addresses: ['10.0.0.1'], ...endpoint }],
  ports: [{ name: '', protocol: 'TCP', port: 80 }],
  ...rest,
})

const converting = suite('endpoint slices of two versions')
const { toStorage, fromStorage } = convertV1beta1(names)
const places: Record<string, [topology: Record<string, string>, nodeName: string | undefined]> = {
  'keep the zone of an endpoint': [{ [zoneKey]: 'z' }, undefined],
  'keep a host that is not the node': [{ [hostnameKey]: 'b' }, 'a'],
  'keep a host without a node': [{ [hostnameKey]: 'b', other: 'c' }, undefined],
  'keep the node and its host': [{ [hostnameKey]: 'a', [zoneKey]: 'z' }, 'a'],
}
for (const [title, [topology, nodeName]] of Object.entries(places))
  converting(title, () => {
    const sent = slice({ ...(nodeName === undefined ? {} : { nodeName }), topology } as never)
    assert.equal(fromStorage(toStorage(sent)), sent)
  })
converting('have a field for the zone in v1 and a label in v1beta1', () => {
  const stored = toStorage(slice({ topology: { [zoneKey]: 'z' } } as never))
  assert.equal(stored.endpoints, [{ addresses: ['10.0.0.1'], zone: 'z' }])
})
converting('have a field for the node in v1, which is also a label in v1beta1', () => {
  const sent = slice({ nodeName: 'a', topology: { [hostnameKey]: 'a' } } as never)
  const stored = slice({ nodeName: 'a' })
  assert.equal(toStorage(sent), stored)
  assert.equal(fromStorage(stored), sent)
})
converting('show the node as the host where there is none', () => {
  const stored = slice({ nodeName: 'a', deprecatedTopology: { [hostnameKey]: '' } })
  assert.equal(fromStorage(stored).endpoints[0]?.topology, { [hostnameKey]: 'a' })
})
converting.run()

const writing = suite('writes of endpoint slices')
const v1 = { requestVersion: 'v1' } as never
const newest = { requestVersion: 'v1', vendor: new Vendor(kubernetesProfile) } as never
const strategy = mainStrategy(names, false)
writing('keep no hints while the gate is off, unless there were some', () => {
  const hints = { forZones: [{ name: 'a' }] }
  const created = slice({ hints })
  strategy.prepareForCreate(created, v1)
  assert.is(created.endpoints[0]?.hints, undefined)
  const changed = slice({ hints })
  strategy.prepareForUpdate(changed, slice({ hints }), v1)
  assert.equal(changed.endpoints[0]?.hints, hints)
  const allowed = slice({ hints })
  mainStrategy(names, true).prepareForCreate(allowed, v1)
  assert.equal(allowed.endpoints[0]?.hints, hints)
})
writing('of v1 turn the host of the older version into the node', () => {
  const stored = slice({ deprecatedTopology: { [hostnameKey]: 'a' } })
  const draft = slice({ deprecatedTopology: { [hostnameKey]: 'a' }, conditions: { ready: true } })
  strategy.prepareForUpdate(draft, stored, v1)
  assert.equal(draft.endpoints[0], { addresses: ['10.0.0.1'], conditions: { ready: true }, nodeName: 'a' })
})
writing('count what is dropped afterwards, but no empty list', () => {
  const generationAfter = (draft: EndpointSlice, stored: EndpointSlice) => {
    strategy.prepareForUpdate(draft, stored, v1)
    return draft.metadata?.generation
  }
  assert.is(generationAfter(slice({ deprecatedTopology: { a: 'b' } }), slice({}, { metadata: { generation: 1 } })), 2)
  assert.is(
    generationAfter(slice({}, { endpoints: [] }), {
      addressType: 'IPv4',
      ports: slice().ports,
      metadata: { generation: 1 },
    } as never),
    1,
  )
})
writing('count changes of endpoints and of labels', () => {
  const metadata = (labels?: Record<string, string>) => ({ metadata: { generation: 3, ...(labels ? { labels } : {}) } })
  const counted = (draft: object, stored: object) => {
    strategy.prepareForUpdate(draft as never, stored as never, v1)
    return (draft as { metadata: { generation: number } }).metadata.generation
  }
  assert.is(counted(slice({}, metadata()), slice({}, metadata())), 3)
  assert.is(counted(slice({}, metadata({ a: 'b' })), slice({}, metadata())), 4)
  assert.is(counted(slice({ hostname: 'h' }, metadata()), slice({}, metadata())), 4)
  const without = (ports: [] | null) => slice({}, { ...metadata(), ports } as never)
  assert.is(counted(without([]), without(null)), 3)
})
writing.run()

const rules = suite('rules of endpoint slices')
const problems = (object: EndpointSlice) => validateSlice(object).map(({ field, type }) => `${field} ${type.slice(10)}`)
const many = <T>(count: number, item: (index: number) => T) => Array.from({ length: count }, (_, index) => item(index))
const mapped = ['::ffff:1.2.3.4', '::ffff:102:304', '0:0:0:0:0:FFFF:0102:0304']
const broken: Record<string, [object: EndpointSlice, ...wrong: string[]]> = {
  'allow a valid slice': [slice()],
  'know the types of addresses': [slice({}, { addressType: 'IP' }), 'addressType NotSupported'],
  'want an address': [slice({ addresses: null as never }), 'endpoints[0].addresses Required'],
  'want a name where names are addresses': [
    slice({ addresses: ['a.b.', 'A'] }, { addressType: 'FQDN' }),
    'endpoints[0].addresses[1] Invalid',
  ],
  'bound the zones that an endpoint is for': [
    slice({ hints: { forZones: many(9, i => ({ name: `z${i}` })) } }),
    'endpoints[0].hints.forZones TooMany',
  ],
  'want every zone once and by a name': [
    slice({ hints: { forZones: [{ name: 'a' }, { name: 'a' }, { name: 'b c' }] } }),
    'endpoints[0].hints.forZones[1].name Duplicate',
    'endpoints[0].hints.forZones[2].name Invalid',
  ],
  'check no nodes if there are too many zones': [
    slice({ hints: { forZones: many(9, i => ({ name: `z${i}` })), forNodes: [{ name: '!' }] } }),
    'endpoints[0].hints.forZones TooMany',
  ],
  'take mapped addresses for IPv4 in every form': [
    slice({ addresses: mapped }, { addressType: 'IPv6' }),
    ...mapped.map((_, i) => `endpoints[0].addresses[${i}] Invalid`),
  ],
  'have mapped addresses among those of IPv4': [slice({ addresses: mapped })],
  'allow many ports': [slice({}, { ports: many(20_000, i => ({ name: `p${i}`, protocol: 'TCP' })) })],
  'bound the ports': [slice({}, { ports: many(20_001, i => ({ name: `p${i}`, protocol: 'TCP' })) }), 'ports TooMany'],
  'want ports with distinct names': [
    slice(
      {},
      { ports: [{ protocol: 'TCP' }, { protocol: 'Bogus' }, { name: 'Bad_', protocol: 'TCP', appProtocol: '!' }] },
    ),
    'ports[1].name Duplicate',
    'ports[1].protocol NotSupported',
    'ports[2].name Invalid',
    'ports[2].appProtocol Invalid',
  ],
}
for (const [title, [object, ...wrong]] of Object.entries(broken))
  rules(title, () => assert.equal(problems(object), wrong))
rules('report mapped addresses at their place where errors are reported once', () => {
  const reported = (addressType: string) =>
    validateSlice(slice({ addresses: mapped }, { addressType }), { areReportedOnce: true }).map(({ field }) => field)
  assert.equal(
    reported('IPv6'),
    mapped.map((_, i) => `endpoints[0].addresses[${i}]`),
  )
  assert.equal(reported('IPv4'), [])
})
rules('warn about addresses that are written another way, unless the loops write them', () => {
  const warningsAbout = (object: EndpointSlice, managed?: string, stored?: EndpointSlice) => {
    const labels = managed === undefined ? {} : { [names.managedByLabel]: managed }
    return strategy.warnings({ ...object, metadata: { labels } }, stored, newest).length
  }
  const odd = slice({ addresses: ['010.0.0.1'] })
  assert.is(warningsAbout(odd), 1)
  assert.is(warningsAbout(odd, 'someone'), 1)
  for (const manager of [names.slicingManager, names.mirroringManager]) {
    assert.is(warningsAbout(odd, manager, odd), 0)
    assert.is(warningsAbout(slice({}, { addressType: 'FQDN' }), manager), 1)
  }
})
rules('keep the type of addresses', () => {
  const changed = validateSliceUpdate(slice({ addresses: ['fd00::1'] }, { addressType: 'IPv6' }), slice())
  assert.equal(
    changed.map(({ field }) => field),
    ['addressType'],
  )
})
rules('show the first few ports and addresses', () => {
  const cells = (object: object) => columns.slice(1, 4).map(({ cell }) => cell(object as never, 0))
  const ports = [{ name: 'web' }, { port: 1 }, {}, { port: 2 }]
  assert.equal(cells(slice({ addresses: many(4, i => `10.0.0.${i}`) }, { ports })), [
    'IPv4',
    'web,1,* + 1 more...',
    '10.0.0.0,10.0.0.1,10.0.0.2 + 1 more...',
  ])
  assert.equal(cells({ addressType: 'FQDN' }), ['FQDN', '<unset>', '<unset>'])
})
rules.run()
