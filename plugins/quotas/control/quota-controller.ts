import {
  ApiError,
  type Client,
  type Clock,
  compareQuantities,
  defineController,
  type GroupResource,
  type Informer,
  isObjectNotFound,
  KeyWorkers,
  type Kinds,
  keyOf,
  type Logger,
  type Metrics,
  services,
  shareInformer,
  splitKey,
} from 'orch/sdk'
import {
  type Amounts,
  areEqualAmounts,
  formatAmounts,
  maxAmounts,
  parseAmounts,
  pickAmounts,
  zero,
} from '../amounts/amounts.js'
import type { Evaluators } from '../counting/evaluators.js'
import { type ResourceQuota, resourceQuotas } from '../counting/resource-quota.js'
import { countUsage, KnownUsage } from './count-usage.js'
import { CountedTypes } from './counted-types.js'

/**
 * What was charged to a quota may not be stored yet, or never will be. Only when a quota has not been charged for this long
 * is a lower count believed.
 */
const settleMs = 100
/** Changes of objects within this time are counted together. */
const gatherMs = 20
/** Some usage ends by time alone: Pods that should be gone. */
const recountMs = 60_000
const workers = 4

/** Counts what quotas limit, and writes it into their status. */
export const quotaController = (evaluators: Evaluators) =>
  defineController({
    name: 'resourcequota',
    needs: { client: services.client, clock: services.clock, logger: services.logger, metrics: services.metrics },
    async start(runtime) {
      const loop = new QuotaLoop(evaluators, runtime, await runtime.client.kinds({ fresh: true }))
      await loop.start()
      return () => loop.stop()
    },
  })

interface Runtime {
  readonly client: Client
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
}

class QuotaLoop {
  readonly #evaluators: Evaluators
  readonly #runtime: Runtime
  readonly #quotas: Informer<ResourceQuota & Record<string, unknown>>
  readonly #types: CountedTypes
  readonly #workers: KeyWorkers
  readonly #known = new KnownUsage()
  /** When the usage in the status of a quota last changed. */
  readonly #changedAt = new Map<string, number>()
  #unhear: () => void = () => {}

  constructor(evaluators: Evaluators, runtime: Runtime, kinds: Kinds) {
    this.#evaluators = evaluators
    this.#runtime = runtime
    this.#workers = new KeyWorkers({ ...runtime, name: 'resourcequota', workers, work: key => this.#recount(key) })
    this.#types = new CountedTypes({ ...runtime, kinds, changed: (type, namespace) => this.#touch(type, namespace) })
    this.#quotas = shareInformer({ ...runtime, resource: resourceQuotas })
  }
  async start(): Promise<void> {
    this.#unhear = this.#quotas.cache.onChange(({ type, object }) => {
      const key = keyOf(object)
      if (type === 'added') this.#workers.add(key)
      else if (type === 'deleted') this.#changedAt.delete(key)
      else {
        this.#changedAt.set(key, this.#runtime.clock.now())
        this.#workers.addAfter(key, gatherMs)
      }
    })
    this.#workers.start()
    await this.#quotas.cache.ready()
  }
  async stop(): Promise<void> {
    this.#unhear()
    await Promise.all([this.#workers.stop(), this.#quotas.stop(), this.#types.stop()])
  }

  #touch(type: GroupResource, namespace: string): void {
    const evaluator = this.#evaluators.of(type)
    for (const quota of this.#quotas.cache.list(namespace))
      if (Object.keys(quota.spec?.hard ?? {}).some(name => evaluator.counts(name)))
        this.#workers.addAfter(keyOf(quota), gatherMs)
  }

  async #recount(key: string): Promise<undefined | { requeueAfterMs: number }> {
    const { namespace, name } = splitKey(key)
    const hardOf = (quota: ResourceQuota | undefined) => Object.keys(quota?.spec?.hard ?? {})
    const named = this.#quotas.cache.get(namespace, name)
    const counted = await Promise.all(
      this.#evaluators.counting(hardOf(named)).map(async evaluator => ({
        evaluator,
        objects: (await this.#types.of(evaluator))?.list(namespace),
      })),
    )
    const quota = this.#quotas.cache.get(namespace, name)
    // Its change has already asked for another count.
    if (!quota || quota !== named) return undefined
    const now = this.#runtime.clock.now()
    const usage = counted.map(({ evaluator, objects }) =>
      objects ? countUsage(quota, evaluator, objects, this.#known, now) : undefined,
    )
    return this.#settle(key, quota, new Map(usage.flatMap(amounts => [...(amounts ?? [])])))
  }

  /** Writes the count down, or waits when it is lower than what was charged just now. */
  async #settle(key: string, quota: ResourceQuota, counted: Amounts): Promise<{ requeueAfterMs: number }> {
    const hard = parseAmounts(quota.spec?.hard)
    const charged = pickAmounts(parseAmounts(quota.status?.used), name => hard.has(name))
    const isLower = [...counted].some(([name, amount]) => compareQuantities(amount, charged.get(name) ?? zero) < 0)
    const waitMs = (this.#changedAt.get(key) ?? 0) + settleMs - this.#runtime.clock.now()
    const mustWait = isLower && waitMs > 0
    const used = new Map([...charged, ...(mustWait ? maxAmounts(charged, counted) : counted)])
    const again = { requeueAfterMs: mustWait ? waitMs : recountMs }
    const isWritten = quota.status?.hard !== undefined && quota.status.used !== undefined
    const isCurrent = areEqualAmounts(parseAmounts(quota.status?.hard), hard) && areEqualAmounts(used, charged)
    if (isCurrent && (isWritten || hard.size === 0)) return again
    return (await this.#write(quota, used)) ? again : { requeueAfterMs: 5 }
  }

  async #write(quota: ResourceQuota, used: Amounts): Promise<boolean> {
    const changed = { ...quota, status: { hard: quota.spec?.hard ?? {}, used: formatAmounts(used) } }
    try {
      await this.#runtime.client.resource<ResourceQuota>(resourceQuotas).updateSubresource('status', changed)
      return true
    } catch (error) {
      // Charged meanwhile, or gone: the watch brings what to count next.
      if (isObjectNotFound(error)) return true
      if (error instanceof ApiError && error.code === 409) return false
      throw error
    }
  }
}
