import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isEtcdInstalled } from '../../plugins/storage-etcd/testing/etcd-cluster.js'
import type { EngineName } from './cluster/start-cluster.js'
import { type RunResult, runFaults } from './run-faults.js'

const config = fileURLToPath(new URL('./broken/orch.config.js', import.meta.url))

/** The rules that a broken store may violate: at least one of them, and no other before it. */
interface BrokenStore {
  readonly title: string
  readonly engine: string
  readonly faults: readonly string[]
  readonly rule: RegExp
  /** The engine; the embedded one by default. */
  readonly of?: EngineName
}
const ofReplicas: readonly BrokenStore[] = [
  {
    title: 'whose replica lags undetected',
    engine: 'lagging-replica',
    faults: [],
    rule: /a read sees everything|a list is the state|a watch|acknowledged|a later revision/,
    of: 'etcd',
  },
  {
    title: 'whose replica skips an event',
    engine: 'skipping-replica',
    faults: [],
    rule: /a read sees everything|a list is the state|a watch|acknowledged|a later revision/,
    of: 'etcd',
  },
  {
    title: 'whose replica responds before it has caught up',
    engine: 'hasty-replica',
    faults: [],
    rule: /a read sees everything|a list is the state/,
    of: 'etcd',
  },
]
const cases: readonly BrokenStore[] = [
  {
    title: 'that acknowledges writes before they are durable',
    engine: 'forgetful',
    faults: ['kill a server'],
    // A revision that a reader has seen is lost as well.
    rule: /no acknowledged write is lost|a read sees everything that was acknowledged/,
  },
  { title: 'that drops an event', engine: 'dropping', faults: [], rule: /a watch misses no event/ },
  { title: 'that repeats an event', engine: 'repeating', faults: [], rule: /a watch sees no event twice/ },
  { title: 'that swaps events', engine: 'reordering', faults: [], rule: /in order|misses no event/ },
  {
    title: 'that lists the past',
    engine: 'stale-lists',
    faults: [],
    rule: /a read sees everything that was acknowledged before it began/,
  },
  {
    title: 'that lists the past with the current revision',
    engine: 'mislabelled-lists',
    faults: [],
    rule: /a list is the state at its revision/,
  },
  ...(isEtcdInstalled() ? ofReplicas : []),
]
/** How long a broken store may go undetected. */
const limitSeconds = 60

const broken = suite('the fault harness detects a store')

/** Most of a run is waiting, so several run concurrently; each test awaits its own. */
const concurrentRuns = 3
const runs = new Map<string, Promise<RunResult>>()
function startRuns(): void {
  const lanes: Promise<unknown>[] = Array<Promise<unknown>>(concurrentRuns).fill(Promise.resolve())
  for (const [index, { engine, faults, of = 'lmdb' }] of cases.entries()) {
    const lane = index % concurrentRuns
    const run = lanes[lane]!.then(() =>
      runFaults({
        engine: of,
        seconds: limitSeconds,
        epochSeconds: 1.5,
        seed: 1,
        isWanted: kind => faults.includes(kind),
        flags: ['--config', config, '--storage-engine', engine],
      }),
    )
    runs.set(engine, run)
    lanes[lane] = run.catch(() => {})
  }
}

for (const { title, engine, rule } of cases) {
  broken(title, async () => {
    if (runs.size === 0) startRuns()
    const { violations } = await runs.get(engine)!
    const rules = [...new Set(violations.map(violation => violation.rule))]
    assert.ok(
      rules.some(each => rule.test(each)),
      `noticed: ${JSON.stringify(violations.slice(0, 3), null, 1)}`,
    )
  })
}

broken.run()
