import { isPromise } from 'orch/sdk'
import type { Expression, Expressions } from 'orch/sdk/expressions'
import type { AccessAttributes, AccessDecision, AskedAuthorizer } from 'orch/sdk/identity'
import { selectorAttributes } from '../access-reviews/selectors.js'
import { webhookRules } from '../modes/webhook-rules.js'
import type { AuthorizationWebhook } from '../webhook/authorization-webhook.js'
import type { WebhookConfiguration } from './authorization-configuration.js'

/** The evaluation cost of the conditions of one webhook is limited for each request. */
const maxRequestCost = 1_000_000
const text = { type: 'string' }
const texts = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map(name => [name, text])),
})
const selector = {
  type: 'object',
  properties: {
    rawSelector: text,
    requirements: {
      type: 'array',
      items: {
        type: 'object',
        properties: { key: text, operator: text, values: { type: 'array', items: text } },
      },
    },
  },
}
/** The spec of a SubjectAccessReview v1, as conditions see it. */
const requestSchema = {
  type: 'object',
  properties: {
    resourceAttributes: {
      type: 'object',
      properties: {
        ...texts('namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name').properties,
        fieldSelector: selector,
        labelSelector: selector,
      },
    },
    nonResourceAttributes: texts('path', 'verb'),
    user: text,
    groups: { type: 'array', items: text },
    uid: text,
    extra: { type: 'object', additionalProperties: { type: 'array', items: text } },
  },
}

function requestOf(access: AccessAttributes): Record<string, unknown> {
  const { user, verb } = access
  const { name, groups, uid = '', extra = {} } = user
  const rest = { user: name, groups, uid, extra }
  if (access.path !== undefined) return { nonResourceAttributes: { path: access.path, verb }, ...rest }
  const { user: _, path: __, fieldSelector: ___, labelSelector: ____, ...attributes } = access
  return { resourceAttributes: { ...attributes, ...selectorAttributes(access) }, ...rest }
}

const noOpinion: AccessDecision = { decision: 'noOpinion' }

/** A webhook with match conditions and a failure policy. */
export class ConfiguredWebhook implements AskedAuthorizer {
  readonly rulesFor = webhookRules
  readonly #configuration: WebhookConfiguration
  readonly #webhook: AuthorizationWebhook
  #conditions: readonly Expression[] = []
  #inFlight = 0
  #isRetired = false

  constructor(configuration: WebhookConfiguration, webhook: AuthorizationWebhook) {
    this.#configuration = configuration
    this.#webhook = webhook
  }

  /** Rejects when the client config or a condition cannot be used. */
  async start(language: Expressions | undefined): Promise<void> {
    const { name, matchConditions } = this.#configuration
    await this.#webhook.connect()
    if (matchConditions.length > 0 && !language)
      throw new Error(`webhook "${name}": matchConditions require a restart, because the file had no webhook at start`)
    const compile = async (expression: string, at: number): Promise<Expression> => {
      const maxCost = Number.POSITIVE_INFINITY
      try {
        return await language!.compile(expression, { variables: { request: requestSchema }, result: 'bool', maxCost })
      } catch (error) {
        const why = (error as Error).message
        throw new Error(`webhook "${name}", matchConditions[${at}].expression: ${why}`)
      }
    }
    this.#conditions = await Promise.all(matchConditions.map(compile))
  }
  close(): Promise<void> {
    return this.#webhook.close()
  }
  /** Closes it once its in-flight requests are answered. */
  retire(): void {
    this.#isRetired = true
    // Nobody uses it any more, so a failure to close it concerns nobody.
    if (this.#inFlight === 0) this.close().catch(() => {})
  }

  authorize(access: AccessAttributes): AccessDecision | Promise<AccessDecision> {
    const unmatched = this.#conditions.length === 0 ? undefined : this.#unmatched(access)
    if (unmatched) return unmatched
    const decision = this.#webhook.decide(access)
    return isPromise(decision) ? this.#awaitDecision(decision) : this.#applyFailurePolicy(decision)
  }
  async #awaitDecision(decision: Promise<AccessDecision>): Promise<AccessDecision> {
    this.#inFlight++
    try {
      return this.#applyFailurePolicy(await decision)
    } finally {
      this.#inFlight--
      if (this.#isRetired) this.retire()
    }
  }

  /** Undefined when the webhook has to be called. An unmet condition outweighs one that fails. */
  #unmatched(access: AccessAttributes): AccessDecision | undefined {
    const budget = { left: maxRequestCost }
    const variables = { request: requestOf(access) }
    const outcomes = this.#conditions.map(condition => condition.evaluate(variables, budget))
    if (outcomes.some(outcome => 'value' in outcome && outcome.value !== true)) return noOpinion
    const failed = outcomes.find(outcome => 'error' in outcome)
    if (!failed) return undefined
    return this.#applyFailurePolicy({
      decision: 'noOpinion',
      evaluationError: `a match condition failed: ${failed.error}`,
    })
  }

  #applyFailurePolicy(decision: AccessDecision): AccessDecision {
    const { failurePolicy, name } = this.#configuration
    const hasFailed = decision.decision === 'noOpinion' && decision.evaluationError !== undefined
    if (!hasFailed || failurePolicy === 'NoOpinion') return decision
    return { ...decision, decision: 'deny', reason: `the authorization webhook "${name}" failed` }
  }
}
