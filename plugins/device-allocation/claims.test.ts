import { ServedLevel } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { claimState, dropDeallocated } from './resource-claims/resource.js'
import type { ResourceClaim, ResourceClaimStatus } from './resource-claims/schema.js'
import { validateStatusUpdate } from './resource-claims/status-rules.js'
import { expressionsOfSpec, validateClaimSpec } from './schemas/claim-spec-rules.js'
import type { DeviceClaim, DeviceRequest } from './schemas/claim-spec-schema.js'
import { fillFlatSpec, fillSpec } from './schemas/defaults.js'
import { flattenRequests, nestRequests } from './schemas/flat-requests.js'

const many = <T>(count: number, item: (index: number) => T) => Array.from({ length: count }, (_, index) => item(index))
type Problems = readonly { field: string; type: string }[]
const told = (errors: Problems) => errors.map(({ field, type }) => `${field} ${type.replace('FieldValue', '')}`)

const latest = new ServedLevel('1.36')
const first = new ServedLevel('1.34')

const requests = suite('the requests of claims')
const exactly = { deviceClassName: 'gpu', allocationMode: 'ExactCount', count: 1 }
const plain: DeviceRequest = { name: 'r', exactly }
const choice: DeviceRequest = { name: 'any', firstAvailable: [{ name: 'a', ...exactly }] }
const claims: Record<string, [claim: DeviceClaim, ...wrong: string[]]> = {
  'may be devices of a class, or alternatives': [{ requests: [plain, choice] }],
  'is one or the other': [
    { requests: [{ name: 'r' }, { ...choice, exactly }] },
    'spec.devices.requests[0] Required',
    'spec.devices.requests[1] Invalid',
  ],
  'has a name that no other request has': [{ requests: [plain, plain] }, 'spec.devices.requests[1] Duplicate'],
  'has a class': [
    { requests: [{ name: 'r', exactly: { ...exactly, deviceClassName: '' } }] },
    'spec.devices.requests[0].exactly.deviceClassName Required',
  ],
  'has a count, unless all devices are meant': [
    {
      requests: [
        { name: 'a', exactly: { ...exactly, count: -1 } },
        { name: 'b', exactly: { ...exactly, allocationMode: 'All' } },
        { name: 'c', exactly: { ...exactly, allocationMode: 'Some' } },
      ],
    },
    'spec.devices.requests[0].exactly.count Invalid',
    'spec.devices.requests[1].exactly.count Invalid',
    'spec.devices.requests[2].exactly.allocationMode NotSupported',
  ],
  'has at most eight alternatives': [
    { requests: [{ name: 'r', firstAvailable: many(9, i => ({ name: `a${i}`, ...exactly })) }] },
    'spec.devices.requests[0].firstAvailable TooMany',
  ],
  'has selectors with an expression that is not too long': [
    {
      requests: [{ name: 'r', exactly: { ...exactly, selectors: [{}, { cel: { expression: 'x'.repeat(10_241) } }] } }],
    },
    'spec.devices.requests[0].exactly.selectors[0].cel Required',
    'spec.devices.requests[0].exactly.selectors[1].cel.expression TooLong',
  ],
  'has tolerations that make sense': [
    {
      requests: [
        {
          name: 'r',
          exactly: {
            ...exactly,
            tolerations: [
              { operator: 'Exists', value: 'v' },
              { operator: 'Like', effect: 'Explode' },
              { operator: 'Equal', key: '!' },
            ],
          },
        },
      ],
    },
    'spec.devices.requests[0].exactly.tolerations[0].value Invalid',
    'spec.devices.requests[0].exactly.tolerations[1].operator NotSupported',
    'spec.devices.requests[0].exactly.tolerations[1].effect NotSupported',
    'spec.devices.requests[0].exactly.tolerations[2].key Invalid',
  ],
  'has constraints on requests and alternatives that are there': [
    { requests: [plain, choice], constraints: [{ requests: ['r', 'any/a', 'any/b', 'x'], matchAttribute: 'd.io/x' }] },
    'spec.devices.constraints[0].requests[2] Invalid',
    'spec.devices.constraints[0].requests[3] Invalid',
  ],
  'has constraints on attributes with a domain': [
    { constraints: [{}, { matchAttribute: 'x' }, { distinctAttribute: 'd.io/not-a-name' }, { matchAttribute: '/x' }] },
    'spec.devices.constraints[0] Required',
    'spec.devices.constraints[1].matchAttribute Invalid',
    'spec.devices.constraints[2].distinctAttribute Invalid',
    'spec.devices.constraints[3].matchAttribute Invalid',
  ],
  'has configuration for a driver': [
    { requests: [plain], config: [{}, { requests: ['r'], opaque: { driver: '', parameters: [] } }] },
    'spec.devices.config[0].opaque Required',
    'spec.devices.config[1].opaque.driver Required',
    'spec.devices.config[1].opaque.parameters Invalid',
  ],
}
for (const [title, [devices, ...wrong]] of Object.entries(claims))
  requests(title, () =>
    assert.equal(told(validateClaimSpec({ devices }, 'spec', { canShareDevices: true }, latest)), wrong),
  )
