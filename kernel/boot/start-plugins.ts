import { type ControllerDefinition, type Logger, type Needs, type Resolved, UnavailableHere } from 'orch/sdk'
import type { Replacements } from '../container/plugin-scope.js'
import type { RootContainer } from '../container/root-container.js'
import { BootError, errorMessage, problem } from '../contracts/boot-errors.js'
import type { Registry } from '../registry/registry.js'
import { damageOf } from '../storage/lmdb/lmdb-errors.js'

export interface StartRequest {
  readonly registry: Registry
  readonly root: RootContainer
  readonly logger: Logger
  /** The words of --controllers. */
  readonly controllers: readonly string[]
  /** How long one start task or controller may take to start, and to stop. */
  readonly timeoutMs: number
  /** Services of a control loop that differ from those of the container, such as a client of its own. */
  readonly instead?: (loop: ControllerDefinition) => Replacements
  /** Another process of this server does what is to be done once. */
  readonly skipsOnce?: boolean
}

type Closer = () => void | Promise<void>
interface Opened {
  readonly plugin: string
  readonly task: string
  readonly isLoop: boolean
  readonly close: Closer
}
/** Something that starts, in words for a message. */
interface Startable {
  readonly plugin: string
  readonly task: string
  readonly isLoop: boolean
  readonly needs: Needs | undefined
  readonly instead?: Replacements | undefined
  start(services: Resolved<Needs>): unknown
}

/**
 * The running part of all plugins. Start tasks first, then control loops, each in the order of registration, which
 * follows `requires`. Loops are stopped all at once, because none waits for another, then start tasks in reverse. A start
 * that fails stops what already runs and throws a BootError.
 */
export class PluginLifecycle {
  readonly #request: StartRequest
  readonly #opened: Opened[] = []
  #stopping: Promise<void> | undefined

  constructor(request: StartRequest) {
    this.#request = request
  }

  /** Work to do before requests are served. */
  async runStartTasks(): Promise<void> {
    for (const { plugin, definition } of this.#request.registry.startTasks) {
      const { name, needs, run, once } = definition
      if (once && this.#request.skipsOnce) continue
      await this.#start({
        plugin,
        task: `start task "${name}"`,
        isLoop: false,
        needs,
        start: services => run.call(definition, services),
      })
    }
  }

  /** The control loops that --controllers asks for. */
  async startControllers(): Promise<void> {
    const { registry, controllers } = this.#request
    for (const { plugin, definition } of registry.controllers) {
      const { name, needs } = definition
      if (!isControllerOn(name, definition.enabledByDefault ?? true, controllers)) continue
      const start = (services: Resolved<Needs>) => this.#startLoop(definition, services)
      const instead = this.#request.instead?.(definition)
      await this.#start({ plugin, task: `controller "${name}"`, isLoop: true, needs, instead, start })
    }
  }

  /** A loop that cannot run in this process is no failure, unless somebody asked for this very one. */
  async #startLoop(definition: ControllerDefinition, services: Resolved<Needs>): Promise<unknown> {
    try {
      return await definition.start(services)
    } catch (thrown) {
      if (!(thrown instanceof UnavailableHere) || this.#request.controllers.includes(definition.name)) throw thrown
      this.#request.logger.warn('controller left out', { controller: definition.name, why: thrown.message })
      return undefined
    }
  }

  /** Stops everything, newest first; a failure is logged and the rest goes on. The second call waits for the first. */
  stop(): Promise<void> {
    this.#stopping ??= this.#closeAll()
    return this.#stopping
  }

  async #start(startable: Startable): Promise<void> {
    const { plugin, task, isLoop } = startable
    if (this.#stopping) return
    try {
      const services = this.#request.root.scopeOf(plugin).resolve(startable.needs, startable.instead)
      const started = Promise.resolve(startable.start(services))
      const close = await this.#within(started, () => {
        // It may still finish one day; what it then opened has no owner but this.
        started.then(late => typeof late === 'function' && late()).catch(() => {})
        const seconds = this.#request.timeoutMs / 1000
        return new BootError([problem('ORCH_START_TIMEOUT', { plugin, task, seconds })])
      })
      if (typeof close !== 'function') return
      if (this.#stopping) await close()
      else this.#opened.push({ plugin, task, isLoop, close: close as Closer })
    } catch (thrown) {
      // What is stopped while it starts may well fail.
      if (this.#stopping) return this.#stopping
      await this.stop()
      if (thrown instanceof BootError) throw thrown
      // Whoever reads a damaged store first is not to blame for it.
      const damage = damageOf(thrown)
      if (damage !== undefined) throw damage
      throw new BootError([problem('ORCH_START_FAILED', { plugin, task, why: errorMessage(thrown) }, thrown)])
    }
  }

  async #closeAll(): Promise<void> {
    const newestFirst = this.#opened.splice(0).reverse()
    await Promise.all(newestFirst.filter(({ isLoop }) => isLoop).map(opened => this.#close(opened)))
    for (const opened of newestFirst.filter(({ isLoop }) => !isLoop)) await this.#close(opened)
  }
  async #close({ plugin, task, close }: Opened): Promise<void> {
    try {
      await this.#within(
        Promise.resolve(close()),
        () => new Error(`it did not stop within ${this.#request.timeoutMs} ms`),
      )
    } catch (thrown) {
      this.#request.logger.error('a plugin failed to stop', { plugin, task, error: thrown })
    }
  }

  async #within<T>(work: Promise<T>, tooLate: () => Error): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const timeout = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooLate()), this.#request.timeoutMs)
    })
    try {
      return await Promise.race([work, timeout])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** `name` turns one on, `-name` turns one off, `*` stands for all that are on by default. */
export function isControllerOn(name: string, enabledByDefault: boolean, controllers: readonly string[]): boolean {
  if (controllers.includes(name)) return true
  if (controllers.includes(`-${name}`)) return false
  return enabledByDefault && controllers.includes('*')
}
