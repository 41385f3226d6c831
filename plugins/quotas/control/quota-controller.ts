import {
  ApiError,
  type CacheChange,
  type Clock,
  defineController,
  type GroupResource,
  type Logger,
  type Metrics,
  type ResourceCatalogue,
  services,
  UnavailableHere,
} from 'orch/sdk'
import { type Client, isObjectNotFound } from 'orch/sdk/client'
import { type Informer, KeyWorkers, keyOf, loopNeeds, shareInformer, splitKey } from 'orch/sdk/controllers'
import {
  type Amounts,
  areEqualAmounts,
  formatAmounts,
  maxAmounts,
  noAmounts,
  parseAmounts,
  pickAmounts,
  subtractAmounts,
} from '../amounts/amounts.js'
import type { Evaluator } from '../counting/evaluator.js'
import type { Evaluators } from '../counting/evaluators.js'
import { resourceQuotas, type StoredQuota } from '../counting/resource-quota.js'
import type { QuotaNames } from '../names.js'
import { UsageCounter } from './count-usage.js'
import { CountedTypes } from './counted-types.js'
import { ReleasedUsage } from './released-usage.js'

/**
 * Charged objects may not be stored yet, so a count that is lower than the recorded usage is trusted only when nothing
 * was charged for this long. A write that takes longer would be missing from the count. The usage of objects that were
 * observed to be deleted is subtracted immediately.
 */
const settleMs = 5_000
/** Object changes within this time are counted together. */
const gatherMs = 20
/** Some usage ends without a change: that of Pods whose grace period has passed. */
const recountMs = 60_000
const workers = 4

/** Counts the usage of quotas, and writes it to their status. */
export const quotaController = (evaluators: Evaluators, names: QuotaNames) =>
  defineController({
    name: 'resourcequota',
    account: 'resourcequota-controller',
    rules: [
      { verbs: ['list', 'watch'], apiGroups: ['*'], resources: ['*'] },
      { verbs: ['update'], apiGroups: [''], resources: ['resourcequotas/status'] },
      names.recordEvents,
    ],
    needs: {
      ...loopNeeds,
      resources: services.resources,
    },
    async start(runtime) {
      if (!runtime.resources.find(resourceQuotas.group, resourceQuotas.resource))
        throw new UnavailableHere(
          `${resourceQuotas.resource} is not served: enable a plugin that provides it, such as quotas`,
        )
      const loop = new QuotaLoop(evaluators, names, runtime)
      await loop.start()
      return () => loop.stop()
    },
  })

interface Runtime {
  readonly client: Client
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  readonly resources: ResourceCatalogue
}

class QuotaLoop {
  readonly #evaluators: Evaluators
  readonly #names: QuotaNames
  readonly #runtime: Runtime
  readonly #quotas: Informer<StoredQuota & Record<string, unknown>>
  readonly #types: CountedTypes
  readonly #workers: KeyWorkers
  readonly #counter: UsageCounter
  readonly #released = new ReleasedUsage()
  /** When the usage in the status of a quota last changed. */
  readonly #changedAt = new Map<string, number>()
  #unsubscribe: () => void = () => {}
  #unsubscribeTypes: () => void = () => {}

