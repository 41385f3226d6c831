import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { orchProfile, Vendor } from '../../plugin/vendor.js'
import {
  isExtendedResource,
  isIntegerResource,
  isNativeResource,
  isOvercommitAllowed,
  isWholeAmount,
  roundResourceList,
  validateResourceAmount,
  validateResourceName,
} from './resource-quantities.js'

const vendor = new Vendor({ ...orchProfile, domain: 'acme.test' })

const kinds = suite('kinds of resources')
const table: Record<string, [native: boolean, extended: boolean, integer: boolean, overcommit: boolean]> = {
  cpu: [true, false, false, true],
  pods: [true, false, true, true],
  'acme.test/thing': [true, false, false, true],
  'other.test/gpu': [false, true, true, false],
  'requests.other.test/gpu': [false, false, false, false],
  'hugepages-2Mi': [true, false, false, false],
}
for (const [name, expected] of Object.entries(table))
  kinds(`${name} is classified`, () => {
    const rules = [isNativeResource, isExtendedResource, isIntegerResource, isOvercommitAllowed]
    assert.equal(
      rules.map(rule => rule(name, vendor)),
      expected,
    )
  })

kinds('a name is a standard name or has a domain', () => {
  const wrong = (name: string) => validateResourceName(name, 'f').length > 0
  assert.equal(['cpu', 'requests.cpu', 'hugepages-1Gi', 'a.test/b', 'bogus', 'a b'].map(wrong), [
    false,
    false,
    false,
    false,
    true,
    true,
  ])
})

const amounts = suite('amounts of resources')
amounts('are not negative, and whole where fractions are not allowed', () => {
  const count = (name: string, amount: string) => validateResourceAmount(name, amount, 'f', vendor).length
  assert.equal([count('cpu', '0.5'), count('cpu', '-1'), count('pods', '1'), count('pods', '500m')], [0, 1, 0, 1])
})
amounts('are rounded up to thousandths', () => {
  const list = { cpu: '1.0005', memory: '1Gi' }
  roundResourceList(list)
  assert.equal(list, { cpu: '1001m', memory: '1Gi' })
})

kinds.run()
amounts.run()

const whole = suite('whole amounts')
const wholes: Record<string, boolean> = {
  1: true,
  '1500m': false,
  '0.5Gi': true,
  '1E': true,
  '1Pi': true,
  '1Ei': false,
}
for (const [amount, expected] of Object.entries(wholes))
  whole(`${amount} ${expected ? 'is one' : 'is none'}`, () => assert.is(isWholeAmount(amount), expected))
whole.run()
