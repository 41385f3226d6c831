import { SeededRandom } from '../fuzz/seeded-random.js'
import { eventually } from '../support/eventually.js'
import { Availability } from './availability.js'
import { checkEpoch } from './checker/check-epoch.js'
import type { WriteOperation } from './checker/operation.js'
import type { Version } from './checker/version.js'
import { type Violation, violation } from './checker/violation.js'
import { Client } from './clients/client.js'
import { Definer } from './clients/definer.js'
import { Gate } from './clients/gate.js'
import { History } from './clients/history.js'
import type { Endpoint } from './clients/send-request.js'
import { Watcher } from './clients/watcher.js'
import {
  configMaps,
  customObjects,
  definitionsPath,
  namespaceName,
  sharedKeys,
  type WrittenType,
} from './clients/written-objects.js'
import type { Cluster } from './cluster/cluster.js'
import { FaultInjector } from './cluster/fault-injector.js'
import { type EngineName, startServers } from './cluster/start-cluster.js'
import { Figures } from './figures.js'
import { quietMoment } from './quiet-moment.js'

export interface RunOptions {
  readonly engine: EngineName
  readonly seconds: number
  readonly seed: number
  readonly clients?: number
  /** Between two quiet moments. Memory is bounded by what happens in this time. */
  readonly epochSeconds?: number
  /** Continues until servers were killed this many times. */
  readonly kills?: number
  readonly isWanted?: (kind: string) => boolean
  /** Writes objects of a custom type while other types are added and removed; config maps by default. */
  readonly customTypes?: boolean
  /** Worker processes of each server; none by default. */
  readonly workers?: number
  /** More flags of the servers. */
  readonly flags?: readonly string[]
  /** Called after every epoch. */
  readonly progress?: (line: string) => void
}

export interface RunResult {
  readonly figures: Figures
  /** The violations of the first epoch that has any; the run ends there. */
  readonly violations: readonly Violation[]
}

const killKind = 'kill a server'

/** Runs clients while faults are injected, and checks their observations epoch by epoch. */
export async function runFaults(options: RunOptions): Promise<RunResult> {
  const cluster = await startServers(options.engine, options.flags, options.workers)
  try {
    return await runOn(cluster, options)
  } finally {
    await cluster.stop()
  }
}

async function runOn(cluster: Cluster, options: RunOptions): Promise<RunResult> {
  const { seed, epochSeconds = 45, kills = 0 } = options
  const random = () => new SeededRandom(nextSeed++)
  let nextSeed = seed * 1000
  const availability = new Availability()
  const type = options.customTypes ? customObjects : configMaps
  const history = new History(type, availability.acknowledged)
  const endpoints = cluster.servers.map(({ endpoint }) => endpoint)
  const referee = new Client('referee', endpoints, history, random())
  const names = Array.from({ length: options.clients ?? 8 }, (_, index) => `client-${index}`)
  const clients = names.map(name => new Client(name, endpoints, history, random()))
  const faults = new FaultInjector(cluster, random(), availability.failed, options.isWanted)
  const definer = options.customTypes ? new Definer('definer', endpoints, history, random()) : undefined
  const workers = definer ? [...clients, definer] : clients
  let start = await prepare(referee, endpoints, type)
  const watchers = makeWatchers(endpoints, start, random, type)
  const figures = new Figures({
    engine: options.engine,
    seed,
    operations: history.counts,
    statuses: history.statuses,
    faults: faults.counts,
    outages: availability.longest,
    watchers,
  })
  const gate = new Gate()
  const began = performance.now()
  const isOver = () =>
    performance.now() - began > options.seconds * 1000 &&
    faults.hadEveryKind &&
    (faults.counts.get(killKind) ?? 0) >= kills

  let state: ReadonlyMap<string, Version> = new Map()
  let pending: readonly WriteOperation[] = []
  const beginEpoch = () => {
    history.epochStart = start
    history.newest = Math.max(history.newest, start)
    gate.open()
  }
  beginEpoch()
  for (const each of [...watchers, ...workers]) each.start(gate)
  try {
    for (;;) {
      const epochBegan = performance.now()
      await faults.runUntil(() => performance.now() - epochBegan > epochSeconds * 1000 || isOver())
      await gate.close()
      availability.quiet()
      const broken = failuresOf(cluster, workers)
      if (broken.length > 0) return { figures, violations: broken }
      const quiet = await quietMoment(start, referee, endpoints, watchers, type, definer)
      const { revision, events, watches, lists } = quiet
      const operations = [...history.take(), ...lists]
      const verdict = checkEpoch({ start, state, events, operations, pending, watches })
      figures.add(verdict.verified, performance.now() - began)
      options.progress?.(figures.line())
      const violations = [...quiet.violations, ...verdict.violations]
      if (violations.length > 0 || isOver()) return { figures, violations }
      ;({ state, pending } = verdict)
      start = revision
      beginEpoch()
    }
  } catch (error) {
    // A server that does not start, or a request that fails without a fault.
    const told = error instanceof Error ? error.message : String(error)
    return { figures, violations: [violation('everything works again after a fault', told)] }
  } finally {
    gate.open()
    await Promise.all([...workers, ...watchers, referee].map(each => each.stop()))
  }
}

/** Creates the namespace, and the type if necessary. Returns the revision after which everything is recorded. */
async function prepare(referee: Client, endpoints: readonly Endpoint[], type: WrittenType): Promise<number> {
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespaceName } }
  const isMade = async (endpoint: Endpoint, path: string, body: object) => {
    const made = await referee.sendTo(endpoint, { method: 'POST', path, body })
    return made.is === 'answered' && [201, 409].includes(made.status)
  }
  let revision = 0
  for (const endpoint of endpoints) {
    revision = await eventually(
      `the first answers of ${endpoint.name}`,
      async () => {
        if (!(await isMade(endpoint, '/api/v1/namespaces', namespace))) return false
        if (type === customObjects && !(await isMade(endpoint, definitionsPath, customObjects.definition))) return false
        const listed = await referee.sendTo(endpoint, { method: 'GET', path: type.collectionPath })
        if (listed.is !== 'answered' || listed.status !== 200) return false
        return Number((listed.body as { metadata: { resourceVersion: string } }).metadata.resourceVersion)
      },
      60_000,
    )
  }
  return revision
}

function makeWatchers(
  endpoints: readonly Endpoint[],
  from: number,
  random: () => SeededRandom,
  type: WrittenType,
): Watcher[] {
  const everywhere = ['watcher-0', 'watcher-1', 'watcher-2']
  return [
    ...everywhere.map(name => new Watcher({ name, endpoints, random: random(), from, type })),
    ...['streamer-0', 'streamer-1'].map(
      name => new Watcher({ name, endpoints, random: random(), from, type, streamsLists: true }),
    ),
    new Watcher({ name: 'watcher-of-one-key', endpoints, random: random(), from, type, key: sharedKeys[0]! }),
  ]
}

function failuresOf(cluster: Cluster, clients: readonly { failure: string | undefined }[]): Violation[] {
  const ended = cluster.servers.flatMap(({ unexpectedEnd }) => unexpectedEnd ?? [])
  const unread = clients.flatMap(({ failure }) => failure ?? [])
  return [
    ...ended.map(text => violation('a server ends only when it is killed', text)),
    ...unread.map(text => violation('every answer can be read', text)),
  ]
}
