import type { Logger, Needs, Resolved } from 'orch/sdk'
import type { RootContainer } from '../container/root-container.js'
import type { Registry } from '../registry/registry.js'
import { BootError, problem, whyOf } from './boot-errors.js'

export interface StartRequest {
  readonly registry: Registry
  readonly root: RootContainer
  readonly logger: Logger
  /** The words of --controllers. */
  readonly controllers: readonly string[]
  /** How long one start task or controller may take to start, and to stop. */
  readonly timeoutMs: number
}

type Closer = () => void | Promise<void>
interface Opened {
  readonly plugin: string
  readonly task: string
  readonly close: Closer
}
/** Something that starts, in words for a message. */
interface Startable {
  readonly plugin: string
  readonly task: string
  readonly needs: Needs | undefined
  start(services: Resolved<Needs>): unknown
}

/**
 * The running part of all plugins. Start tasks first, then control loops, each in the order of registration, which
 * follows `requires`; stopped in reverse. A start that fails stops what already runs and throws a BootError.
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
      const { name, needs, run } = definition
      await this.#start({
        plugin,
        task: `start task "${name}"`,
        needs,
        start: services => run.call(definition, services),
      })
    }
  }

  /** The control loops that --controllers asks for. */
  async startControllers(): Promise<void> {
    const { registry, controllers } = this.#request
    for (const { plugin, definition } of registry.controllers) {
      const { name, needs, start } = definition
      if (!isControllerOn(name, definition.enabledByDefault ?? true, controllers)) continue
      await this.#start({
        plugin,
        task: `controller "${name}"`,
        needs,
        start: services => start.call(definition, services),
      })
    }
  }

  /** Stops everything, newest first; a failure is logged and the rest goes on. The second call waits for the first. */
  stop(): Promise<void> {
    this.#stopping ??= this.#closeAll()
    return this.#stopping
  }

  async #start(startable: Startable): Promise<void> {
    const { plugin, task } = startable
    if (this.#stopping) return
    try {
      const services = this.#request.root.scopeOf(plugin).resolve(startable.needs)
      const started = Promise.resolve(startable.start(services))
      const close = await this.#within(started, () => {
        // It may still finish one day; what it then opened has no owner but this.
        started.then(late => typeof late === 'function' && late()).catch(() => {})
        const seconds = this.#request.timeoutMs / 1000
        return new BootError([problem('ORCH_START_TIMEOUT', { plugin, task, seconds })])
      })
      if (typeof close !== 'function') return
      if (this.#stopping) await close()
      else this.#opened.push({ plugin, task, close: close as Closer })
    } catch (thrown) {
      await this.stop()
      if (thrown instanceof BootError) throw thrown
      throw new BootError([problem('ORCH_START_FAILED', { plugin, task, why: whyOf(thrown) }, thrown)])
    }
  }

  async #closeAll(): Promise<void> {
    for (let opened = this.#opened.pop(); opened; opened = this.#opened.pop()) {
      const { plugin, task, close } = opened
      try {
        await this.#within(
          Promise.resolve(close()),
          () => new Error(`it did not stop within ${this.#request.timeoutMs} ms`),
        )
      } catch (thrown) {
        this.#request.logger.error('a plugin failed to stop', { plugin, task, error: whyOf(thrown) })
      }
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

/** Start tasks and control loops in one go, for callers with nothing to do in between. */
export async function startPlugins(request: StartRequest): Promise<PluginLifecycle> {
  const lifecycle = new PluginLifecycle(request)
  await lifecycle.runStartTasks()
  await lifecycle.startControllers()
  return lifecycle
}

/** `name` turns one on, `-name` turns one off, `*` stands for all that are on by default. */
export function isControllerOn(name: string, enabledByDefault: boolean, controllers: readonly string[]): boolean {
  if (controllers.includes(name)) return true
  if (controllers.includes(`-${name}`)) return false
  return enabledByDefault && controllers.includes('*')
}
