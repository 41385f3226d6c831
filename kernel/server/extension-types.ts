import type { Clock, Logger, ResourceCatalogue, ResourceInfo } from 'orch/sdk'
import type { Client } from 'orch/sdk/client'
import type { ApiDelegation, CatalogueChange } from 'orch/sdk/server'
import { errorMessage } from '../contracts/boot-errors.js'
import { DiscoveredTypes } from '../loops/discovered-types.js'

/** How often types are read: extension servers do not announce changes. */
const askAgainMs = 30_000

/**
 * The types that control loops care for: those of this server, and those of the servers that it passes requests on to. Without
 * such servers it asks nobody anything.
 */
export class TypesWithExtensions implements ResourceCatalogue {
  readonly #own: ResourceCatalogue
  readonly #delegation: ApiDelegation
  readonly #client: Client
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #others = new DiscoveredTypes(() => false)
  readonly #stopHearing: () => void
  #cancel: () => void = () => {}
  #asking: Promise<void> | undefined
  #isDue = false
  #isClosed = false
  #hasAsked = false

  constructor(own: ResourceCatalogue, delegation: ApiDelegation, client: Client, clock: Clock, logger: Logger) {
    this.#own = own
    this.#delegation = delegation
    this.#client = client
    this.#clock = clock
    this.#logger = logger
    this.#stopHearing = delegation.onChange(() => this.#ask())
    if (delegation.hasDelegates) this.#ask()
  }

  get unavailable(): readonly string[] {
    const isKnown = this.#hasAsked || !this.#delegation.hasDelegates
    return isKnown ? this.#others.unavailable : ['extension servers, which were not asked yet']
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
    this.#stopHearing()
    this.#cancel()
  }

  #ask(): void {
    this.#isDue = true
    this.#asking ??= this.#askWhileDue().finally(() => {
      this.#asking = undefined
    })
  }
  async #askWhileDue(): Promise<void> {
    while (this.#isDue && !this.#isClosed) {
      this.#isDue = false
      this.#cancel()
      try {
        await this.#others.refresh(this.#client, groupVersion => this.#isOfOthers(groupVersion))
        this.#hasAsked = true
      } catch (error) {
        if (this.#isClosed) return
        this.#logger.warn('the types of extension servers are not known anew', { error: errorMessage(error) })
      }
      if (this.#delegation.hasDelegates && !this.#isClosed)
        this.#cancel = this.#clock.after(askAgainMs, () => this.#ask())
    }
  }
  #isOfOthers(groupVersion: string): boolean {
    const [group = '', version = ''] = groupVersion.split('/')
    return this.#delegation.delegateOf(group, version) !== undefined
  }
}
