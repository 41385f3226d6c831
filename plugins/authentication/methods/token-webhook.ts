import { createHash } from 'node:crypto'
import { ExpiringCache, parseDuration, type Resolved, services, type Vendor } from 'orch/sdk'
import { ReviewWebhook } from 'orch/sdk/client'
import { type AuthenticationSuccess, defineAuthenticator } from 'orch/sdk/identity'
import type { AuthenticationNames } from '../names.js'
import type { AuthenticationOptions } from '../options.js'
import { readOnce } from '../read-once.js'
import type { Method } from './method.js'
import { type ReviewAnswer, readReviewStatus } from './token-webhook-answer.js'

const needs = { clock: services.clock, logger: services.logger, metrics: services.metrics }
const maxAnswers = 10_000

interface CachedAnswer {
  readonly answer: ReviewAnswer
  /** When the answer expires, in ms since the epoch. */
  readonly until: number
}

/** Another server authenticates tokens; its answers are cached by token and audiences. */
export function tokenWebhook(
  options: AuthenticationOptions,
  path: string,
  ownAudiences: readonly string[],
  names: AuthenticationNames,
  vendor: Vendor,
): Method<typeof needs> {
  const ttlMs = parseDuration(options.authenticationTokenWebhookCacheTtl)
  const apiVersion = `${names.group}/${options.authenticationTokenWebhookVersion}`
  const partsOf = readOnce(({ clock, logger, metrics }: Resolved<typeof needs>) => ({
    server: new ReviewWebhook({ path, vendor, clock, logger, metrics }),
    answers: new ExpiringCache<CachedAnswer>(clock, maxAnswers),
  }))

  async function review(
    token: string,
    audiences: readonly string[],
    given: Resolved<typeof needs>,
  ): Promise<ReviewAnswer> {
    const spec = { token, ...(audiences.length === 0 ? {} : { audiences }) }
    try {
      const status = await partsOf(given).server.review({
        kind: 'TokenReview',
        apiVersion,
        metadata: { creationTimestamp: null },
        spec,
        status: { user: {} },
      })
      return readReviewStatus(status)
    } catch (error) {
      // The answer may quote the token, so it is not logged.
      given.logger.warn('the token webhook returned no usable answer', { kind: (error as Error).name })
      throw new Error('the token webhook returned no usable answer')
    }
  }

  return {
    authenticator: defineAuthenticator({
      name: 'token-webhook',
      kind: 'bearer',
      audienceAware: true,
      needs,
      async authenticate({ bearerToken = '', audiences }, given) {
        const { answers } = partsOf(given)
        const key = createHash('sha256').update(bearerToken).update(audiences.join('\0')).digest('base64')
        const known = answers.get(key)
        const kept = known ?? { answer: await review(bearerToken, audiences, given), until: given.clock.now() + ttlMs }
        if (!known) answers.set(key, kept, ttlMs)
        return successOf(kept, audiences, ownAudiences)
      },
    }),
    check: {
      name: 'token webhook',
      needs,
      async run(given) {
        const { server } = partsOf(given)
        await server.connect()
        return () => server.close()
      },
    },
  }
}

/** An answer without audiences is for those of this server. */
function successOf(
  { answer, until }: CachedAnswer,
  wanted: readonly string[],
  own: readonly string[],
): AuthenticationSuccess | undefined {
  if (!answer.user) {
    if (answer.error) throw new Error(answer.error)
    return undefined
  }
  const valid = answer.audiences.length > 0 ? answer.audiences : own
  const audiences = wanted.filter(audience => valid.includes(audience))
  if (wanted.length > 0 && audiences.length === 0) return undefined
  return { user: answer.user, audiences, expiresAt: until }
}
