import {
  type AccessAttributes,
  type AccessDecision,
  defineAuthorizer,
  defineService,
  defineStartTask,
  type Expression,
  type Expressions,
  expressions,
  services,
  serviceToken,
  type Vendor,
} from 'orch/sdk'
import { ReviewWebhook } from 'orch/sdk/client'
import type { AuthorizationNames } from '../names.js'
import { AuthorizationWebhook } from '../webhook/authorization-webhook.js'
import type { WebhookConfiguration } from './authorization-configuration.js'

/** What the conditions of one webhook may cost for one request. */
const costOfRequest = 1_000_000
const text = { type: 'string' }
const texts = (...names: string[]) => ({
  type: 'object',
  properties: Object.fromEntries(names.map(name => [name, text])),
})
/** The spec of a SubjectAccessReview v1, as conditions see it. */
const requestSchema = {
  type: 'object',
  properties: {
    resourceAttributes: texts('namespace', 'verb', 'group', 'version', 'resource', 'subresource', 'name'),
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
  const { user: _, path: __, ...resourceAttributes } = access
  return { resourceAttributes, ...rest }
}

const noOpinion: AccessDecision = { decision: 'noOpinion' }

/** A webhook that is asked about some requests, and whose failure may be a refusal. */
export class ConfiguredWebhook {
  readonly #configuration: WebhookConfiguration
  readonly #webhook: AuthorizationWebhook
  #conditions: readonly Expression[] = []

  constructor(configuration: WebhookConfiguration, webhook: AuthorizationWebhook) {
    this.#configuration = configuration
    this.#webhook = webhook
  }

  /** Rejects when the client config or a condition cannot be used. */
  async start(language: Expressions | undefined): Promise<void> {
    const { name, matchConditions } = this.#configuration
    await this.#webhook.connect()
    const compile = async (expression: string, at: number): Promise<Expression> => {
      const maxCost = Number.POSITIVE_INFINITY
      try {
        return await language!.compile(expression, { variables: { request: requestSchema }, result: 'bool', maxCost })
      } catch (error) {
        const why = (error as Error).message
        throw new Error(`--authorization-config: webhook "${name}", matchConditions[${at}].expression: ${why}`)
      }
    }
    this.#conditions = await Promise.all(matchConditions.map(compile))
  }
  close(): Promise<void> {
    return this.#webhook.close()
  }

  decide(access: AccessAttributes): AccessDecision | Promise<AccessDecision> {
    const unmatched = this.#conditions.length === 0 ? undefined : this.#unmatched(access)
    if (unmatched) return unmatched
    const decision = this.#webhook.decide(access)
    return decision instanceof Promise ? decision.then(later => this.#judged(later)) : this.#judged(decision)
  }

  /** Undefined when it has to be asked. A condition that is not met counts more than one that fails. */
  #unmatched(access: AccessAttributes): AccessDecision | undefined {
    const budget = { left: costOfRequest }
    const variables = { request: requestOf(access) }
    const outcomes = this.#conditions.map(condition => condition.evaluate(variables, budget))
    if (outcomes.some(outcome => 'value' in outcome && outcome.value !== true)) return noOpinion
    const failed = outcomes.find(outcome => 'error' in outcome)
    if (!failed) return undefined
    return this.#judged({ decision: 'noOpinion', evaluationError: `a match condition failed: ${failed.error}` })
  }

  #judged(decision: AccessDecision): AccessDecision {
    const { failurePolicy, name } = this.#configuration
    const hasFailed = decision.decision === 'noOpinion' && decision.evaluationError !== undefined
    if (!hasFailed || failurePolicy === 'NoOpinion') return decision
    return { ...decision, decision: 'deny', reason: `the authorization webhook "${name}" failed` }
  }
}

/** Everything that a webhook of the file brings: the authorizer, the service behind it, and its start. */
export function webhookParts(configuration: WebhookConfiguration, vendor: Vendor, names: AuthorizationNames) {
  const { name, configFile: path, timeoutMs } = configuration
  const token = serviceToken<ConfiguredWebhook>(`authorization.webhook.${name}`)
  const service = defineService({
    token,
    needs: { clock: services.clock, logger: services.logger },
    create: ({ clock, logger }) => {
      const server = new ReviewWebhook({ path, vendor, clock, timeoutMs })
      const settings = { ...configuration, server, group: names.reviewGroup, clock, logger }
      return new ConfiguredWebhook(configuration, new AuthorizationWebhook(settings))
    },
  })
  const authorizer = defineAuthorizer({
    mode: `Webhook ${name}`,
    needs: { webhook: token },
    authorize: (access, { webhook }) => webhook.decide(access),
    rulesFor: () => ({
      resourceRules: [],
      nonResourceRules: [],
      incomplete: true,
      evaluationError: 'webhook authorizer does not support user rule resolution',
    }),
  })
  const started = async (webhook: ConfiguredWebhook, language?: Expressions) => {
    await webhook.start(language)
    return () => webhook.close()
  }
  const taskName = `authorization webhook ${name}`
  // Only conditions need the language, and with it the plugin that has it.
  const start =
    configuration.matchConditions.length === 0
      ? defineStartTask({ name: taskName, needs: { webhook: token }, run: ({ webhook }) => started(webhook) })
      : defineStartTask({
          name: taskName,
          needs: { webhook: token, language: expressions },
          run: ({ webhook, language }) => started(webhook, language),
        })
  return { service, authorizer, start }
}
