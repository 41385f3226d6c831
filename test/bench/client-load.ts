import { leases, nodeOperations } from './cluster-load.js'
import { collectionPath, type LoadShape, operations, type RequestParts } from './config-map-load.js'
import { Connection, type Target } from './connection.js'
import { machineBusyMs, monotonicMs, threadsCpuMs } from './process-figures.js'

/** The cost of measured work. */
export interface Cost {
  readonly wallMs: number
  readonly clientCpuMs: number
  readonly serverCpuMs: number
  /** The same, by process. */
  readonly serverCpuMsEach: readonly number[]
  readonly machineBusyMs: number
}

const loads = { ...operations, ...nodeOperations }
export type LoadName = keyof typeof loads
/** Where the objects are whose version must be sent. */
const versioned: Partial<Record<LoadName, (request: LoadShape) => string>> = {
  put: ({ namespace }) => collectionPath(namespace),
  renew: () => leases,
}

export interface LoadRequest extends LoadShape {
  readonly target: Target
  readonly operation: LoadName
  readonly clients: number
  /** Ends after this time, or … */
  readonly seconds?: number
  /** … after this many operations. */
  readonly count?: number
}

const expectedStatus: Partial<Record<LoadName, number>> = { create: 201, createLease: 201, createPod: 201 }
const openedAtOnce = 32

export async function openConnections(target: Target, count: number, warmUp = true): Promise<Connection[]> {
  const connections: Connection[] = []
  while (connections.length < count) {
    const batch = Math.min(openedAtOnce, count - connections.length)
    connections.push(...(await Promise.all(Array.from({ length: batch }, () => Connection.open(target)))))
  }
  if (warmUp) await Promise.all(connections.map(connection => connection.request('GET', '/version')))
  return connections
}

/** Starts the meters; the returned function reads them. */
export function startMeters({ pids }: Target): () => Cost {
  const readEach = () => pids.map(threadsCpuMs)
  const [client, server, busy, started] = [process.cpuUsage(), readEach(), machineBusyMs(), monotonicMs()]
  return () => {
    const { user, system } = process.cpuUsage(client)
    const serverCpuMsEach = readEach().map((ms, index) => ms - (server[index] ?? 0))
    return {
      wallMs: monotonicMs() - started,
      clientCpuMs: (user + system) / 1e3,
      serverCpuMs: serverCpuMsEach.reduce((sum, ms) => sum + ms, 0),
      serverCpuMsEach,
      machineBusyMs: machineBusyMs() - busy,
    }
  }
}

/** Clients that repeat an operation. Conflicts of clients that patch one object are counted separately. */
export async function load(request: LoadRequest): Promise<Cost & { latencies: Float64Array; conflicts: number }> {
  const { target, operation, clients, count = Number.POSITIVE_INFINITY } = request
  const expected = expectedStatus[operation] ?? 200
  const latencies: number[] = []
  let conflicts = 0
  const connections = await openConnections(target, clients)
  const collection = versioned[operation]?.(request)
  const versions = collection ? await readVersions(connections[0], collection) : []
  const cost = startMeters(target)
  const end = request.seconds ? monotonicMs() + request.seconds * 1e3 : Number.POSITIVE_INFINITY
  await Promise.all(
    connections.map(async (connection, lane) => {
      for (let n = lane; n < count; n += clients) {
        const started = monotonicMs()
        if (started >= end) break
        const [method, path, body, type]: RequestParts = loads[operation](request, n, versions)
        const answer = await connection.request(method, path, { body, type })
        if (answer.status === expected) latencies.push(monotonicMs() - started)
        else if (answer.status === 409 && operation === 'hot') conflicts++
        else
          throw new Error(
            `${method} ${path}: expected ${expected}, got ${answer.status} ${answer.body.toString().slice(0, 300)}`,
          )
        if (collection) versions[n % request.objects] = versionIn(answer.body)
      }
    }),
  )
  const spent = cost()
  for (const connection of connections) connection.close()
  return { ...spent, latencies: Float64Array.from(latencies).sort(), conflicts }
}

const versionIn = (body: Buffer) => /"resourceVersion":"(\d+)"/.exec(body.toString('latin1', 0, 600))?.[1]

async function readVersions(connection: Connection | undefined, collection: string): Promise<(string | undefined)[]> {
  const versions: (string | undefined)[] = []
  const answer = await connection?.request('GET', collection)
  for (const { metadata } of JSON.parse(answer?.body.toString() ?? '{"items":[]}').items)
    versions[Number(/\d+$/.exec(metadata.name)?.[0])] = metadata.resourceVersion
  return versions
}
