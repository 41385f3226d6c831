/**
 * What every storage engine must pass:
 *
 *   for (const { name, run } of storeContract(open)) test(name, run)
 */
import { eventCases } from './event-cases.js'
import { lifetimeCases } from './lifetime-cases.js'
import { listCases } from './list-cases.js'
import type { OpenStore } from './steps.js'
import { writeCases } from './write-cases.js'

/** One check, to be run by any test runner. */
export interface ContractCase {
  readonly name: string
  run(): Promise<void>
}

/** Everything that the kernel relies on, as cases to run against a storage engine. `open` makes an empty store each time. */
export function storeContract(open: OpenStore): ContractCase[] {
  const cases = { ...writeCases, ...listCases, ...eventCases, ...lifetimeCases }
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
