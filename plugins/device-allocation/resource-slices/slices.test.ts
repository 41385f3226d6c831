import { kubernetesProfile, profileAtVersion, type Strategy, Vendor } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { deviceNames } from '../names.js'
import { convertNested } from './nested-devices.js'
import { resourceSlices } from './resource.js'
import type { Device, ResourceSlice } from './schema.js'
import { validateSlice, validateSliceUpdate } from './validation.js'

const vendor = new Vendor(kubernetesProfile)
const vendorAt = (version: string) => new Vendor(profileAtVersion(kubernetesProfile, version)!)
const many = <T>(count: number, item: (index: number) => T) => Array.from({ length: count }, (_, index) => item(index))
type Problems = readonly { field: string; type: string }[]
const told = (errors: Problems) => errors.map(({ field, type }) => `${field} ${type.replace('FieldValue', '')}`)

const slices = suite('slices of devices')
const slice = (spec: Partial<ResourceSlice['spec']> = {}): ResourceSlice => ({
  spec: { driver: 'd.io', pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, nodeName: 'n', ...spec },
})
const withDevice = (device: Partial<Device>, rest: Partial<ResourceSlice['spec']> = {}) =>
  slice({ ...rest, devices: [{ name: 'd', ...device }] })
const shared = (requestPolicy: object) =>
  withDevice({
    allowMultipleAllocations: true,
    capacity: { m: { value: '10', requestPolicy: requestPolicy as never } },
  })
const at = 'spec.devices[0]'
const policyAt = `${at}.capacity[m].requestPolicy`
const offered: Record<string, [slice: ResourceSlice, ...wrong: string[]]> = {
  'have a driver, a pool and a node': [withDevice({})],
  'say in one way which nodes can use them': [slice({ allNodes: true }), 'spec Invalid'],
  'say which nodes can use them': [
    slice({ nodeName: undefined as never, allNodes: false }),
    'spec.allNodes Invalid',
    'spec Required',
  ],
  'may leave it to the devices': [
    slice({
      nodeName: undefined as never,
      perDeviceNodeSelection: true,
      devices: [{ name: 'a', nodeName: 'n' }, { name: 'b' }, { name: 'c', nodeName: 'n', allNodes: true }],
    }),
    'spec.devices[1] Required',
    'spec.devices[2] Invalid',
  ],
  'have devices that say nothing about nodes otherwise': [withDevice({ allNodes: true }), `${at} Invalid`],
  'have at most 128 devices': [slice({ devices: many(129, i => ({ name: `d${i}` })) }), 'spec.devices TooMany'],
  'have at most 64 devices with details': [
    slice({
      devices: many(65, i => ({ name: `d${i}`, ...(i === 0 ? { taints: [{ key: 'k', effect: 'None' }] } : {}) })),
    }),
    'spec.devices TooMany',
  ],
  'have attributes of one value': [
    withDevice({
      attributes: { a: {}, b: { int: 1, bool: true }, c: { version: '1.2' }, d: { string: 'x'.repeat(65) } },
    }),
    `${at}.attributes[a] Invalid`,
    `${at}.attributes[b] Invalid`,
    `${at}.attributes[c].version Invalid`,
    `${at}.attributes[d].string TooLong`,
  ],
  'have attributes with names': [
    withDevice({ attributes: { 'a-b': { int: 1 }, 'd.io/': { int: 1 }, '/x': { int: 1 }, 'd.io/x': { int: 1 } } }),
    `${at}.attributes Invalid`,
    `${at}.attributes Invalid`,
    `${at}.attributes Invalid`,
  ],
  'have at most 32 attributes and capacities': [
    withDevice({ attributes: Object.fromEntries(many(33, i => [`a${i}`, { int: i }])) }),
    `${at} Invalid`,
  ],
  'have taints with an effect': [
    withDevice({
      taints: [
        { key: '', effect: '' },
        { key: 'k', effect: 'Explode' },
      ],
    }),
    `${at}.taints[0].key Invalid`,
    `${at}.taints[0].key Invalid`,
    `${at}.taints[0].effect Required`,
    `${at}.taints[1].effect NotSupported`,
  ],
  'have devices or counters': [
    slice({ devices: [{ name: 'd' }], sharedCounters: [{ name: 'c', counters: { m: { value: '1' } } }] }),
    'spec Invalid',
  ],
  'have counters with names': [
    slice({
      sharedCounters: [
        { name: '', counters: {} },
        { name: 'c', counters: { X: { value: '1' } } },
      ],
    }),
    'spec.sharedCounters[0].name Required',
    'spec.sharedCounters[0].counters Required',
    'spec.sharedCounters[1].counters Invalid',
  ],
  'give parts only of devices that can be shared': [
    withDevice({ capacity: { m: { value: '1', requestPolicy: { default: '1' } } } }),
    `${policyAt} Forbidden`,
  ],
  'give a default where amounts are limited': [
    shared({ default: null, validValues: ['1'] }),
    `${policyAt}.default Required`,
  ],
  'have amounts in ascending order, up to the capacity': [
    shared({ default: '3', validValues: ['2', '1', '11'] }),
    `${policyAt}.validValues[1] Invalid`,
    `${policyAt}.validValues[2] Invalid`,
    `${policyAt}.validValues Invalid`,
  ],
  'have ranges within the capacity, reached by steps': [
    shared({ default: '4', validRange: { min: '1', max: '11', step: '2' } }),
    `${policyAt}.validRange.max Invalid`,
    `${policyAt}.validRange.step Invalid`,
  ],
}
for (const [title, [object, ...wrong]] of Object.entries(offered))
  slices(title, () => assert.equal(told(validateSlice(object, vendor)), wrong))
