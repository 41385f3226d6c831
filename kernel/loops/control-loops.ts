import { type Client, type Clock, type LeaderTerm, type Logger, services, withLeaderElection } from 'orch/sdk'
import { BootError } from '../boot/boot-errors.js'
import { isControllerOn, PluginLifecycle, type StartRequest } from '../boot/start-plugins.js'
import type { Replacements } from '../container/plugin-scope.js'
import type { ElectionSettings } from './election-settings.js'

/** What loops get for one term of the leader, and how it ends. */
export interface TermServices {
  readonly instead: Replacements
  close?(): Promise<void>
}

/** `instead` is for loops that need no lease; the others get what is made for the term. */
export interface ControlLoopsRequest extends StartRequest {
  readonly clock: Clock
  readonly logger: Logger
  /** Competes for the lease. */
  readonly client: Client
  /** Without it the loops run at once, until they are stopped. */
  readonly election: ElectionSettings | undefined
  /** Services that work only during the term. A failure counts as a start that failed. */
  forTerm(term: LeaderTerm): Promise<TermServices>
}

/**
 * The control loops of all plugins: from start to stop, or while this process leads those that compete for the lease.
 * A leader that loses it stops them and competes again; the process goes on.
 */
export class ControlLoops {
  readonly #request: ControlLoopsRequest
  #running: PluginLifecycle | undefined
  #stopCompeting: (() => Promise<void>) | undefined
  #isStopping = false

  constructor(request: ControlLoopsRequest) {
    this.#request = request
  }

  /**
   * Resolves when the loops run, or when it is clear that another process runs them. Rejects with a BootError when one of
   * them cannot start: what is wrong at the very start is wrong with the configuration, and waiting will not mend it.
   */
  async start(): Promise<void> {
    const { registry, controllers, election } = this.#request
    const areWanted = registry.controllers.some(({ definition: { name, enabledByDefault = true } }) =>
      isControllerOn(name, enabledByDefault, controllers),
    )
    // Nothing to run: then there is nothing to compete for.
    if (!areWanted) return
    if (election) return this.#compete(election)
    this.#running = new PluginLifecycle(this.#request)
    await this.#running.startControllers()
  }

  /** Stops the loops and gives the lease free. Twice is harmless. */
  async stop(): Promise<void> {
    this.#isStopping = true
    // Loops that are only starting are cut short too.
    await Promise.all([this.#running?.stop(), this.#stopCompeting?.()])
  }

  #compete(election: ElectionSettings): Promise<void> {
    const { client, clock, logger, root } = this.#request
    const metrics = root.resolve(services.metrics)
    return new Promise((resolve, reject) => {
      this.#stopCompeting = withLeaderElection(
        { ...election, client, clock, logger, metrics, onWaiting: resolve },
        async term => {
          try {
            return await this.#lead(term)
          } catch (thrown) {
            if (thrown instanceof BootError) reject(thrown)
            throw thrown
          } finally {
            resolve()
          }
        },
      )
    })
  }

  async #lead(term: LeaderTerm): Promise<() => Promise<void>> {
    const { instead, close } = await this.#request.forTerm(term)
    const loops = new PluginLifecycle({ ...this.#request, instead })
    this.#running = loops
    const stop = async () => {
      await loops.stop()
      await close?.()
    }
    term.ended.addEventListener('abort', () => void loops.stop(), { once: true })
    if (this.#isStopping || term.ended.aborted) return stop
    try {
      await loops.startControllers()
    } catch (thrown) {
      await close?.()
      throw thrown
    }
    return stop
  }
}
