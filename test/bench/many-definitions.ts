import { setTimeout as sleep } from 'node:timers/promises'
import { type RunningServer, startOrch } from '../support/start-orch.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { ConnectionPool } from './connection-pool.js'
import { customShape, definition, definitionsPath, objectsPath } from './custom-type-load.js'
import { cpuMs, median, monotonicMs, privateMiB, withMemory } from './process-figures.js'
import type { Metrics } from './scenario.js'

const token = 'admintoken'
const limitMs = 600_000

const poolOf = ({ url, pid }: RunningServer) => new ConnectionPool({ url, token, pids: [pid] })
const create = (pool: ConnectionPool, n: number) => pool.post(definitionsPath, definition(n))

/** Repeats a request until it has the expected status. */
async function until(status: number, ask: () => Promise<{ status: number }>): Promise<void> {
  const end = monotonicMs() + limitMs
  while ((await ask()).status !== status)
    if (monotonicMs() > end) throw new Error(`not answered with ${status} within ${limitMs} ms`)
}
const served = (pool: ConnectionPool, n: number) => until(200, () => pool.request('GET', objectsPath('default', n)))

/** Waits until a server is idle. */
async function quiet(pid: number): Promise<void> {
  const settledMs = 1000
  const idleMs = 50
  for (let before = cpuMs([pid]); ; before = cpuMs([pid])) {
    await sleep(settledMs)
    if (cpuMs([pid]) - before <= idleMs) return
  }
}

/** From the acknowledged creation of a definition to the first object of its type that is accepted. */
export async function firstObject(flags: readonly string[], times: number): Promise<Metrics> {
  const server = await startOrch({ flags, isBundled: true })
  try {
    const pool = poolOf(server)
    const waits: number[] = []
    for (let n = 0; n < times; n++) {
      await create(pool, n)
      const started = monotonicMs()
      const { head, fields } = customShape(n)
      const body = `{${head},"metadata":{"name":"first"},${fields('text', 1)}}`
      await until(201, () => pool.request('POST', objectsPath('default', n), { body }))
      waits.push(monotonicMs() - started)
    }
    pool.close()
    return { 'wait p50 ms': median(waits), 'wait max ms': Math.max(...waits) }
  } finally {
    await server.stop()
  }
}

/** One client creates definitions sequentially; then a server starts with them. */
export async function manyDefinitions(flags: readonly string[], count: number): Promise<Metrics> {
  const folder = temporaryFolder()
  try {
    const made = await makeDefinitions(await startOrch({ flags, dataDir: folder.path, isBundled: true }), count)
    return { ...made, ...(await startWith(flags, folder.path, count)) }
  } finally {
    folder.remove()
  }
}

async function makeDefinitions(server: RunningServer, count: number): Promise<Metrics> {
  const { pid } = server
  try {
    const pool = poolOf(server)
    await pool.request('GET', definitionsPath)
    await quiet(pid)
    const [idleMiB, cpuBefore] = [privateMiB([pid]), cpuMs([pid])]
    const [figures, peak] = await withMemory([pid], async () => {
      const started = monotonicMs()
      for (let n = 0; n < count; n++) await create(pool, n)
      await served(pool, count - 1)
      return { 'last served s': (monotonicMs() - started) / 1e3, 'server cpu s': (cpuMs([pid]) - cpuBefore) / 1e3 }
    })
    await quiet(pid)
    for (let n = 0; n < count; n++) await served(pool, n)
    pool.close()
    return {
      ...figures,
      'server cpu s, once quiet': (cpuMs([pid]) - cpuBefore) / 1e3,
      'private growth MiB, peak': peak,
      'private growth MiB': privateMiB([pid]) - idleMiB,
    }
  } finally {
    await server.stop()
  }
}

async function startWith(flags: readonly string[], dataDir: string, count: number): Promise<Metrics> {
  const started = monotonicMs()
  const server = await startOrch({ flags, dataDir, isBundled: true })
  try {
    const pool = poolOf(server)
    await served(pool, count - 1)
    const startMs = monotonicMs() - started
    await quiet(server.pid)
    pool.close()
    return { 'start s': startMs / 1e3, 'private MiB after start': privateMiB([server.pid]) }
  } finally {
    await server.stop()
  }
}
