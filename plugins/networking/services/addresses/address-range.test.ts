import * as fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { AddressRange } from './address-range.js'
import { pickFree } from './allocate.js'

const ranges = suite('ranges of addresses')

ranges('allocate all but the first and the last', () => {
  const range = new AddressRange('10.0.0.0/30')
  assert.is(range.size, 2n)
  assert.equal([range.at(0n), range.at(1n)], ['10.0.0.1', '10.0.0.2'])
  assert.equal(
    ['10.0.0.0', '10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4', '::1'].map(ip => range.includes(ip)),
    [false, true, true, false, false, false],
  )
})
ranges('begin where the prefix begins', () => {
  assert.is(new AddressRange('192.168.7.99/16').at(0n), '192.168.0.1')
})
ranges('of IPv6 work the same way', () => {
  const range = new AddressRange('fd00:1::/112')
  assert.equal([range.family, range.size, range.at(0n), range.at(254n)], ['IPv6', 65535n, 'fd00:1::1', 'fd00:1::ff'])
  assert.ok(range.includes('fd00:1:0:0::ff'))
  assert.not.ok(range.includes('fd00:2::1'))
})
ranges('must be valid, and not too small', () => {
  assert.throws(() => new AddressRange('10.0.0.0'), /not a range/)
  assert.throws(() => new AddressRange('10.0.0.0/31'), /too small/)
})
ranges('contain every address they allocate', () => {
  fc.assert(
    fc.property(fc.ipV4(), fc.integer({ min: 8, max: 29 }), fc.nat(), (ip, prefix, n) => {
      const range = new AddressRange(`${ip}/${prefix}`)
      return range.includes(range.at(BigInt(n) % range.size))
    }),
  )
})

const picking = suite('picking a free one')
picking('finds the last one that is free', () => {
  const taken = new Set(['0', '1', '3', '4'])
  assert.is(
    pickFree(5n, String, value => taken.has(value)),
    '2',
  )
})
picking('says when there is none', () => {
  assert.is(
    pickFree(3n, String, () => true),
    undefined,
  )
})

ranges.run()
picking.run()
