import { type Clock, ExpiringCache, type Logger, serviceToken } from 'orch/sdk'
import type { ReviewWebhook } from 'orch/sdk/client'
import type { AccessAttributes, AccessDecision, ResourceAccess } from 'orch/sdk/identity'
import { selectorAttributes } from '../access-reviews/selectors.js'

/** Selectors are part of the cache key, so their length counts. */
const lengthOfSelectors = ({ fieldSelector = [], labelSelector = [] }: ResourceAccess): number =>
  fieldSelector.length + labelSelector.length === 0 ? 0 : JSON.stringify([fieldSelector, labelSelector]).length

type WebhookVersion = 'v1' | 'v1beta1'

/** The spec that is sent to the webhook. Empty fields are left out; v1beta1 calls the groups `group`. */
function reviewSpec(access: AccessAttributes, version: WebhookVersion): Record<string, unknown> {
  const { user } = access
  const attributes =
    access.path === undefined
      ? {
          resourceAttributes: {
            ...filled({
              namespace: access.namespace,
              verb: access.verb,
              group: access.group,
              version: access.version,
              resource: access.resource,
              subresource: access.subresource,
              name: access.name,
            }),
            ...selectorAttributes(access),
          },
        }
      : { nonResourceAttributes: filled({ path: access.path, verb: access.verb }) }
  return {
    ...attributes,
    ...filled({ user: user.name, uid: user.uid }),
    ...(user.groups.length === 0 ? {} : { [version === 'v1' ? 'groups' : 'group']: user.groups }),
    ...(user.extra && Object.keys(user.extra).length > 0 ? { extra: user.extra } : {}),
  }
}

const filled = (fields: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).filter((pair): pair is [string, string] => Boolean(pair[1])))

/** Characters of a request that its sender chooses. */
const chosenLength = (access: AccessAttributes): number =>
  access.path === undefined
    ? [access.namespace, access.verb, access.group, access.version, access.resource, access.subresource, access.name]
        .map(part => part.length)
        .reduce((sum, length) => sum + length) + lengthOfSelectors(access)
    : access.path.length + access.verb.length

export const authorizationWebhook = serviceToken<AuthorizationWebhook>('authorization.webhook')

export interface WebhookSettings {
  readonly server: ReviewWebhook
  /** API group of the review. */
  readonly group: string
  readonly version: WebhookVersion
  readonly allowedTtlMs: number
  readonly refusedTtlMs: number
  readonly clock: Clock
  readonly logger: Logger
}

interface ReviewStatus {
  readonly allowed?: boolean
  readonly denied?: boolean
  readonly reason?: string
}

const cachedAnswers = 8192
/** Longer requests are not cached, so that they cannot fill the memory. */
const maxCachedLength = 10_000

/** Another server decides by SubjectAccessReview; its answers are cached. */
export class AuthorizationWebhook {
  readonly #settings: WebhookSettings
  readonly #answers: ExpiringCache<AccessDecision>

  constructor(settings: WebhookSettings) {
    this.#settings = settings
    this.#answers = new ExpiringCache(settings.clock, cachedAnswers)
  }

  decide(access: AccessAttributes): AccessDecision | Promise<AccessDecision> {
    const spec = reviewSpec(access, this.#settings.version)
    const key = JSON.stringify(spec)
    return this.#answers.get(key) ?? this.#ask(spec, chosenLength(access) < maxCachedLength ? key : undefined)
  }

  /** Loads the client config; rejects when it cannot be used. */
  connect(): Promise<void> {
    return this.#settings.server.connect()
  }
  close(): Promise<void> {
    return this.#settings.server.close()
  }

  async #ask(spec: Record<string, unknown>, cacheKey: string | undefined): Promise<AccessDecision> {
    const { server, group, version, allowedTtlMs, refusedTtlMs, logger } = this.#settings
    const review = { kind: 'SubjectAccessReview', apiVersion: `${group}/${version}`, metadata: {}, spec }
    try {
      const status = (await server.review({ ...review, status: { allowed: false } })) as ReviewStatus
      const decision = decisionOf(status)
      if (cacheKey !== undefined) this.#answers.set(cacheKey, decision, status.allowed ? allowedTtlMs : refusedTtlMs)
      return decision
    } catch (error) {
      // Another mode may still allow the request.
      const message = error instanceof Error ? error.message : String(error)
      logger.error('the authorization webhook returned no usable answer', { error: message })
      return { decision: 'noOpinion', evaluationError: message }
    }
  }
}

/** An error in the response does not matter: the webhook decided nevertheless. */
function decisionOf({ allowed, denied, reason }: ReviewStatus): AccessDecision {
  const rest = reason ? { reason } : {}
  if (denied === true && allowed === true)
    return {
      ...rest,
      decision: 'deny',
      evaluationError: 'webhook subject access review returned both allow and deny response',
    }
  return { ...rest, decision: denied === true ? 'deny' : allowed === true ? 'allow' : 'noOpinion' }
}
