import { type CelFunc, CelScalar, celFunc, celMethod, mapType } from '@bufbuild/cel'
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type QuantityAmount,
  quantityValue,
  subtractQuantities,
} from 'orch/sdk'
import { contentOf, opaque } from './open-values.js'

const { STRING, BOOL, DYN, INT, DOUBLE } = CelScalar
const Map_ = mapType(DYN, DYN)

/** A quantity such as `500m`. */
class Quantity {
  readonly amount: QuantityAmount
  constructor(amount: QuantityAmount) {
    this.amount = amount
  }
}
// The content is normalized, so that equal amounts are equal values.
const make = (amount: QuantityAmount) =>
  opaque(new Quantity(amount), new Map([['amount', String(quantityValue(amount, nano))]])) as never
const nano = -9

function amountOf(value: unknown, name: string): QuantityAmount {
  const quantity = contentOf(value, Quantity)
  if (!quantity) throw new Error(`no such overload: ${name}`)
  return quantity.amount
}
const isQuantity = (text: string): boolean => {
  try {
    parseQuantity(text)
    return true
  } catch {
    return false
  }
}
/** Compares two quantities; undefined unless both are quantities. */
export function compareAmounts(left: unknown, right: unknown): number | undefined {
  const [one, other] = [contentOf(left, Quantity), contentOf(right, Quantity)]
  return one && other && compareQuantities(one.amount, other.amount)
}
const combined = (name: string, combine: typeof addQuantities) =>
  celMethod(name, Map_, [DYN], DYN, function (this: unknown, other: unknown) {
    const right = typeof other === 'bigint' ? parseQuantity(String(other)) : amountOf(other, name)
    return make(combine(amountOf(this, name), right))
  })
const isWhole = (amount: QuantityAmount) => quantityValue(amount, nano) % 1_000_000_000n === 0n

/** Quantities: `quantity(object.spec.size).isLessThan(quantity('1Gi'))`. */
export const quantityFunctions: CelFunc[] = [
  celFunc('quantity', [STRING], DYN, text => make(parseQuantity(text))),
  celFunc('isQuantity', [STRING], BOOL, isQuantity),
  combined('add', addQuantities),
  combined('sub', subtractQuantities),
  celMethod('sign', Map_, [], INT, function (this: unknown) {
    return BigInt(Math.sign(compareQuantities(amountOf(this, 'sign'), parseQuantity('0'))))
  }),
  celMethod('isInteger', Map_, [], BOOL, function (this: unknown) {
    return isWhole(amountOf(this, 'isInteger'))
  }),
  celMethod('asInteger', Map_, [], INT, function (this: unknown) {
    const amount = amountOf(this, 'asInteger')
    if (!isWhole(amount)) throw new Error('cannot convert value to integer')
    return quantityValue(amount)
  }),
  celMethod('asApproximateFloat', Map_, [], DOUBLE, function (this: unknown) {
    const { unscaled, scale } = amountOf(this, 'asApproximateFloat')
    return Number(`${unscaled}e${scale}`)
  }),
]
