import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../support/eventually.js'
import { Connection, type Server, type WatchEvent } from './connection.js'
import { isAlive } from './processes.js'
import { patientMs, startWorkers, type WorkerServer } from './worker-server.js'

const kills = 2
const writers = 6
const maps = '/api/v1/namespaces/default/configmaps'

/** Creates and changes objects of its own, through whatever worker it gets, and notes what was acknowledged. */
class Writer {
  readonly acknowledged = new Map<string, string>()
  readonly #server: Server
  readonly #name: string
  #connection: Connection
  #isStopped = false
  readonly done: Promise<void>

  constructor(server: Server, name: string) {
    this.#server = server
    this.#name = name
    this.#connection = new Connection(server)
    this.done = this.#run()
  }
  stop(): Promise<void> {
    this.#isStopped = true
    return this.done
  }
  async #run(): Promise<void> {
    for (let number = 0; !this.#isStopped; number++) {
      const name = `${this.#name}-${number % 20}`
      // Enough to be in the middle of something whenever a worker dies, without keeping the machine busy.
      await new Promise(resolve => setTimeout(resolve, 5))
      try {
        await this.#write(name, String(number))
      } catch {
        // The worker died: what it did not acknowledge may have happened or not.
        this.#connection.close()
        this.#connection = new Connection(this.#server)
        this.acknowledged.delete(name)
      }
    }
    this.#connection.close()
  }
  async #write(name: string, value: string): Promise<void> {
    const object = { metadata: { name }, data: { value } }
    const changed = await this.#connection.merge(`${maps}/${name}`, object)
    const { status, text } = changed.status === 404 ? await this.#connection.post(maps, object) : changed
    if (status !== 200 && status !== 201 && status !== 409) throw new Error(`${status} ${text}`)
    if (status !== 409) this.acknowledged.set(name, value)
  }
}

/** Watches, and when its worker dies goes on elsewhere from the last version it saw. */
class Watcher {
  readonly seen: string[] = []
  readonly #server: Server
  #version: string
  #stop: () => void = () => {}
  #isStopped = false
  resumed = 0

  constructor(server: Server, version: string) {
    this.#server = server
    this.#version = version
    void this.#run()
  }
  get lastVersion(): number {
    return Number(this.#version)
  }
  stop(): void {
    this.#isStopped = true
    this.#stop()
  }
  async #run(): Promise<void> {
    for (; !this.#isStopped; this.resumed++) {
      const path = `${maps}?watch=1&resourceVersion=${this.#version}`
      const { ended, stop } = new Connection(this.#server).watch(path, event => this.#note(event))
      this.#stop = stop
      await ended
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }
  #note({ type, object }: WatchEvent): void {
    const { name, resourceVersion } = object.metadata
    this.#version = resourceVersion
    this.seen.push(`${resourceVersion} ${type} ${name} ${object.data?.['value']}`)
  }
}

const crash = suite('a worker that dies')

// One server for all of these, the last of which ends it.
let started: Promise<WorkerServer> | undefined
const theServer = () => (started ??= startWorkers(2, '--shutdown-delay-duration=2s'))
crash.after(async () => (await started)?.stop())

crash(
  `is replaced, ${kills} times under load: nothing acknowledged is lost, and watches go on without a gap`,
  async () => {
    const server = await theServer()
    const { start, watchers, acknowledged } = await killUnderLoad(server)
    const reader = new Connection(server)
    const listed = (await reader.get(maps)).body
    const stored = new Map(listed.items?.map(({ metadata, data }) => [metadata.name, data?.['value']]))
    assert.ok(acknowledged.size > 0)
    for (const [name, value] of acknowledged) assert.is(stored.get(name), value, name)

    // What was committed, as one watch sees it that never broke.
    const whole = new Watcher(server, start)
    for (const watcher of [whole, ...watchers]) {
      const last = Math.max(...(listed.items ?? []).map(({ metadata }) => Number(metadata.resourceVersion)))
      await eventually('the last event', () => watcher.lastVersion >= last, patientMs)
      watcher.stop()
    }
    assert.ok(watchers.some(({ resumed }) => resumed > 0))
    for (const { seen } of watchers) assert.is(seen.join('\n'), whole.seen.join('\n'))
    reader.close()
  },
)

async function killUnderLoad(server: WorkerServer) {
  const first = new Connection(server)
  const start = (await first.get(maps)).body.metadata.resourceVersion
  first.close()
  const watchers = Array.from({ length: 4 }, () => new Watcher(server, start))
  const all = Array.from({ length: writers }, (_, index) => new Writer(server, `writer-${index}`))
  const written = () => all.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)
  await eventually('the first writes', () => written() > writers * 5, patientMs)
  for (let kill = 0; kill < kills; kill++) {
    const [victim = 0] = server.workers()
    process.kill(victim, 'SIGKILL')
    await eventually('the worker to be gone', () => !isAlive(victim), patientMs)
    for (const connection of await server.oneToEach()) connection.close()
  }
  await Promise.all(all.map(writer => writer.stop()))
  return { start, watchers, acknowledged: new Map(all.flatMap(({ acknowledged }) => [...acknowledged])) }
}

crash('does not take the port with it, even when it was the last: the same one is served again', async () => {
  const server = await theServer()
  for (const pid of server.workers()) process.kill(pid, 'SIGKILL')
  for (const connection of await server.oneToEach()) {
    assert.is((await connection.get('/readyz')).text, 'ok')
    connection.close()
  }
})

crash('is not missed at the end: a signal to the primary ends all of them, after what is under way', async () => {
  const server = await theServer()
  const pids = server.workers()
  const connections = await server.oneToEach()
  const watches = connections.map(() => new Connection(server).watch(`${maps}?watch=1`, () => {}))
  await Promise.all(watches.map(({ opened }) => opened))
  process.kill(server.running.pid, 'SIGTERM')
  // Readiness fails on all workers while they still serve. Who comes too late for it on a slow machine finds nobody.
  const served = await Promise.all(
    connections.map(async connection => {
      try {
        await eventually('readiness to fail', async () => (await connection.get('/readyz')).status === 500, patientMs)
        return (await connection.post(maps, { metadata: { generateName: 'late-' } })).status
      } catch {
        return 'gone'
      }
    }),
  )
  assert.ok(
    served.every(each => each === 201 || each === 'gone'),
    served.join(),
  )
  assert.equal(await Promise.all(watches.map(({ ended }) => ended)), [true, true])
  assert.is(await server.running.exit, 0)
  await eventually('all processes to end', () => ![server.running.pid, ...pids].some(isAlive), patientMs)
  const refused = await new Connection(server).get('/readyz').catch((error: NodeJS.ErrnoException) => error.code)
  assert.is(refused, 'ECONNREFUSED')
})

crash.run()
