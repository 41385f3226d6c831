import { type Cost, openConnections, startMeters } from './client-load.js'
import { collectionPath } from './config-map-load.js'
import { Connection, type Target } from './connection.js'
import { MarkerCounter } from './marker-counter.js'
import { monotonicMs } from './process-figures.js'

export interface WatchWork {
  readonly target: Target
  readonly namespace: string
  readonly version: string
  readonly watchers: number
  readonly events: number
}

const sequenceMark = Buffer.from('"seq":"')
const versionMark = Buffer.from('"resourceVersion":"')
const modified = '{"type":"MODIFIED"'
const newline = 10

function numberAfter(line: Buffer, mark: Buffer): number {
  let value = 0
  for (let at = line.indexOf(mark) + mark.length; ; at++) {
    const digit = (line[at] ?? 0) - 48
    if (digit < 0 || digit > 9) return value
    value = value * 10 + digit
  }
}

/** Many watches of one collection. Each must receive every change, in order; a watch that the server ends is resumed. */
export class WatchLoad {
  readonly #work: WatchWork
  readonly #connections: Connection[]
  readonly #seen: Int32Array
  readonly #receivedAt: Float64Array
  readonly #cost: () => Cost
  #left: number
  #resumed = 0
  #isClosed = false
  #error: Error | undefined
  #done: () => void = () => {}

  private constructor(work: WatchWork, connections: Connection[]) {
    this.#work = work
    this.#connections = connections
    this.#seen = new Int32Array(work.watchers)
    this.#receivedAt = new Float64Array(work.watchers * work.events)
    this.#left = work.watchers * work.events
    this.#cost = startMeters(work.target)
  }

  static async open(work: WatchWork): Promise<WatchLoad> {
    const load = new WatchLoad(work, await openConnections(work.target, work.watchers, false))
    await Promise.all(load.#connections.map((_, watcher) => load.#start(watcher, work.version)))
    return load
  }

  /** Waits until everything was received; `acknowledged` are the times at which each change was acknowledged. */
  async finish(acknowledged: readonly number[], limitMs: number) {
    if (this.#left > 0 && !this.#error) {
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, limitMs)
        this.#done = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    const spent = this.#cost()
    this.#isClosed = true
    for (const connection of this.#connections) connection.close()
    if (this.#error) throw this.#error
    if (this.#left > 0) throw new Error(`watch: ${this.#left} events missing after ${limitMs} ms`)
    const { events } = this.#work
    const delays = this.#receivedAt.map((time, index) => time - (acknowledged[index % events] ?? 0))
    const lastAt = this.#receivedAt.reduce((left, right) => Math.max(left, right))
    return { ...spent, delays: delays.sort(), lastAt, resumed: this.#resumed }
  }

  #start(watcher: number, from: string | number): Promise<void> {
    let last = Number(from)
    let rest: Buffer | undefined
    const onLine = (line: Buffer) => {
      this.#receive(watcher, line)
      last = numberAfter(line, versionMark)
    }
    const onBody = (piece: Buffer) => {
      if (this.#error) return
      try {
        const bytes = rest ? Buffer.concat([rest, piece]) : piece
        let at = 0
        for (let end = bytes.indexOf(newline, at); end >= 0; end = bytes.indexOf(newline, at)) {
          onLine(bytes.subarray(at, end))
          at = end + 1
        }
        rest = at < bytes.length ? bytes.subarray(at) : undefined
      } catch (error) {
        this.#fail(error as Error)
      }
    }
    return new Promise((resolve, reject) => {
      let isOpen = false
      const onHead = (status: number) => {
        isOpen = status === 200
        if (isOpen) resolve()
        else reject(new Error(`watch: ${status}`))
      }
      const path = `${collectionPath(this.#work.namespace)}?watch=1&resourceVersion=${from}`
      const resume = () => this.#resume(watcher, last)
      this.#connections[watcher]
        ?.request('GET', path, { onBody, onHead })
        .then(resume, error => (isOpen ? resume() : reject(error)))
    })
  }

  #receive(watcher: number, line: Buffer): void {
    const time = monotonicMs()
    const { events } = this.#work
    if (line.toString('latin1', 0, modified.length) !== modified)
      throw new Error(`watch ${watcher}: ${line.toString('latin1', 0, 200)}`)
    const before = this.#seen[watcher] ?? 0
    const sequence = numberAfter(line, sequenceMark)
    if (sequence !== before + 1) throw new Error(`watch ${watcher}: event ${sequence} after ${before}`)
    this.#receivedAt[watcher * events + before] = time
    this.#seen[watcher] = sequence
    if (--this.#left === 0) this.#done()
  }

  async #resume(watcher: number, last: number): Promise<void> {
    if (this.#isClosed || this.#error) return
    this.#resumed++
    try {
      if (this.#connections[watcher]?.isBroken) this.#connections[watcher] = await Connection.open(this.#work.target)
      await this.#start(watcher, last)
    } catch (error) {
      this.#fail(error as Error)
    }
  }

  #fail(error: Error): void {
    this.#error = error
    this.#done()
  }
}

/** Watches from version 0 on open connections: how long until each has all objects. */
export async function watchFromZero(
  work: Omit<WatchWork, 'version' | 'events'> & { objects: number; limitMs: number },
) {
  const started = monotonicMs()
  const connections = await openConnections(work.target, work.watchers, false)
  const connectMs = monotonicMs() - started
  const cost = startMeters(work.target)
  const begun = monotonicMs()
  const latencies: number[] = []
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const complain = () => reject(new Error(`only ${latencies.length} of ${work.watchers} watches complete`))
    timer = setTimeout(complain, work.limitMs)
  })
  const path = `${collectionPath(work.namespace)}?watch=1&resourceVersion=0`
  const complete = (connection: Connection) =>
    new Promise<void>((resolve, reject) => {
      const added = new MarkerCounter('{"type":"ADDED"')
      const onBody = (piece: Buffer) => {
        added.read(piece)
        if (added.count > work.objects) reject(new Error('watch from 0: too many events'))
        if (added.count !== work.objects) return
        latencies.push(monotonicMs() - begun)
        resolve()
      }
      connection.request('GET', path, { onBody }).then(() => reject(new Error('watch from 0: ended early')), reject)
    })
  try {
    await Promise.race([late, Promise.all(connections.map(complete))])
  } finally {
    clearTimeout(timer)
  }
  const spent = cost()
  for (const connection of connections) connection.close()
  return { ...spent, connectMs, latencies: Float64Array.from(latencies).sort() }
}
