import * as assert from 'uvu/assert'
import type { EngineName } from './cluster/start-cluster.js'
import { type RunOptions, runFaults } from './run-faults.js'

/** A short run for every test run: each kind of fault occurs at least once, however long that takes. */
export async function tryFaults(engine: EngineName, options: Partial<RunOptions> = {}): Promise<void> {
  const seed = Date.now() % 1_000_000
  const { figures, violations } = await runFaults({
    engine,
    seconds: 10,
    epochSeconds: 8,
    clients: 6,
    seed,
    ...options,
  })
  const told = () => [...figures.lines(violations.length), JSON.stringify(violations.slice(0, 3), null, 1)].join('\n')
  assert.equal(violations.length, 0, told())
  assert.ok(figures.faultsOf('kill a server') > 0, told())
  const { acknowledgedWrites, watchedEvents, lists, reads } = figures.verified
  assert.ok(acknowledgedWrites > 0 && watchedEvents > 0 && lists > 0 && reads > 0, told())
}
