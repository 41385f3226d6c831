import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { allocate, type Market, type Offer } from './allocate.js'
import type { DeviceClaimLike, DeviceLike, RequestLike } from './objects.js'

const gpu = (name: string, more: Partial<DeviceLike> = {}): Offer => ({
  driver: 'd.test',
  pool: 'p',
  device: { name, ...more },
})
const on = (board: string): Partial<DeviceLike> => ({ attributes: { board: { string: board } } })
const market = (offers: readonly Offer[], taken: readonly string[] = []): Market => ({
  offers,
  isTaken: key => taken.includes(key),
  // A class is the beginning of the names of its devices.
  isChosen: ({ device }, { deviceClassName }) => device.name.startsWith(deviceClassName),
})
const claim = (requests: readonly RequestLike[], constraints: object[] = []): DeviceClaimLike => ({
  metadata: { name: 'c' },
  spec: { devices: { requests, constraints } },
})
const one = (name: string, more: object = {}): RequestLike => ({ name, exactly: { deviceClassName: 'g', ...more } })
const names = (results: ReturnType<typeof allocate>) =>
  results?.map(each => each.map(({ request, device }) => `${request}=${device}`).join())

const choosing = suite('which devices claims get')

choosing('the first that are free, each once', () => {
  const offers = [gpu('g1'), gpu('g2'), gpu('g3')]
  assert.equal(names(allocate([claim([one('a')]), claim([one('b')])], market(offers, ['d.test/p/g1']))), [
    'a=g2',
    'b=g3',
  ])
  assert.is(allocate([claim([one('a', { count: 3 })])], market(offers, ['d.test/p/g1'])), undefined)
  assert.equal(names(allocate([claim([one('a', { count: 2 })])], market(offers))), ['a=g1,a=g2'])
})
choosing('all that match, if none of them is taken', () => {
  const offers = [gpu('g1'), gpu('x'), gpu('g2')]
  assert.equal(names(allocate([claim([one('a', { allocationMode: 'All' })])], market(offers))), ['a=g1,a=g2'])
  assert.is(allocate([claim([one('a', { allocationMode: 'All' })])], market(offers, ['d.test/p/g2'])), undefined)
})
choosing('with admin access, also devices that are allocated to others', () => {
  const results = allocate([claim([one('a', { adminAccess: true })])], market([gpu('g1')], ['d.test/p/g1']))
  assert.equal(results, [[{ request: 'a', driver: 'd.test', pool: 'p', device: 'g1', adminAccess: true }]])
})
choosing('the first possible alternative', () => {
  const firstAvailable = [
    { name: 'big', deviceClassName: 'h' },
    { name: 'small', deviceClassName: 'g' },
  ]
  assert.equal(names(allocate([claim([{ name: 'a', firstAvailable }])], market([gpu('g1')]))), ['a/small=g1'])
})
choosing('devices with equal or distinct attributes, as constraints require', () => {
  const offers = [gpu('g1', on('x')), gpu('g2', on('y')), gpu('g3', on('y'))]
  const two = [one('a', { count: 2 })]
  assert.equal(names(allocate([claim(two, [{ matchAttribute: 'd.test/board' }])], market(offers))), ['a=g2,a=g3'])
  assert.equal(names(allocate([claim(two, [{ distinctAttribute: 'd.test/board' }])], market(offers))), ['a=g1,a=g2'])
  assert.is(allocate([claim(two, [{ matchAttribute: 'd.test/none' }])], market(offers)), undefined)
})
choosing('none with untolerated taints, and none that allows multiple allocations', () => {
  const taints = [{ key: 'sick', effect: 'NoSchedule' }]
  const offers = [gpu('g1', { taints }), gpu('g2', { allowMultipleAllocations: true })]
  assert.is(allocate([claim([one('a')])], market(offers)), undefined)
  const tolerations = [{ key: 'sick', operator: 'Exists' }]
  assert.equal(names(allocate([claim([one('a', { tolerations })])], market(offers))), ['a=g1'])
})
choosing('a search that takes too many steps is abandoned', () => {
  const offers = Array.from({ length: 60 }, (_, i) => gpu(`g${i}`, on(String(i))))
  assert.is(
    allocate([claim([one('a', { count: 30 })], [{ matchAttribute: 'd.test/board' }])], market(offers)),
    undefined,
  )
  const almost = offers.map((offer, i) => (i % 2 ? offer : gpu(`g${i}`, on('same'))))
  assert.is(
    allocate([claim([one('a', { count: 31 })], [{ matchAttribute: 'd.test/board' }])], market(almost)),
    undefined,
  )
})

choosing.run()