slices('report keys and missing values where Kubernetes did', () => {
  const object = withDevice({ attributes: { '': { int: 1 }, '/x': { int: 1 }, 'a-b': {} } })
  assert.equal(told(validateSlice(object, vendorAt('1.34'))), [
    `${at}.attributes[] Required`,
    `${at}.attributes[/x] Required`,
    `${at}.attributes[a-b] Invalid`,
    `${at}.attributes[a-b] Required`,
  ])
  assert.equal(told(validateSlice(object, vendorAt('1.35'))), [
    `${at}.attributes[] Invalid`,
    `${at}.attributes[/x] Invalid`,
    `${at}.attributes[a-b] Invalid`,
    `${at}.attributes[a-b] Invalid`,
  ])
})
slices('have at most 48 values of attributes, since there are lists of them', () => {
  const attributes = Object.fromEntries(many(49, i => [`a${i}`, { int: i }]))
  const errors = (version: string) => told(validateSlice(withDevice({ attributes }), vendorAt(version)))
  assert.equal(errors('1.35'), [`${at} Invalid`])
  assert.equal(errors('1.36'), [`${at} Invalid`, `${at} Invalid`])
})
slices('with a driver in upper case are warned about since 1.35', () => {
  const strategy: Strategy<ResourceSlice> | undefined = resourceSlices(deviceNames(vendor)).strategy
  const warnings = (version: string) =>
    strategy?.warnings?.(slice({ driver: 'D.io' }), undefined, { vendor: vendorAt(version) } as never)
  assert.equal(warnings('1.34'), [])
  assert.is((warnings('1.35') as string[]).length, 1)
})
slices('keep their driver, pool and node', () => {
  const other = slice({ driver: 'e.io', nodeName: 'm', pool: { name: 'q', generation: 1, resourceSliceCount: 1 } })
  const fields = ['spec.pool.name Invalid', 'spec.driver Invalid', 'spec.nodeName Invalid']
  assert.equal(told(validateSliceUpdate(other, slice(), vendor)), fields)
})
slices('keep taints that were allowed before', () => {
  const tainted = withDevice({ taints: [{ key: 'k', effect: 'Former' }] })
  assert.equal(validateSliceUpdate(tainted, structuredClone(tainted), vendor), [])
})
slices('have devices in a struct of their own in older versions', () => {
  const stored = withDevice({ attributes: { a: { int: 1 } }, capacity: { m: { value: '1Gi' } } })
  const amounts = convertNested('amounts')
  const shown = amounts.fromStorage(stored)
  assert.equal(shown.spec.devices as unknown, [
    { name: 'd', basic: { attributes: { a: { int: 1 } }, capacity: { m: '1Gi' } } },
  ])
  assert.equal(amounts.toStorage(shown), stored)
  const structs = convertNested('structs')
  assert.equal(structs.toStorage(structs.fromStorage(stored)), stored)
})
slices.run()
