import { services } from 'orch/sdk'
import { type WebhookClientConfig, type WebhookPosts, webhookPosts } from 'orch/sdk/admission'
import type { WebhookNames } from '../names.js'
import type { WebhookOptions } from '../options.js'
import { Connections } from './connections.js'
import { destinationOf } from './destination.js'
import { Deadline, postReview } from './post-review.js'
import { ServiceEndpoints } from './service-endpoints.js'

/** Posts of other plugins to their own webhooks, over kept-alive connections. */
class ReviewPosts implements WebhookPosts {
  readonly #connections: Connections
  readonly #userAgent: string

  constructor(connections: Connections, userAgent: string) {
    this.#connections = connections
    this.#userAgent = userAgent
  }

  async post(config: WebhookClientConfig, body: string, timeoutMs: number): Promise<string> {
    const destination = destinationOf(config)
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, */*',
      'user-agent': this.#userAgent,
    }
    const path = `${destination.path}?timeout=${Math.ceil(timeoutMs / 1000)}s`
    const deadline = new Deadline(timeoutMs)
    try {
      return await postReview(this.#connections.to(destination, {}), { path, headers, body }, deadline)
    } catch (error) {
      const { message, code } = error as { message?: string; code?: string }
      throw new Error(`Post "${destination.origin}${destination.path}": ${message || code || 'connection lost'}`, {
        cause: error,
      })
    } finally {
      deadline.clear()
    }
  }
}

const needs = { caches: services.caches } as const

export const reviewPosts = (names: WebhookNames, options: WebhookOptions) => ({
  token: webhookPosts,
  needs,
  create: ({ caches }: { caches: ConstructorParameters<typeof ServiceEndpoints>[0] }) =>
    new ReviewPosts(new Connections(new ServiceEndpoints(caches, options.webhookServiceOverride)), names.userAgent),
})
