import { setTimeout as pause } from 'node:timers/promises'
import { SeededRandom } from '../fuzz/seeded-random.js'
import type { ListOperation, Outcome, WatchSegment } from './checker/operation.js'
import type { CommittedEvent } from './checker/version.js'
import { type Violation, violation } from './checker/violation.js'
import type { Client } from './clients/client.js'
import type { Definer } from './clients/definer.js'
import type { Endpoint } from './clients/send-request.js'
import { Watcher } from './clients/watcher.js'
import { barrierKey, sharedKeys, type WrittenType } from './clients/written-objects.js'

/** The state when there are no faults and no other writers. */
export interface QuietMoment {
  /** The revision of the last write, at which the next epoch starts. */
  readonly revision: number
  /** The committed log since the last quiet moment. */
  readonly events: readonly CommittedEvent[]
  /** The observations of every watcher, and the log according to the other servers. */
  readonly watches: readonly WatchSegment[]
  /** The initial states of streaming lists. */
  readonly lists: readonly ListOperation[]
  readonly violations: readonly Violation[]
}

/** Long enough for any election, restart or slow machine. */
const recoveryMs = 120_000

/**
 * Reads everything at every server, writes a last time, waits until every watcher has received that, and reads the log of every
 * server. All by one client, whose operations are recorded like those of others.
 */
export async function quietMoment(
  from: number,
  client: Client,
  endpoints: readonly Endpoint[],
  watchers: readonly Watcher[],
  type: WrittenType,
  definer: Definer | undefined,
): Promise<QuietMoment> {
  for (const endpoint of endpoints) {
    const send: Client['send'] = request => client.sendTo(endpoint, request)
    for (const key of sharedKeys) await untilOk(`a get at ${endpoint.name}`, () => client.get(key, send))
    await untilOk(`a list at ${endpoint.name}`, () => client.list('list', '', send))
  }
  const ofOneKey = await writeLast(client, sharedKeys[0]!)
  const revision = await writeLast(client, barrierKey)
  const late = await Promise.all(
    watchers.map(async watcher => {
      const goal = watcher.key === undefined ? revision : ofOneKey
      return (await hasCome(watcher, goal)) ? [] : [`${watcher.name} came to ${watcher.through}, not to ${goal}`]
    }),
  )
  const logs = await Promise.all(endpoints.map(endpoint => readLog(endpoint, from, revision, type)))
  const [first, ...others] = logs
  const silent = logs.filter(({ through }) => through < revision)
  const problems = [...late.flat(), ...silent.map(({ watcher, through }) => `${watcher} came to ${through} only`)]
  const watched = watchers.map(watcher => watcher.take(revision))
  return {
    revision,
    events: first?.events ?? [],
    watches: [...watched.flatMap(({ segments }) => segments), ...others],
    lists: watched.flatMap(({ lists }) => lists),
    violations: [
      ...problems.map(text => violation('a watch eventually receives everything', text)),
      ...watchers.flatMap(watcher => watcher.takeProblems()),
      ...((await definer?.check(endpoints, recoveryMs)) ?? []),
    ],
  }
}

async function writeLast(client: Client, key: string): Promise<number> {
  let revision = 0
  await untilOk(`a write of ${key}`, async () => {
    const written = await client.write({ kind: 'apply', key, value: client.newValue() })
    revision = written.revision ?? 0
    return written.outcome
  })
  return revision
}

async function untilOk(what: string, attempt: () => Promise<Outcome>): Promise<void> {
  const end = performance.now() + recoveryMs
  for (;;) {
    const outcome = await attempt()
    if (outcome === 'ok') return
    if (performance.now() > end) throw new Error(`there are no more faults, but ${what} is ${outcome}`)
    await pause(100)
  }
}

async function hasCome(watcher: Watcher, revision: number): Promise<boolean> {
  for (const end = performance.now() + recoveryMs; performance.now() < end; await pause(20)) {
    if (watcher.through >= revision) return true
  }
  return false
}

/** The log of a server: a watch from the past. */
async function readLog(endpoint: Endpoint, from: number, to: number, type: WrittenType): Promise<WatchSegment> {
  const name = `a replay at ${endpoint.name}`
  const teller = new Watcher({ name, endpoints: [endpoint], random: new SeededRandom(from), from, type })
  teller.start()
  await hasCome(teller, to)
  await teller.stop()
  const [segment] = teller.take(to).segments
  return segment!
}
