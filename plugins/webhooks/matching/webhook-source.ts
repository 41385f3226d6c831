import type { Cache } from 'orch/sdk'
import type { WebhookConfiguration } from '../webhook-configurations/validation.js'
import { compileWebhooks } from './compiled-webhook.js'
import { WebhookSnapshot } from './webhook-snapshot.js'

/** The current webhooks, compiled on first use after a change. A request uses one snapshot. */
export class WebhookSource {
  readonly #cache: Cache<WebhookConfiguration>
  readonly #onNewSnapshot: (snapshot: WebhookSnapshot) => void
  #snapshot: WebhookSnapshot | undefined

  /** `onFirst` is called when there is a configuration for the first time. */
  constructor(
    cache: Cache<WebhookConfiguration>,
    onNewSnapshot: (snapshot: WebhookSnapshot) => void,
    onFirst: () => void = () => {},
  ) {
    this.#cache = cache
    this.#onNewSnapshot = onNewSnapshot
    let isFirst = true
    cache.onChange(() => {
      this.#snapshot = undefined
      if (isFirst) onFirst()
      isFirst = false
    })
  }

  ready(): Promise<void> {
    return this.#cache.ready()
  }
  /** Undefined until the cache is ready. */
  current(): WebhookSnapshot | undefined {
    if (this.#snapshot) return this.#snapshot
    if (!this.#cache.isReady) return undefined
    this.#snapshot = new WebhookSnapshot(compileWebhooks(this.#cache.list()))
    this.#onNewSnapshot(this.#snapshot)
    return this.#snapshot
  }
}
