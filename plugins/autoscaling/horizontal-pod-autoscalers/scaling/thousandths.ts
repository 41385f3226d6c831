import { formatQuantity, parseQuantity, quantityValue } from 'orch/sdk/validation'

/** A quantity in thousandths, in which everything is calculated; rounded up. */
export const milliOf = (quantity: string): number => Number(quantityValue(parseQuantity(quantity), -3))

/** Thousandths as a quantity. */
export const quantityOf = (thousandths: number): string =>
  formatQuantity({ unscaled: BigInt(Math.trunc(thousandths)), scale: -3, format: 'decimal' })
