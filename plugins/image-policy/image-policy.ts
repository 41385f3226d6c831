import { createHash } from 'node:crypto'
import { ExpiringCache, type Resolved, services, type Vendor } from 'orch/sdk'
import { ReviewWebhook } from 'orch/sdk/client'
import type { ImageReviewSpec } from './image-review.js'
import type { ImagePolicySettings } from './settings.js'

export const imagePolicyNeeds = { clock: services.clock, logger: services.logger, metrics: services.metrics } as const

/** The verdict of the backend. */
export interface ImageDecision {
  readonly isAllowed: boolean
  readonly reason: string
  readonly auditAnnotations: Readonly<Record<string, string>>
}

/** Number of cached decisions; each is for a list of images. */
const cachedDecisions = 1024

/** Sends reviews to the backend, and caches its decisions. */
export class ImagePolicy {
  readonly settings: ImagePolicySettings
  readonly #backend: ReviewWebhook
  readonly #decisions: ExpiringCache<ImageDecision>
  readonly #reviewVersion: string

  constructor(
    settings: ImagePolicySettings,
    reviewVersion: string,
    vendor: Vendor,
    given: Resolved<typeof imagePolicyNeeds>,
  ) {
    this.settings = settings
    const { path, retryBackoffMs: firstDelayMs } = settings
    this.#backend = new ReviewWebhook({ path, vendor, ...given, firstDelayMs })
    this.#decisions = new ExpiringCache(given.clock, cachedDecisions)
    this.#reviewVersion = reviewVersion
  }

  /** Rejects if the client config file is invalid. */
  connect(): Promise<void> {
    return this.#backend.connect()
  }
  close(): Promise<void> {
    return this.#backend.close()
  }

  /** Rejects without a valid response of the backend. */
  async decide(spec: ImageReviewSpec): Promise<ImageDecision> {
    // A hash, because a spec may have megabytes of images and annotations.
    const key = createHash('sha256').update(JSON.stringify(spec)).digest('base64')
    const known = this.#decisions.get(key)
    if (known) return known
    const status = await this.#backend.review({
      kind: 'ImageReview',
      apiVersion: this.#reviewVersion,
      metadata: { creationTimestamp: null },
      spec,
      status: { allowed: false },
    })
    const decision = readDecision(status)
    const { allowTtlMs, denyTtlMs } = this.settings
    this.#decisions.set(key, decision, decision.isAllowed ? allowTtlMs : denyTtlMs)
    return decision
  }
}

function readDecision({
  allowed = false,
  reason = '',
  auditAnnotations,
}: Readonly<Record<string, unknown>>): ImageDecision {
  const annotations = Object.entries(auditAnnotations ?? {})
  if (
    typeof allowed !== 'boolean' ||
    typeof reason !== 'string' ||
    annotations.some(([, value]) => typeof value !== 'string')
  )
    throw new Error('the response is not an ImageReview')
  return { isAllowed: allowed, reason, auditAnnotations: Object.fromEntries(annotations) as Record<string, string> }
}
