import type { Clock, Logger, ResourceCatalogue, ResourceInfo } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import type { ApiDelegation, CatalogueChange } from 'orch/sdk/server'
import { errorMessage } from '../contracts/boot-errors.js'
import { DiscoveredTypes } from '../loops/discovered-types.js'

/** How often types are refreshed: extension servers do not announce changes. */
const refreshIntervalMs = 30_000

/**
 * The types that control loops handle: those of this server, and those of the extension servers that it proxies requests to. Without
 * such servers it sends no discovery requests.
 */
export class TypesWithExtensions implements ResourceCatalogue {
  readonly #own: ResourceCatalogue
  readonly #delegation: ApiDelegation
  readonly #client: Client
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #others = new DiscoveredTypes(() => false)
  readonly #unsubscribe: () => void
  #cancel: () => void = () => {}
  #refreshing: Promise<void> | undefined
  #isDue = false
  #isClosed = false
  #hasRefreshed = false

  constructor(own: ResourceCatalogue, delegation: ApiDelegation, client: Client, clock: Clock, logger: Logger) {
    this.#own = own
    this.#delegation = delegation
    this.#client = client
    this.#clock = clock
    this.#logger = logger
    this.#unsubscribe = delegation.onChange(() => this.#refresh())
    if (delegation.hasDelegates) this.#refresh()
  }

  get unavailable(): readonly string[] {
    const isKnown = this.#hasRefreshed || !this.#delegation.hasDelegates
    return isKnown ? this.#others.unavailable : ['extension servers, whose discovery is pending']
  }
  all(): readonly ResourceInfo[] {
    const others = this.#others.all()
    return others.length === 0 ? this.#own.all() : [...this.#own.all(), ...others]
  }
  find(group: string, resource: string): ResourceInfo | undefined {
    return this.#own.find(group, resource) ?? this.#others.find(group, resource)
  }
  findKind(group: string, kind: string): ResourceInfo | undefined {
    return this.#own.findKind(group, kind) ?? this.#others.findKind(group, kind)
  }
  isLeftBehind(group: string, resource: string): boolean {
    return this.#own.isLeftBehind?.(group, resource) ?? false
  }
  onChange(listener: (change: CatalogueChange) => void): () => void {
    const stops = [this.#own.onChange(listener), this.#others.onChange(listener)]
    return () => {
      for (const stop of stops) stop()
    }
  }
  /** Does not wait for pending discovery, which may never complete. */
  close(): void {
    this.#isClosed = true
    this.#unsubscribe()
    this.#cancel()
  }

  #refresh(): void {
    this.#isDue = true
    this.#refreshing ??= this.#refreshWhileDue().finally(() => {
      this.#refreshing = undefined
    })
  }
  async #refreshWhileDue(): Promise<void> {
    while (this.#isDue && !this.#isClosed) {
      this.#isDue = false
      this.#cancel()
      try {
        await this.#others.refresh(this.#client, groupVersion => this.#isDelegated(groupVersion))
        this.#hasRefreshed = true
      } catch (error) {
        if (this.#isClosed) return
        this.#logger.warn('the types of extension servers could not be refreshed', { error: errorMessage(error) })
      }
      if (this.#delegation.hasDelegates && !this.#isClosed)
        this.#cancel = this.#clock.after(refreshIntervalMs, () => this.#refresh())
    }
  }
  #isDelegated(groupVersion: string): boolean {
    const [group = '', version = ''] = groupVersion.split('/')
    return this.#delegation.delegateOf(group, version) !== undefined
  }
}
