import type { Clock, Logger } from 'orch/sdk'
import type { ListenPlace, ServingEndpoint } from '../contracts/siblings.js'
import { ConnectionDistributor } from './connection-distributor.js'
import { Link } from './link.js'
import { RestartDelay } from './restart-delay.js'
import type { WorkerProcess } from './worker-process.js'

/** Additional time for a worker to stop; one that takes longer is killed. */
const killAfterMs = 15_000

export interface PoolRequest {
  readonly count: number
  readonly fork: () => WorkerProcess
  readonly clock: Clock
  readonly logger: Logger
  /** How long workers continue serving after the stop message. */
  readonly stopDelayMs: number
  /** Registers handlers for the requests of a worker. */
  prepare(link: Link): void
}

interface Worker {
  readonly process: WorkerProcess
  readonly link: Link
  servingSince: number | undefined
}
/** A worker's report about its connections. */
export interface ConnectionReport {
  readonly open: number
  readonly confirmed: readonly number[]
}

/** The processes that serve requests: started, replaced when they die, and stopped together. */
export class WorkerPool implements ServingEndpoint {
  readonly #request: PoolRequest
  readonly #distributor = new ConnectionDistributor()
  readonly #workers = new Set<Worker>()
  readonly #cancelRestarts = new Set<() => void>()
  /** The port, once workers may start serving. */
  readonly #port: Promise<number>
  #opened: (port: number) => void = () => {}
  readonly #allServing: Promise<void>
  #areServing: () => void = () => {}
  #cannotServe: (error: Error) => void = () => {}
  #haveEnded: () => void = () => {}
  #isStopping = false

  /** Forks at once, so that workers load their code while this process starts. */
  constructor(request: PoolRequest) {
    this.#request = request
    this.#port = new Promise(resolve => {
      this.#opened = resolve
    })
    this.#allServing = new Promise((resolve, reject) => {
      this.#areServing = resolve
      this.#cannotServe = reject
    })
    // After the start nothing awaits it.
    this.#allServing.catch(() => {})
    for (let slot = 0; slot < request.count; slot++) this.#start(new RestartDelay())
  }

  /** The links to all running workers. */
  get links(): readonly Link[] {
    return [...this.#workers].map(({ link }) => link)
  }

  /** Resolves when all workers serve. Rejects if one reports that it cannot start. */
  async listen(place: ListenPlace): Promise<number> {
    const port = await this.#distributor.listen(place)
    this.#opened(port)
    await this.#allServing
    return port
  }

  beginClose(): void {
    if (this.#isStopping) return
    this.#isStopping = true
    for (const cancel of this.#cancelRestarts) cancel()
    for (const { link } of this.#workers) link.tell('stop')
  }

  async close(graceMs: number): Promise<void> {
    this.beginClose()
    this.#distributor.close()
    if (this.#workers.size === 0) return
    const timer = setTimeout(() => this.#killAll(), this.#request.stopDelayMs + graceMs + killAfterMs)
    await new Promise<void>(resolve => {
      this.#haveEnded = resolve
    })
    clearTimeout(timer)
  }

  #killAll(): void {
    for (const { process } of this.#workers) {
      this.#request.logger.error('a worker does not stop; it is killed', { pid: process.pid })
      process.kill('SIGKILL')
    }
  }

  #start(delay: RestartDelay): void {
    const process = this.#request.fork()
    const link = new Link(process.channel)
    const worker: Worker = { process, link, servingSince: undefined }
    this.#workers.add(worker)
    process.onExit(ending => this.#ended(worker, ending, delay))
    link.on('booted', async () => ({ port: await this.#port }))
    link.on('serving', () => this.#serving(worker))
    link.on('failed', why => this.#failed(worker, String(why)))
    link.on('closing', () => this.#distributor.remove(process))
    link.on('connections', content => {
      const { open, confirmed } = content as ConnectionReport
      this.#distributor.confirm(process, open, confirmed)
    })
    this.#request.prepare(link)
  }

  #serving(worker: Worker): void {
    worker.servingSince = this.#request.clock.now()
    this.#distributor.add(worker.process)
    const serving = [...this.#workers].filter(({ servingSince }) => servingSince !== undefined)
    if (serving.length === this.#request.count) this.#areServing()
  }

  #failed({ process }: Worker, why: string): void {
    this.#request.logger.error('a worker cannot start', { pid: process.pid, why })
    this.#cannotServe(new Error(why))
  }

  #ended(worker: Worker, ending: number | string, delay: RestartDelay): void {
    const { process, link, servingSince } = worker
    const { clock, logger } = this.#request
    this.#workers.delete(worker)
    this.#distributor.remove(process)
    link.close()
    if (this.#isStopping) {
      if (this.#workers.size === 0) this.#haveEnded()
      return
    }
    const waitMs = delay.next(servingSince === undefined ? 0 : Math.max(1, clock.now() - servingSince))
    logger.warn('a worker exited; it is replaced', { pid: process.pid, ending, waitMs })
    const cancel = clock.after(waitMs, () => {
      this.#cancelRestarts.delete(cancel)
      this.#start(delay)
    })
    this.#cancelRestarts.add(cancel)
  }
}
