import { type Clock, type ControllerDefinition, type Logger, services } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import { type LeaderTerm, withLeaderElection } from 'orch/sdk/controllers'
import { type Definitions, isControllerOn, PluginLifecycle, type StartRequest } from '../boot/start-plugins.js'
import type { Replacements } from '../container/plugin-scope.js'
import { BootError } from '../contracts/boot-errors.js'
import type { ElectionSettings } from './election-settings.js'

/** The services of loops for one term of the leader, and how to end it. */
export interface TermServices {
  readonly instead: (loop: ControllerDefinition) => Replacements
  close?(): Promise<void>
}

/** `instead` is for loops without leader election; with it they get the services of the term. */
export interface ControlLoopsRequest extends StartRequest {
  readonly clock: Clock
  readonly logger: Logger
  /** Runs the leader election. */
  readonly client: Client
  /** Without it the loops run from the start until they are stopped. */
  readonly election: ElectionSettings | undefined
  /** Creates services that work only during the term. A failure counts as a failed start. */
  forTerm(term: LeaderTerm): Promise<TermServices>
}

const firstRestartMs = 1_000
const maxRestartMs = 5 * 60_000
/** After this time without a failure the count starts again. */
const failureResetMs = 15 * 60_000

/**
 * The control loops of all plugins: from start to stop, or while this process leads those that compete for the lease.
 * A leader that loses the lease stops them and competes again; the process keeps running.
 */
export class ControlLoops {
  readonly #request: ControlLoopsRequest
  #running: PluginLifecycle | undefined
  /** The services that the running loops use instead of those of the container. */
  #instead: StartRequest['instead']
  #failures = 0
  #lastFailureAt = 0
  #cancelRestart: (() => void) | undefined
  #stopCompeting: (() => Promise<void>) | undefined
  #isStopping = false

  constructor(request: ControlLoopsRequest) {
    this.#request = request
  }

  /**
   * Resolves when the loops run, or when it is clear that another process runs them. Rejects with a BootError when one of
   * them cannot start: a failure at the very start is a mistake in the configuration, which waiting does not fix.
   */
  async start(): Promise<void> {
    const { registry, controllers, election } = this.#request
    const areWanted = registry.controllers.some(({ definition: { name, enabledByDefault = true } }) =>
      isControllerOn(name, enabledByDefault, controllers),
    )
    // Without loops there is no need for an election.
    if (!areWanted) return
    if (election) return this.#compete(election)
    this.#instead = this.#request.instead
    this.#running = new PluginLifecycle(this.#request)
    await this.#running.startControllers()
  }

  /** Is a restart after a failure pending? */
  get isRestarting(): boolean {
    return this.#cancelRestart !== undefined
  }

  /** Stops some of the loops, and waits for their work in progress. */
  async stopSome(loops: Definitions): Promise<void> {
    await this.#running?.stopSome(loops)
  }
  /** Starts loops that were added later, unless another process leads. Rejects with a BootError if one cannot start. */
  async startSome(loops: Definitions): Promise<void> {
    if (this.#running) return this.#running.startControllers(loops)
    // Without loops this process has not competed for the lease yet.
    if (loops.size > 0 && !this.#stopCompeting && !this.#isStopping) await this.start()
  }

  /**
   * Handles an unhandled rejection of a loop. Node does not say which loop it was, and the loop may have stopped working, so all
   * loops are restarted, with backoff. False if none is running.
   */
  restartAfter(failure: unknown): boolean {
    const { clock, logger, root } = this.#request
    if (!this.#running || this.#isStopping) return false
    const now = clock.now()
    this.#failures = now - this.#lastFailureAt > failureResetMs ? 1 : this.#failures + 1
    this.#lastFailureAt = now
    const delayMs = Math.min(firstRestartMs * 2 ** (this.#failures - 1), maxRestartMs)
    const help = 'Rejections that no control loop handled; all loops were restarted.'
    root.resolve(services.metrics).counter('control_loop_unhandled_rejections_total', help).inc()
    const error = failure instanceof Error ? failure : new Error(String(failure))
    logger.error('a control loop failed with an unhandled rejection; all loops are restarted', {
      error,
      delayMs,
    })
    this.#cancelRestart ??= clock.after(delayMs, () => void this.#restart())
    return true
  }

  async #restart(): Promise<void> {
    this.#cancelRestart = undefined
    const old = this.#running
    await old?.stop()
    // It was stopped in the meantime, or is no longer the leader.
    if (this.#isStopping || this.#running !== old || old === undefined) return
    const instead = this.#instead
    this.#running = new PluginLifecycle({ ...this.#request, ...(instead ? { instead } : {}) })
    await this.#running.startControllers().catch((thrown: unknown) => this.restartAfter(thrown))
  }

  /** Stops the loops and releases the lease. A second call is harmless. */
  async stop(): Promise<void> {
    this.#isStopping = true
    this.#cancelRestart?.()
    // This also interrupts loops that are still starting.
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
    this.#instead = instead
    this.#running = loops
    // The current ones, since they may have been restarted.
    const stopLoops = async () => {
      const running = this.#running
      this.#running = undefined
      await Promise.all([loops.stop(), running?.stop()])
    }
    const stop = async () => {
      await stopLoops()
      await close?.()
    }
    term.ended.addEventListener('abort', () => void stopLoops(), { once: true })
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