const firstClaims: Record<string, [claim: DeviceClaim, ...wrong: string[]]> = {
  'is checked in both parts, and both are one too many': [
    { requests: [{ ...choice, exactly: { ...exactly, deviceClassName: '' } }] },
    'spec.devices.requests[0].exactly.deviceClassName Required',
    'spec.devices.requests[0] Invalid',
  ],
  'has a name of its own': [
    {
      requests: [
        plain,
        plain,
        { name: 'any', firstAvailable: [choice.firstAvailable![0]!, choice.firstAvailable![0]!] },
      ],
    },
    'spec.devices.requests[2].firstAvailable[1].name Duplicate',
    'spec.devices.requests[1].name Duplicate',
  ],
  'is checked even in a list that is too long': [
    { requests: many(33, i => ({ name: i < 32 ? `r${i}` : 'R', exactly })) },
    'spec.devices.requests[32].name Invalid',
    'spec.devices.requests TooMany',
  ],
  'has constraints on attributes with a domain and a name': [
    {
      constraints: [
        { matchAttribute: '' },
        { matchAttribute: '/x' },
        { matchAttribute: 'd.io/' },
        { requests: ['x', 'x'] },
      ],
    },
    'spec.devices.constraints[0].matchAttribute Required',
    'spec.devices.constraints[1].matchAttribute Required',
    'spec.devices.constraints[2].matchAttribute Required',
    'spec.devices.constraints[3].requests[0] Invalid',
    'spec.devices.constraints[3].requests[1] Invalid',
    'spec.devices.constraints[3].requests[1] Duplicate',
    'spec.devices.constraints[3] Required',
  ],
  'has configuration for a driver with a name': [
    { config: [{ opaque: { driver: '', parameters: {} } }] },
    'spec.devices.config[0].opaque.driver Required',
    'spec.devices.config[0].opaque.driver Invalid',
  ],
  'tolerates taints that have an effect': [
    { requests: [{ name: 'r', exactly: { ...exactly, tolerations: [{ operator: 'Exists', effect: 'None' }] } }] },
    'spec.devices.requests[0].exactly.tolerations[0].effect NotSupported',
  ],
}
for (const [title, [devices, ...wrong]] of Object.entries(firstClaims))
  requests(`${title} (1.34)`, () =>
    assert.equal(told(validateClaimSpec({ devices }, 'spec', { canShareDevices: true }, first)), wrong),
  )
requests('tolerates taints that only inform, later', () => {
  const tolerations = [{ operator: 'Exists', effect: 'None' }]
  const devices = { requests: [{ name: 'r', exactly: { ...exactly, tolerations } }] }
  assert.equal(validateClaimSpec({ devices }, 'spec', { canShareDevices: true }, latest), [])
})
requests('has expressions that are compiled, unless there are too many', () => {
  const selectors = many(33, () => ({ cel: { expression: 'true' } }))
  const compiled = (devices: DeviceClaim, level: ServedLevel) =>
    expressionsOfSpec({ devices }, 'spec', level).map(({ field }) => field)
  const long = { requests: [{ name: 'r', exactly: { ...exactly, selectors } }] }
  assert.equal(compiled(long, latest), [])
  assert.is(compiled(long, first).length, 32)
  const some = { ...exactly, selectors: selectors.slice(0, 1) }
  assert.equal(compiled({ requests: many(33, i => ({ name: `r${i}`, exactly: some })) }, latest), [])
  const both = { requests: [{ name: 'r', exactly: some, firstAvailable: [{ name: 'a', ...some }] }] }
  assert.equal(compiled(both, latest), [])
  assert.equal(compiled(both, first), [
    'spec.devices.requests[0].exactly.selectors[0].cel.expression',
    'spec.devices.requests[0].firstAvailable[0].selectors[0].cel.expression',
  ])
})
requests('needs an attribute to match where devices are not shared', () => {
  const errors = validateClaimSpec({ devices: { constraints: [{}] } }, 'spec', { canShareDevices: false }, latest)
  assert.equal(told(errors), ['spec.devices.constraints[0].matchAttribute Required'])
})
requests('is one device unless it says how many', () => {
  const spec = { devices: { requests: [{ name: 'r', exactly: { deviceClassName: 'gpu' } }] } }
  fillSpec(spec)
  assert.equal(spec.devices.requests[0]!.exactly, exactly)
  const flat = { devices: { requests: [{ name: 'r', deviceClassName: 'gpu', allocationMode: 'All' }, { name: 's' }] } }
  fillFlatSpec(flat)
  assert.equal(flat.devices.requests, [{ name: 'r', deviceClassName: 'gpu', allocationMode: 'All' }, { name: 's' }])
})
requests('is the same in older versions, which have it in the request itself', () => {
  const spec = { devices: { requests: [plain, choice], constraints: [{ matchAttribute: 'd.io/x' }] } }
  const flat = flattenRequests(spec)
  assert.equal(flat.devices?.requests?.[0], { name: 'r', ...exactly })
  assert.equal(nestRequests(flat), spec)
})
requests.run()

