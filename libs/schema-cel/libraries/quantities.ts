import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type QuantityAmount,
  quantityValue,
  subtractQuantities,
} from 'orch/sdk/validation'
import { Failure, func, type Library, method, OpaqueValue, structType, type Work } from '../../cel/index.js'
import { parses } from './parses.js'

const typeName = 'kubernetes.Quantity'

/** A quantity such as `500m`. */
class Quantity extends OpaqueValue {
  readonly typeName = typeName
  readonly amount: QuantityAmount
  constructor(amount: QuantityAmount) {
    super()
    this.amount = amount
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof Quantity && compareQuantities(this.amount, other.amount) === 0
  }
}

/** Numbers of many digits take longer than their length. Operations on a quantity take as long as reading it. */
const stepsToRead = (length: number) => 40 + length + length ** 2 / 500
const maxLength = 50_000
const parse = (work: Work, text: string): QuantityAmount => {
  work.steps(stepsToRead(Math.min(text.length, maxLength)))
  if (text.length > maxLength) throw new Failure('quantity is too long')
  try {
    return parseQuantity(text)
  } catch (error) {
    throw new Failure((error as Error).message)
  }
}
const nano = -9
const isWhole = (amount: QuantityAmount) => quantityValue(amount, nano) % 1_000_000_000n === 0n
const digitsOf = ({ unscaled, scale }: QuantityAmount): number =>
  (typeof unscaled === 'bigint' && (unscaled > 2n ** 64n || unscaled < -(2n ** 64n)) ? String(unscaled).length : 20) +
  Math.abs(scale)
const charge = (work: Work, ...quantities: Quantity[]) => {
  for (const { amount } of quantities) work.steps(stepsToRead(digitsOf(amount)))
}
const compare = (work: Work, one: Quantity, other: Quantity): number => {
  charge(work, one, other)
  return Math.sign(compareQuantities(one.amount, other.amount))
}
const combine = (work: Work, one: Quantity, other: QuantityAmount, add: typeof addQuantities): Quantity => {
  charge(work, one)
  return new Quantity(add(one.amount, other))
}
const amountOf = (value: bigint): QuantityAmount => parseQuantity(String(value))

export const quantityType = structType(typeName, new Map())
/** The value of a variable that is a quantity. */
export const toQuantity = (json: unknown): unknown =>
  typeof json === 'string' && json.length <= maxLength ? new Quantity(parseQuantity(json)) : json

export const quantities: Library = {
  name: 'quantities',
  since: 28,
  types: { quantity: quantityType },
  functions: {
    quantity: {
      string_to_quantity: func('string:quantity', (work, text: string) => new Quantity(parse(work, text))),
    },
    isQuantity: {
      is_quantity_string: func('string:bool', (work, text: string) => parses(() => parse(work, text))),
    },
    sign: {
      quantity_sign: func('quantity:int', (work, one: Quantity) =>
        BigInt(compare(work, one, new Quantity(amountOf(0n)))),
      ),
    },
    isGreaterThan: {
      quantity_is_greater_than: method('quantity,quantity:bool', (work, one, other) => compare(work, one, other) > 0),
    },
    isLessThan: {
      quantity_is_less_than: method('quantity,quantity:bool', (work, one, other) => compare(work, one, other) < 0),
    },
    compareTo: {
      quantity_compare_to: method('quantity,quantity:int', (work, one, other) => BigInt(compare(work, one, other))),
    },
    asApproximateFloat: {
      quantity_get_float: method('quantity:double', (work, quantity: Quantity) => {
        charge(work, quantity)
        return Number(`${quantity.amount.unscaled}e${quantity.amount.scale}`)
      }),
    },
    asInteger: {
      quantity_get_int: method('quantity:int', (work, quantity: Quantity) => {
        charge(work, quantity)
        const value = quantityValue(quantity.amount)
        if (!isWhole(quantity.amount) || value < -(2n ** 63n) || value >= 2n ** 63n)
          throw new Failure('cannot convert value to integer')
        return value
      }),
    },
    isInteger: {
      quantity_is_integer: method('quantity:bool', (work, quantity: Quantity) => {
        charge(work, quantity)
        return isWhole(quantity.amount)
      }),
    },
    add: {
      quantity_add: method('quantity,quantity:quantity', (work, one: Quantity, other: Quantity) => {
        charge(work, other)
        return combine(work, one, other.amount, addQuantities)
      }),
      quantity_add_int: method('quantity,int:quantity', (work, one: Quantity, other: bigint) =>
        combine(work, one, amountOf(other), addQuantities),
      ),
    },
    sub: {
      quantity_sub: method('quantity,quantity:quantity', (work, one: Quantity, other: Quantity) => {
        charge(work, other)
        return combine(work, one, other.amount, subtractQuantities)
      }),
      quantity_sub_int: method('quantity,int:quantity', (work, one: Quantity, other: bigint) =>
        combine(work, one, amountOf(other), subtractQuantities),
      ),
    },
  },
}
