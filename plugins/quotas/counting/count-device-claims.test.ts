import type { ApiObject } from 'orch/sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { formatAmounts } from '../amounts/amounts.js'
import { namesAt } from '../testing/names-at.js'
import { Evaluators } from './evaluators.js'

const type = { group: 'resource.acme.test', resource: 'resourceclaims' }
const counter = new Evaluators(namesAt('1.36')).of(type)
const exact = (deviceClassName: string, count: number) => ({ deviceClassName, allocationMode: 'ExactCount', count })
const all = (deviceClassName: string) => ({ deviceClassName, allocationMode: 'All' })
/** The number of devices by class. */
function devicesOf(...requests: object[]) {
  const claim = { metadata: { name: 'c' }, spec: { devices: { requests } } } as ApiObject
  const { 'count/resourceclaims.resource.acme.test': count, ...devices } = formatAmounts(counter.usageOf(claim, 0))
  assert.is(count, '1')
  return devices
}
const gpus = 'gpu.deviceclass.resource.acme.test/devices'
const disks = 'disk.deviceclass.resource.acme.test/devices'

const devices = suite('the devices that a claim asks for')

devices('are counted by class', () => {
  assert.equal(devicesOf(), {})
  assert.equal(devicesOf({ exactly: exact('gpu', 2) }, { exactly: exact('gpu', 1) }, { exactly: exact('disk', 1) }), {
    [gpus]: '3',
    [disks]: '1',
  })
})
devices('count as the most that a claim can get if it asks for all', () => {
  assert.equal(devicesOf({ exactly: all('gpu') }), { [gpus]: '32' })
})
devices('are the most of any alternative', () => {
  const firstAvailable = [exact('gpu', 1), exact('gpu', 4), exact('disk', 2)]
  assert.equal(devicesOf({ firstAvailable }, { exactly: exact('disk', 1) }), { [gpus]: '4', [disks]: '3' })
})
devices('are charged with updates, too', () => {
  const claim = { metadata: {} }
  assert.ok(counter.isCharged?.({ operation: 'update', subresource: '', object: claim, oldObject: claim }))
})
devices('are found for the resources of a quota, since 1.34', () => {
  const found = (version: '1.33' | '1.34', ...names: string[]) =>
    new Evaluators(namesAt(version)).counting(names).map(({ resource }) => resource)
  assert.equal(found('1.34', gpus, 'count/resourceclaims.resource.acme.test'), ['resourceclaims'])
  assert.equal(found('1.33', gpus), [])
})

devices.run()