const status = suite('the status of claims')
const claim = (status: ResourceClaimStatus, isDeleted = false): ResourceClaim => ({
  metadata: isDeleted ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {},
  spec: { devices: { requests: [plain, choice] } },
  status,
})
const device = { driver: 'd.io', pool: 'p', device: 'gpu-0' }
const allocation = { devices: { results: [{ request: 'r', ...device }] } }
const pod = (name: string) => ({ resource: 'pods', name, uid: `uid-of-${name}` })
const changes: Record<string, [sent: ResourceClaimStatus, stored: ResourceClaimStatus, ...wrong: string[]]> = {
  'may be an allocation and its consumers': [{ allocation, reservedFor: [pod('a')] }, {}],
  'reserves nothing that is not allocated': [{ reservedFor: [pod('a')] }, {}, 'status.reservedFor Forbidden'],
  'reserves once per consumer, by name': [
    { allocation, reservedFor: [pod('a'), pod('a'), { resource: '', name: '', uid: '' }] },
    { allocation },
    'status.reservedFor[2].resource Required',
    'status.reservedFor[2].name Required',
    'status.reservedFor[2].uid Required',
    'status.reservedFor[1] Duplicate',
  ],
  'keeps the allocation unchanged': [
    { allocation: { devices: { results: [] } } },
    { allocation },
    'status.allocation Invalid',
  ],
  'may remove the allocation': [{}, { allocation }],
  'allocates for requests that are there': [
    { allocation: { devices: { results: [{ request: 'x', driver: '', pool: 'P', device: '_' }] } } },
    {},
    'status.allocation.devices.results[0].request Invalid',
    'status.allocation.devices.results[0].driver Required',
    'status.allocation.devices.results[0].pool Invalid',
    'status.allocation.devices.results[0].device Invalid',
  ],
  'has both conditions for binding, or none': [
    { allocation: { devices: { results: [{ request: 'r', ...device, bindingConditions: ['a.io/ready'] }] } } },
    {},
    'status.allocation.devices.results[0].bindingFailureConditions Invalid',
  ],
  'says where configuration comes from': [
    { allocation: { devices: { config: [{ source: '', opaque: { driver: 'd.io', parameters: {} } }] } } },
    {},
    'status.allocation.devices.config[0].source Required',
  ],
  'describes allocated devices only': [
    { allocation, devices: [{ ...device, device: 'other' }] },
    { allocation },
    'status.devices[0] Invalid',
  ],
  'has addresses in canonical form': [
    {
      allocation,
      devices: [{ ...device, networkData: { ips: ['10.9.8.7/24', '10.9.8.7', 'FD00::1/64', '1.2.3.4/33'] } }],
    },
    { allocation },
    'status.devices[0].networkData.ips[1] Invalid',
    'status.devices[0].networkData.ips[2] Invalid',
    'status.devices[0].networkData.ips[3] Invalid',
  ],
  'identifies shares by their UUID': [
    { allocation: { devices: { results: [{ request: 'r', ...device, shareID: 'A' }] } } },
    {},
    'status.allocation.devices.results[0].shareID Invalid',
  ],
}
for (const [title, [sent, stored, ...wrong]] of Object.entries(changes))
  status(title, () => assert.equal(told(validateStatusUpdate(claim(sent), claim(stored), latest)), wrong))
status('adds no users while the claim is being deleted, but allows removing them', () => {
  const stored = claim({ allocation, reservedFor: [pod('a'), pod('b')] }, true)
  const change = (...users: string[]) =>
    told(validateStatusUpdate(claim({ allocation, reservedFor: users.map(pod) }, true), stored, latest))
  assert.equal(change('a'), [])
  assert.equal(change('a', 'c'), ['status.reservedFor Forbidden'])
})
status('reports repeated consumers and devices at their keys (1.34)', () => {
  const sent = claim({ allocation, reservedFor: [pod('a'), pod('a')], devices: [device, { ...device, shareID: '' }] })
  assert.equal(told(validateStatusUpdate(sent, claim({ allocation }), first)), [
    'status.reservedFor[1].uid Duplicate',
    'status.devices[1].shareID Invalid',
    'status.devices[1].deviceID Duplicate',
  ])
})
status('tells devices apart whose pools have slashes', () => {
  const results = [{ request: 'r', driver: 'd.io', pool: 'p/a', device: 'b' }]
  const devices = [{ driver: 'd.io', pool: 'p', device: 'a/b' }]
  const sent = claim({ allocation: { devices: { results } }, devices })
  assert.equal(told(validateStatusUpdate(sent, claim({ allocation: { devices: { results } } }), latest)), [
    'status.devices[0].device Invalid',
    'status.devices[0] Invalid',
  ])
})
status('drops the status of devices that are deallocated', () => {
  const draft = claim({ devices: [device] })
  dropDeallocated(draft, claim({ allocation, devices: [device] }))
  assert.equal(draft.status, {})
})
status('is summarized in one column', () => {
  assert.is(claimState(claim({})), 'pending')
  assert.is(claimState(claim({}, true)), 'deleted')
  assert.is(claimState(claim({ allocation, reservedFor: [pod('a')] }, true)), 'deleted,allocated,reserved')
})
status.run()
