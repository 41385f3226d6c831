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
  /** The value of --controllers. */
  readonly controllers: readonly string[]
  /** Timeout for the start and the stop of one start task or controller. */
  readonly timeoutMs: number
  /** Services of a control loop that replace those of the container, such as its client. */
  readonly instead?: (loop: ControllerDefinition) => Replacements
  /** Whether another process of this server runs the tasks that run only once. */
  readonly skipsOnce?: boolean
}

/** Start tasks or control loops, by their definitions. */
export type Definitions = ReadonlySet<object>

type Closer = () => void | Promise<void>
interface Opened {
  /** What was started. */
  readonly definition: object
  readonly plugin: string
  readonly task: string
  readonly isLoop: boolean
  readonly close: Closer
}
/** Something that is started, described for a message. */
interface Startable {
  readonly definition: object
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
 * that fails stops what already runs (of some, these only) and throws a BootError.
 */
export class PluginLifecycle {
  readonly #request: StartRequest
  #opened: Opened[] = []
  #stopping: Promise<void> | undefined

  constructor(request: StartRequest) {
    this.#request = request
  }

  /** Runs the start tasks, before requests are served. Later, those of added plugins can be run. */
  async runStartTasks(only?: Definitions): Promise<void> {
    for (const { plugin, definition } of this.#request.registry.startTasks) {
      const { name, needs, run, once } = definition
      if ((once && this.#request.skipsOnce) || only?.has(definition) === false) continue
      const start = (services: Resolved<Needs>) => run.call(definition, services)
      await this.#start({ definition, plugin, task: `start task "${name}"`, isLoop: false, needs, start }, only)
    }
  }

  /** Starts the control loops that --controllers selects, or some of these. */
  async startControllers(only?: Definitions): Promise<void> {
    const { registry, controllers } = this.#request
    for (const { plugin, definition } of registry.controllers) {
      const { name, needs } = definition
      if (only?.has(definition) === false) continue
      if (!isControllerOn(name, definition.enabledByDefault ?? true, controllers)) continue
      const start = (services: Resolved<Needs>) => this.#startLoop(definition, services)
      const instead = this.#request.instead?.(definition)
      await this.#start({ definition, plugin, task: `controller "${name}"`, isLoop: true, needs, instead, start }, only)
    }
  }

  /** A loop that cannot run in this process is an error only if it was selected by name. */
  async #startLoop(definition: ControllerDefinition, services: Resolved<Needs>): Promise<unknown> {
    try {
      return await definition.start(services)
    } catch (thrown) {
      if (!(thrown instanceof UnavailableHere) || this.#request.controllers.includes(definition.name)) throw thrown
      this.#request.logger.warn('controller skipped', { controller: definition.name, why: thrown.message })
      return undefined
    }
  }

  /** Stops some of what runs, and waits for it; failures are logged. */
  async stopSome(some: Definitions): Promise<void> {
    const isMeant = ({ definition }: Opened) => some.has(definition)
    const stopping = this.#opened.filter(isMeant).reverse()
    this.#opened = this.#opened.filter(each => !isMeant(each))
    await Promise.all(stopping.map(opened => this.#close(opened)))
  }

  /** Stops everything in reverse order; failures are logged. A second call waits for the first. */
  stop(): Promise<void> {
    this.#stopping ??= this.#closeAll()
    return this.#stopping
  }

  async #start(startable: Startable, only: Definitions | undefined): Promise<void> {
    const { plugin, task, isLoop, definition } = startable
    if (this.#stopping) return
    try {
      const services = this.#request.root.scopeOf(plugin).resolve(startable.needs, startable.instead)
      const started = Promise.resolve(startable.start(services))
      const close = await this.#within(started, () => {
        // It may still finish later; what it opens then is closed here.
        started.then(late => typeof late === 'function' && late()).catch(() => {})
        const seconds = this.#request.timeoutMs / 1000
        return new BootError([problem('ORCH_START_TIMEOUT', { plugin, task, seconds })])
      })
      if (typeof close !== 'function') return
      if (this.#stopping) await close()
      else this.#opened.push({ definition, plugin, task, isLoop, close: close as Closer })
    } catch (thrown) {
      // Stopping during the start may make the start fail.
      if (this.#stopping) return this.#stopping
      await (only ? this.stopSome(only) : this.stop())
      if (thrown instanceof BootError) throw thrown
      // A damaged store is not the fault of the plugin that reads it first.
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
