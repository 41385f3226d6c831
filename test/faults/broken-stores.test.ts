import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isEtcdInstalled } from '../../plugins/storage-etcd/testing/etcd-cluster.js'
import type { EngineName } from './cluster/start-cluster.js'
import { type RunResult, runFaults } from './run-faults.js'

const config = fileURLToPath(new URL('./broken/orch.config.js', import.meta.url))

/** Which rules a broken store may be seen to break: at least one of them, and no other comes first. */
interface BrokenStore {
  readonly title: string
  readonly engine: string
  readonly faults: readonly string[]
  readonly rule: RegExp
  /** Whose servers it is in; the embedded one's by default. */
  readonly of?: EngineName
}
const ofReplicas: readonly BrokenStore[] = [
  {
    title: 'whose replica lags and does not know it',
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
    title: 'whose replica answers too early',
    engine: 'hasty-replica',
    faults: [],
    rule: /a read sees everything|a list is the state/,
    of: 'etcd',
  },
]
const cases: readonly BrokenStore[] = [
  {
    title: 'that acknowledges what it has not saved loses writes when it is killed',
    engine: 'forgetful',
    faults: ['kill a server'],
    rule: /no acknowledged write is lost/,
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
    title: 'that lists the past as the present',
    engine: 'mislabelled-lists',
    faults: [],
    rule: /a list is the state at its revision/,
  },
  ...(isEtcdInstalled() ? ofReplicas : []),
]
/** Epochs without violation after which a broken store counts as not noticed. */
const limitSeconds = 60

const broken = suite('the fault harness notices a store')

/** Most of a run is waiting, so some go side by side; the tests wait for theirs. */
const sideBySide = 3
const runs = new Map<string, Promise<RunResult>>()
function startRuns(): void {
  const lanes: Promise<unknown>[] = Array<Promise<unknown>>(sideBySide).fill(Promise.resolve())
  for (const [index, { engine, faults, of = 'lmdb' }] of cases.entries()) {
    const lane = index % sideBySide
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
