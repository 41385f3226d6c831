import {
  type AccessAttributes,
  type AccessDecision,
  ApiError,
  type Clock,
  type ClosableTransport,
  errorFromAnswer,
  type Logger,
  serviceToken,
} from 'orch/sdk'
import { chosenLength, reviewSpec, type WebhookVersion } from './access-review-request.js'
import { ExpiringCache } from './expiring-cache.js'

export const authorizationWebhook = serviceToken<AuthorizationWebhook>('authorization.webhook')

/** A POST to `path` over `transport` asks the question. */
export interface WebhookConnection {
  readonly transport: ClosableTransport
  readonly path: string
}

export interface WebhookSettings {
  /** Reads where the webhook is and how to reach it; called once. */
  connect(): Promise<WebhookConnection>
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
  readonly evaluationError?: string
}

const cachedAnswers = 8192
/** Longer questions are not remembered, so that nobody fills the memory with them. */
const maxCachedLength = 10_000
const timeoutMs = 30_000
const attempts = 5
const firstDelayMs = 500
const delayFactor = 1.5
const maxAnswerBytes = 3 * 1024 * 1024

/** Asks another server, which answers a SubjectAccessReview. It is asked once per question and TTL. */
export class AuthorizationWebhook {
  readonly #settings: WebhookSettings
  readonly #answers: ExpiringCache<AccessDecision>
  #connection: Promise<WebhookConnection> | undefined

  constructor(settings: WebhookSettings) {
    this.#settings = settings
    this.#answers = new ExpiringCache(settings.clock, cachedAnswers)
  }

  decide(access: AccessAttributes): AccessDecision | Promise<AccessDecision> {
    const spec = reviewSpec(access, this.#settings.version)
    const key = JSON.stringify(spec)
    return this.#answers.get(key) ?? this.#ask(spec, chosenLength(access) < maxCachedLength ? key : undefined)
  }

  /** Resolves when it is known how to reach the webhook; rejects when the settings are wrong. */
  connect(): Promise<WebhookConnection> {
    this.#connection ??= this.#settings.connect()
    return this.#connection
  }
  async close(): Promise<void> {
    await (await this.#connection)?.transport.close()
  }

  async #ask(spec: Record<string, unknown>, cacheKey: string | undefined): Promise<AccessDecision> {
    const { allowedTtlMs, refusedTtlMs, logger } = this.#settings
    try {
      const status = await this.#retrying(spec)
      const decision = decisionOf(status)
      if (cacheKey !== undefined) this.#answers.set(cacheKey, decision, status.allowed ? allowedTtlMs : refusedTtlMs)
      return decision
    } catch (error) {
      // Another mode may still allow it; this one just does not know.
      const message = error instanceof Error ? error.message : String(error)
      logger.error('the authorization webhook gave no usable answer', { error: message })
      return { decision: 'noOpinion', evaluationError: message }
    }
  }

  async #retrying(spec: Record<string, unknown>): Promise<ReviewStatus> {
    let delayMs = firstDelayMs
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#post(spec)
      } catch (error) {
        if (attempt >= attempts || !isWorthRepeating(error)) throw error
      }
      const pauseMs = delayMs
      await new Promise<void>(resolve => this.#settings.clock.after(pauseMs, resolve))
      delayMs *= delayFactor
    }
  }

  async #post(spec: Record<string, unknown>): Promise<ReviewStatus> {
    const { group, version } = this.#settings
    const { path, transport } = await this.connect()
    const review = { kind: 'SubjectAccessReview', apiVersion: `${group}/${version}`, metadata: {}, spec }
    const response = await transport({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ ...review, status: { allowed: false } }),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const answer = await readText(response.body)
    if (response.status < 200 || response.status > 299) throw errorFromAnswer(response.status, answer)
    const status = (JSON.parse(answer) as { status?: ReviewStatus }).status
    if (typeof status !== 'object' || status === null) throw new Error('the answer has no status')
    return status
  }
}

/** No answer, an overloaded or a broken server: the next attempt may succeed. */
const isWorthRepeating = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 429 || error.code >= 500)

function decisionOf({ allowed, denied, reason, evaluationError }: ReviewStatus): AccessDecision {
  const rest = { ...(reason ? { reason } : {}), ...(evaluationError ? { evaluationError } : {}) }
  if (denied === true && allowed === true)
    return {
      ...rest,
      decision: 'deny',
      evaluationError: 'webhook subject access review returned both allow and deny response',
    }
  return { ...rest, decision: denied === true ? 'deny' : allowed === true ? 'allow' : 'noOpinion' }
}

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxAnswerBytes) throw new Error('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
