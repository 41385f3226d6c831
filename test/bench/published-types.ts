import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiObject } from 'orch/sdk'
import { generateObjects } from 'orch/sdk/testing'
import { type CorpusEntry, readCorpus } from '../corpus/read-corpus.js'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { ConnectionPool } from './connection-pool.js'
import { definitionsPath } from './custom-type-load.js'
import { longestTurn, probed } from './longest-turn.js'
import { cpuMs, median, monotonicMs, privateMiB, threadsCpuMs } from './process-figures.js'
import type { Metrics } from './scenario.js'

const token = 'admintoken'
const starts = 5
const poolOf = ({ url, pid }: RunningServer) => new ConnectionPool({ url, token, pids: [pid] })

type Definition = CorpusEntry['definition']
type Version = Definition['spec']['versions'][number]
const storedVersion = ({ spec }: Definition): Version =>
  spec.versions.find(({ storage, served }) => storage && served) ?? spec.versions.find(({ served }) => served)!

/** Definitions that the reference accepts, each name once, without conversion webhooks, which do not run here. */
function publishedDefinitions(): readonly Definition[] {
  const byName = new Map<string, Definition>()
  for (const { expect, definition } of readCorpus()) {
    const { status: _, ...rest } = definition as Definition & { status?: unknown }
    const spec = { ...definition.spec, conversion: { strategy: 'None' } }
    if (expect.status === 201) byName.set(definition.metadata.name ?? '', { ...rest, spec } as Definition)
  }
  return [...byName.values()]
}

const pathOf = (definition: Definition): string => {
  const { group, scope, names } = definition.spec
  const within = scope === 'Namespaced' ? 'namespaces/default/' : ''
  return `/apis/${group}/${storedVersion(definition).name}/${within}${names.plural}`
}

function firstObjectOf(definition: Definition): string {
  const { group, names } = definition.spec
  const { name: version, schema } = storedVersion(definition)
  const made = (schema && generateObjects(schema.openAPIV3Schema, { seed: 1 }).smallest()) ?? {}
  const head = { apiVersion: `${group}/${version}`, kind: names.kind, metadata: { name: 'first' } }
  return JSON.stringify({ ...made, ...head } satisfies ApiObject)
}

/** Waits until the type of a definition is served. */
async function served(pool: ConnectionPool, definition: Definition): Promise<void> {
  while ((await pool.request('GET', `${pathOf(definition)}?limit=1`)).status !== 200) await sleep(5)
}

async function quiet(pid: number): Promise<void> {
  const settledMs = 1000
  const idleMs = 50
  for (let before = cpuMs([pid]); ; before = cpuMs([pid])) {
    await sleep(settledMs)
    if (cpuMs([pid]) - before <= idleMs) return
  }
}

/** All definitions of the corpus on one server: their cost, the first object of each, and a start with all of them. */
export async function publishedTypes(flags: readonly string[]): Promise<Metrics> {
  const folder = temporaryFolder()
  try {
    const definitions = publishedDefinitions()
    const installed = await install(flags, folder.path, definitions)
    const runs: { readonly waitMs: number; readonly cpuMs: number }[] = []
    for (let n = 0; n < starts; n++) runs.push(await startWith(flags, folder.path, definitions))
    return {
      definitions: definitions.length,
      ...installed,
      'start s, best': Math.min(...runs.map(({ waitMs }) => waitMs)) / 1e3,
      'start cpu s, best': Math.min(...runs.map(run => run.cpuMs)) / 1e3,
    }
  } finally {
    folder.remove()
  }
}

async function install(
  flags: readonly string[],
  dataDir: string,
  definitions: readonly Definition[],
): Promise<Metrics> {
  const server = await startOrch({ flags, dataDir, isBundled: true, env: probed })
  const { pid } = server
  const pool = poolOf(server)
  try {
    // Definitions cannot use groups of the server itself.
    const builtIn = new Set<string>()
    for (const { spec } of definitions)
      if ((await pool.request('GET', `/apis/${spec.group}`)).status === 200) builtIn.add(spec.group)
    const others = definitions.filter(({ spec }) => !builtIn.has(spec.group))
    await quiet(pid)
    const [idleMiB, cpuBefore] = [privateMiB([pid]), cpuMs([pid])]
    const longest = await longestTurn(server, async () => {
      for (const definition of others) await pool.post(definitionsPath, JSON.stringify(definition))
      for (const definition of others) await served(pool, definition)
    })
    await quiet(pid)
    const installCpu = cpuMs([pid]) - cpuBefore
    const grownMiB = privateMiB([pid]) - idleMiB
    const waits: number[] = []
    const costs: number[] = []
    let refused = 0
    for (const definition of others) {
      const body = firstObjectOf(definition)
      const [startedAt, cpuAt] = [monotonicMs(), threadsCpuMs(pid)]
      const { status } = await pool.request('POST', pathOf(definition), { body })
      waits.push(monotonicMs() - startedAt)
      costs.push(threadsCpuMs(pid) - cpuAt)
      if (status !== 201) refused++
    }
    return {
      'server cpu s': installCpu / 1e3,
      'private growth MiB': grownMiB,
      'longest turn ms': longest,
      'first object p50 ms': median(waits),
      'first object max ms': Math.max(...waits),
      'first object max cpu ms': Math.max(...costs),
      'first objects refused by rules': refused,
    }
  } finally {
    pool.close()
    await server.stop()
  }
}

/** Until every type is served. */
async function startWith(flags: readonly string[], dataDir: string, definitions: readonly Definition[]) {
  const startedAt = monotonicMs()
  const server = await startOrch({ flags, dataDir, isBundled: true })
  const pool = poolOf(server)
  try {
    await served(pool, definitions.findLast(({ spec }) => !spec.group.endsWith('.k8s.io'))!)
    return { waitMs: monotonicMs() - startedAt, cpuMs: threadsCpuMs(server.pid) }
  } finally {
    pool.close()
    await server.stop()
  }
}