  constructor(evaluators: Evaluators, names: QuotaNames, runtime: Runtime) {
    this.#evaluators = evaluators
    this.#names = names
    this.#runtime = runtime
    this.#workers = new KeyWorkers({ ...runtime, name: 'resourcequota', workers, work: key => this.#recount(key) })
    this.#counter = new UsageCounter(() => runtime.clock.now())
    this.#types = new CountedTypes({ ...runtime, changed: (type, change) => this.#objectChanged(type, change) })
    this.#quotas = shareInformer({ ...runtime, resource: resourceQuotas })
  }
  async start(): Promise<void> {
    this.#unsubscribe = this.#quotas.cache.onChange(({ type, object }) => {
      const key = keyOf(object)
      if (type === 'deleted') {
        this.#changedAt.delete(key)
        this.#released.forget(key)
      } else {
        this.#changedAt.set(key, this.#runtime.clock.now())
        this.#workers.addAfter(key, type === 'added' ? 0 : gatherMs)
      }
    })
    // A quota may count a type that is served only from now on.
    this.#unsubscribeTypes = this.#runtime.resources.onChange(() => {
      for (const quota of this.#quotas.cache.list()) this.#workers.addAfter(keyOf(quota), gatherMs)
    })
    this.#workers.start()
    await this.#quotas.cache.ready()
  }
  async stop(): Promise<void> {
    this.#unsubscribe()
    this.#unsubscribeTypes()
    await Promise.all([this.#workers.stop(), this.#quotas.stop(), this.#types.stop()])
  }

  #objectChanged(type: GroupResource, change: CacheChange): void {
    const evaluator = this.#evaluators.of(type)
    for (const quota of this.#quotas.cache.list(change.object.metadata.namespace ?? '')) {
      if (!Object.keys(quota.spec?.hard ?? {}).some(name => evaluator.counts(name))) continue
      const key = keyOf(quota)
      this.#released.add(key, this.#counter.released(quota, evaluator, change))
      this.#workers.addAfter(key, gatherMs)
    }
  }

  async #recount(key: string): Promise<undefined | { requeueAfterMs: number }> {
    const { namespace, name } = splitKey(key)
    const named = this.#quotas.cache.get(namespace, name)
    const counting = this.#evaluators.counting(Object.keys(named?.spec?.hard ?? {}))
    const types = await Promise.all(
      counting.map(async evaluator => ({ evaluator, cache: await this.#types.of(evaluator) })),
    )
    const quota = this.#quotas.cache.get(namespace, name)
    // The change of the quota has already enqueued another count.
    if (!quota || quota !== named) return undefined
    // No await from here on: the count and the released usage must be consistent.
    const usage = types.map(({ evaluator, cache }) =>
      cache || this.#isKnown(evaluator)
        ? this.#counter.count(quota, evaluator, cache?.list(namespace) ?? [])
        : noAmounts,
    )
    return this.#updateStatus(key, quota, new Map(usage.flatMap(amounts => [...amounts])))
  }

  /** The vendor's own types that are not served count as zero; the usage of other unserved types is unknown. */
  #isKnown({ group }: Evaluator): boolean {
    return this.#names.isOwnGroup(group)
  }

  /** Writes the count to the status, as far as it is certain. */
  async #updateStatus(key: string, quota: StoredQuota, counted: Amounts): Promise<{ requeueAfterMs: number }> {
    const hard = parseAmounts(quota.spec?.hard)
    const charged = pickAmounts(parseAmounts(quota.status?.used), name => hard.has(name))
    const released = this.#released.of(key)
    const waitMs = (this.#changedAt.get(key) ?? 0) + settleMs - this.#runtime.clock.now()
    const certain = waitMs > 0 ? maxAmounts([counted, subtractAmounts(charged, released)]) : counted
    const used: Amounts = new Map([...charged, ...certain])
    const again = { requeueAfterMs: areEqualAmounts(certain, counted) ? recountMs : waitMs }
    const isWritten = quota.status?.hard !== undefined && quota.status.used !== undefined
    const isCurrent = areEqualAmounts(parseAmounts(quota.status?.hard), hard) && areEqualAmounts(used, charged)
    const isDone = (isCurrent && (isWritten || hard.size === 0)) || (await this.#write(quota, used))
    if (!isDone) return { requeueAfterMs: 5 }
    this.#released.subtract(key, released)
    return again
  }

  async #write(quota: StoredQuota, used: Amounts): Promise<boolean> {
    const changed = { ...quota, status: { hard: quota.spec?.hard ?? {}, used: formatAmounts(used) } }
    try {
      await this.#runtime.client.resource<StoredQuota>(resourceQuotas).updateSubresource('status', changed)
      return true
    } catch (error) {
      // Charged in the meantime, or deleted: the watch triggers the next count.
      if (isObjectNotFound(error)) return true
      if (error instanceof ApiError && error.code === 409) return false
      throw error
    }
  }
}
