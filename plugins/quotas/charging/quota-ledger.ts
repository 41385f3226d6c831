import { setTimeout as pause } from 'node:timers/promises'
import { ApiError, type Caches, conflict, type StoreReader, serviceToken } from 'orch/sdk'
import { type Client, isObjectNotFound } from 'orch/sdk/client'
import { formatAmounts, parseAmounts } from '../amounts/amounts.js'
import { resourceQuotaCollection, resourceQuotas, type StoredQuota } from '../counting/resource-quota.js'
import { type Account, type Charge, charge } from './charge.js'
import type { LimitedResource } from './limited-resources.js'

export interface LedgerParts {
  readonly caches: Caches
  readonly reader: StoreReader
  readonly client: Client
  readonly limited: readonly LimitedResource[]
}
/** The ledger of this process, shared by everything that charges to it. */
export const quotaLedger = serviceToken<QuotaLedger>('quotas.ledger')

/**
 * How often a write of usage is attempted when another process wrote first. Every conflict means that another process
 * made progress.
 */
const attempts = 60
/**
 * From this attempt on, there is a short random pause before each, so that competing processes do not collide again.
 */
const firstPausedAttempt = 4
const maxPauseMs = 20

interface Entry {
  readonly charge: Charge
  readonly isDryRun: boolean
  /** Called with the reason if the request is rejected, else with undefined. */
  resolve(refusal: string | undefined): void
  fail(error: unknown): void
}

/**
 * Charges requests to the quotas of their namespace. Usage is kept in the status of each quota and written only if it
 * has not changed, so that only one of two requests gets the last unit, even in different processes. Requests that
 * arrive while usage is being written are charged together, with one write.
 */
export class QuotaLedger {
  readonly #parts: LedgerParts
  readonly #waiting = new Map<string, Entry[]>()

  constructor(parts: LedgerParts) {
    this.#parts = parts
  }

  /** Whether usage in this namespace is limited at all. */
  isNeeded(namespace: string): boolean | Promise<boolean> {
    const cache = this.#parts.caches.of<StoredQuota>(resourceQuotaCollection)
    const isLimited = () => cache.list(namespace).length > 0 || this.#parts.limited.length > 0
    return cache.isReady ? isLimited() : cache.ready().then(isLimited)
  }

  /**
   * Resolves to why the request is rejected, or to undefined once it is charged. A dry run is checked but not charged.
   */
  charge(namespace: string, request: Charge, isDryRun: boolean): Promise<string | undefined> {
    return new Promise((resolve, fail) => {
      const entry = { charge: request, isDryRun, resolve, fail }
      const waiting = this.#waiting.get(namespace)
      if (waiting) waiting.push(entry)
      else {
        this.#waiting.set(namespace, [entry])
        void this.#work(namespace)
      }
    })
  }

  /** Works on the requests of a namespace, batch by batch, until none is left. */
  async #work(namespace: string): Promise<void> {
    for (;;) {
      const batch = this.#waiting.get(namespace) ?? []
      if (batch.length === 0) break
      this.#waiting.set(namespace, [])
      try {
        await this.#chargeBatch(namespace, batch)
      } catch (error) {
        for (const entry of batch) entry.fail(error)
      }
    }
    this.#waiting.delete(namespace)
  }

  async #chargeBatch(namespace: string, batch: readonly Entry[]): Promise<void> {
    const paid = new Set<string>()
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const isFresh = attempt > 1
      if (attempt >= firstPausedAttempt) await pause(Math.random() * Math.min(attempt, maxPauseMs))
      const accounts = (await this.#quotas(namespace, isFresh)).map(quota => accountOf(quota, paid))
      const { rejections, changed } = this.#check(batch, accounts)
      // The cached usage may be outdated, so a rejection is confirmed by the stored one.
      if (rejections.size > 0 && !isFresh) continue
      const written = await Promise.all([...changed].map(account => this.#write(namespace, account)))
      for (const name of written) if (name !== undefined) paid.add(name)
      if (written.includes(undefined)) continue
      for (const entry of batch) entry.resolve(rejections.get(entry))
      return
    }
    throw conflict(
      { ...resourceQuotaCollection, name: namespace },
      'the usage was changed by other requests, please try again',
    )
  }

  #check(batch: readonly Entry[], accounts: readonly Account[]) {
    const rejections = new Map<Entry, string>()
    const changed = new Set<Account>()
    for (const entry of batch) {
      const charged = charge(entry.charge, accounts, this.#parts.limited)
      if (typeof charged === 'string') rejections.set(entry, charged)
      else if (!entry.isDryRun)
        for (const [account, used] of charged) {
          account.used = used
          changed.add(account)
        }
    }
    return { rejections, changed }
  }

  async #quotas(namespace: string, isFresh: boolean): Promise<readonly StoredQuota[]> {
    const { caches, reader } = this.#parts
    if (isFresh) return reader.list<StoredQuota>(resourceQuotaCollection, namespace)
    return caches.of<StoredQuota>(resourceQuotaCollection).list(namespace)
  }

  /** The name of the account once its new usage is stored; undefined on a conflict. */
  async #write(namespace: string, { quota, name, used }: Account): Promise<string | undefined> {
    const status = { ...quota.status, used: formatAmounts(used) }
    const changed: StoredQuota = { ...quota, apiVersion: 'v1', kind: 'ResourceQuota', status }
    try {
      await this.#parts.client.resource<StoredQuota>(resourceQuotas).in(namespace).updateSubresource('status', changed)
      return name
    } catch (error) {
      // A deleted quota limits nothing.
      if (isObjectNotFound(error)) return name
      if (error instanceof ApiError && error.code === 409) return undefined
      throw error
    }
  }
}

const accountOf = (quota: StoredQuota, paid: ReadonlySet<string>): Account => ({
  quota,
  isPaid: paid.has(quota.metadata.name ?? ''),
  name: quota.metadata.name ?? '',
  hard: parseAmounts(quota.status?.hard),
  used: parseAmounts(quota.status?.used),
})
