import { internalError, type LabelSelector } from 'orch/sdk'
import { type Labels, labelMatcher, labelSelectorRequirements, type Requirement } from 'orch/sdk/validation'
import { harmlessSideEffects, reviewVersions } from '../webhook-configurations/supported-values.js'
import type { Webhook, WebhookConfiguration } from '../webhook-configurations/validation.js'

/** Whether labels are selected. Undefined if the selector selects everything. */
export type Selects = ((labels: Labels | undefined) => boolean) | undefined

/** A webhook with everything precomputed that does not depend on the request. */
export interface CompiledWebhook {
  /** Unique and stable as long as the configuration keeps its webhooks in order. */
  readonly id: string
  readonly configurationName: string
  readonly name: string
  readonly webhook: Webhook
  readonly selectsObject: Selects
  readonly selectsNamespace: Selects
  readonly matchesEquivalents: boolean
  readonly isFailureIgnored: boolean
  readonly mayDryRun: boolean
  readonly isCalledAgain: boolean
  readonly timeoutMs: number
  /** The first version in its list that this server can send; undefined when there is none. */
  readonly reviewVersion: string | undefined
  /** Compiled when first needed. */
  readonly conditions: Webhook['matchConditions']
}

/** For a webhook stored without a timeout, which defaulting normally prevents. */
const defaultTimeoutSeconds = 10

/** The webhooks of all configurations, in call order: by name of the configuration, then as listed. */
export function compileWebhooks(
  configurations: readonly (WebhookConfiguration & { metadata?: { name?: string } })[],
): CompiledWebhook[] {
  const nameOf = ({ metadata }: { metadata?: { name?: string } }) => metadata?.name ?? ''
  const byName = [...configurations].sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1))
  return byName.flatMap(configuration => {
    const seen = new Map<string, number>()
    return (configuration.webhooks ?? []).map(webhook => {
      // The older version allows one name twice.
      const repetition = seen.get(webhook.name) ?? 0
      seen.set(webhook.name, repetition + 1)
      return compileWebhook(nameOf(configuration), webhook, repetition)
    })
  })
}

function compileWebhook(configurationName: string, webhook: Webhook, repetition: number): CompiledWebhook {
  return {
    id: `${configurationName}/${webhook.name}/${repetition}`,
    configurationName,
    name: webhook.name,
    webhook,
    selectsObject: compileSelector(webhook.objectSelector),
    selectsNamespace: compileSelector(webhook.namespaceSelector),
    matchesEquivalents: webhook.matchPolicy === 'Equivalent',
    isFailureIgnored: webhook.failurePolicy === 'Ignore',
    mayDryRun: harmlessSideEffects.includes(webhook.sideEffects),
    isCalledAgain: webhook.reinvocationPolicy === 'IfNeeded',
    timeoutMs: (webhook.timeoutSeconds ?? defaultTimeoutSeconds) * 1000,
    conditions: webhook.matchConditions?.length ? webhook.matchConditions : undefined,
    reviewVersion: webhook.admissionReviewVersions?.find(version => reviewVersions.includes(version)),
  }
}

function compileSelector(selector: LabelSelector | undefined): Selects {
  let requirements: Requirement[] | undefined
  try {
    requirements = labelSelectorRequirements(selector)
  } catch (broken) {
    // An invalid selector must only fail the requests that match its webhook.
    return () => {
      throw internalError(`the selector of a webhook cannot be read: ${(broken as Error).message}`)
    }
  }
  if (requirements === undefined) return () => false
  return requirements.length === 0 ? undefined : labelMatcher(requirements)
}
