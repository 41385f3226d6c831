import { formatQuantity, parseQuantity } from 'orch/sdk'
import type { ResourceList } from 'orch/sdk/core'

/** Amounts written so that equal ones are the same text: `1k`, `1e3` and `1000` are one amount. */
export const comparableAmounts = (list: ResourceList | undefined): ResourceList | undefined =>
  list &&
  Object.fromEntries(
    Object.entries(list).map(([name, amount]) => {
      const { unscaled, scale } = parseQuantity(amount)
      return [name, formatQuantity({ unscaled, scale, format: 'decimal' })]
    }),
  )
