/**
 * What every storage engine must pass:
 *
 *   for (const { name, run } of storeContract(open)) test(name, run)
 */
import { eventCases } from './event-cases.js'
import { lifetimeCases } from './lifetime-cases.js'
import { listCases } from './list-cases.js'
import type { OpenStore } from './steps.js'
import { transactionCases } from './transaction-cases.js'
import { chainCases, claimCases, writeCases } from './write-cases.js'

/** One check, to be run by any test runner. */
export interface ContractCase {
  readonly name: string
  run(): Promise<void>
}

/** What not every engine has to do. */
export interface StoreFeatures {
  /** Its writes may build on writes that are not answered yet: see `after`. */
  readonly chainsWrites?: boolean
  /** Several servers may share it, so it checks `claims`. */
  readonly isShared?: boolean
}

/** Everything that the kernel relies on, as cases to run against a storage engine. `open` makes an empty store each time. */
export function storeContract(open: OpenStore, { chainsWrites, isShared }: StoreFeatures = {}): ContractCase[] {
  const cases = {
    ...writeCases,
    ...(chainsWrites ? chainCases : {}),
    ...(isShared ? claimCases : {}),
    ...transactionCases,
    ...listCases,
    ...eventCases,
    ...lifetimeCases,
  }
  return Object.entries(cases).map(([name, check]) => ({
    name,
    async run() {
      const store = await open()
      try {
        await check(store, open)
      } finally {
        await store.close()
      }
    },
  }))
}
