import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  parseQuantity,
  QuantityError,
  quantityValue,
  roundUpQuantity,
  subtractQuantities,
} from './quantity.js'

const quantities = suite('quantities')

const canonical: Record<string, string> = {
  '0': '0',
  '00': '0',
  '-0': '0',
  '1Gi': '1Gi',
  '1024Mi': '1Gi',
  '1.5Gi': '1536Mi',
  '0.5Ti': '512Gi',
  '1000': '1k',
  '1k': '1k',
  '1e3': '1e3',
  '1000e3': '1e6',
  '100e-3': '100e-3',
  '1e-3': '1e-3',
  '100m': '100m',
  '1000m': '1',
  '1Ki': '1Ki',
  '512Ki': '512Ki',
  '8Ki': '8Ki',
  '1E': '1E',
  '1.0': '1',
  '0.5': '500m',
  '.5': '500m',
  '5.': '5.',
  '1n': '1n',
  '0.1n': '1n',
  '-0.1n': '-1n',
  '0.5Ki': '512',
  '0.0001Ki': '102400u',
  '9223372036854775807': '9223372036854775807',
  '99999999999999999999': '99999999999999999999',
  '1000000000000000000000': '1e21',
  '8Ei': '9223372036854775807',
  '1Ei': '1Ei',
  '1024Pi': '1Ei',
  '-1024Ki': '-1Mi',
  '12345678901234567890123': '12345678901234567890123',
}
for (const [read, written] of Object.entries(canonical)) {
  quantities(`writes ${read} as ${written}`, () => assert.is(canonicalQuantity(read), written))
}

quantities('reuses a text that is canonical but for its sign or leading zeros', () => {
  assert.is(canonicalQuantity('+5'), '+5')
  assert.is(canonicalQuantity('05'), '05')
  assert.is(canonicalQuantity('+3Gi'), '+3Gi')
})
quantities('reads JSON numbers', () => {
  assert.is(canonicalQuantity(1), '1')
  assert.is(canonicalQuantity(1.5), '1500m')
})
for (const text of ['', '1GiB', '1 Gi', 'abc', '1e', '1ki', '--1', '1.5.3', '1e9999999999', '0x10', '1_000', 'NaN']) {
  quantities(`refuses ${JSON.stringify(text)}`, () => {
    assert.throws(
      () => parseQuantity(text),
      (error: unknown) => error instanceof QuantityError,
    )
  })
}
quantities('adds in the format of the first unless that is zero', () => {
  const sum = (left: string, right: string) => formatQuantity(addQuantities(parseQuantity(left), parseQuantity(right)))
  assert.is(sum('1Gi', '1Mi'), '1025Mi')
  assert.is(sum('0', '1Gi'), '1Gi')
  assert.is(sum('500m', '1500m'), '2')
  assert.is(sum('1Gi', '100m'), '1073741824100m')
})
quantities('rounds up to the requested scale', () => {
  assert.is(formatQuantity(roundUpQuantity(parseQuantity('1n'), -3)), '1m')
  assert.is(formatQuantity(roundUpQuantity(parseQuantity('-1n'), -3)), '-1m')
  assert.is(quantityValue(parseQuantity('1.5')), 2n)
  assert.is(quantityValue(parseQuantity('1.5'), -3), 1500n)
})

const amounts = fc
  .tuple(
    fc.bigInt(-(10n ** 20n), 10n ** 20n),
    fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'G', 'Ki', 'Mi', 'e3', 'e-2'),
  )
  .map(([number, unit]) => `${number}${unit}`)
quantities('canonical form keeps the value and is stable', () => {
  fc.assert(
    fc.property(amounts, text => {
      const amount = parseQuantity(text)
      const written = formatQuantity({ ...amount, text: undefined })
      assert.is(compareQuantities(parseQuantity(written), amount), 0, `${text} became ${written}`)
      assert.is(canonicalQuantity(written), written)
    }),
  )
})
quantities('subtracting what was added restores the value', () => {
  fc.assert(
    fc.property(amounts, amounts, (left, right) => {
      const [a, b] = [parseQuantity(left), parseQuantity(right)]
      assert.is(compareQuantities(subtractQuantities(addQuantities(a, b), b), a), 0)
    }),
  )
})
quantities('a long text that is not a quantity is rejected in linear time', () => {
  for (const text of [`${'0'.repeat(1900)}x`, `${'1'.repeat(1900)}x`, `.${'1'.repeat(1900)}x`, '1'.repeat(1_000_000)])
    assert.throws(
      () => parseQuantity(text),
      (error: unknown) => error instanceof QuantityError,
    )
})

quantities.run()
