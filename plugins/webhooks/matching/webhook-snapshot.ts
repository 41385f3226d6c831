import type { AdmissionRequest, ServedType } from 'orch/sdk'
import type { RuleWithOperations } from '../webhook-configurations/schema.js'
import type { CompiledWebhook } from './compiled-webhook.js'

/** What a rule is compared with: a request under one of the names its objects are served by. */
interface RuleTarget {
  readonly operation: string
  readonly group: string
  readonly version: string
  readonly resource: string
  readonly subresource: string
  readonly isNamespaced: boolean
}

const hasOrAll = (values: readonly string[] | undefined, value: string) =>
  values?.some(each => each === '*' || each === value) ?? false

function ruleMatches(rule: RuleWithOperations, target: RuleTarget): boolean {
  return (
    scopeMatches(rule.scope, target.isNamespaced) &&
    hasOrAll(rule.operations, target.operation) &&
    hasOrAll(rule.apiGroups, target.group) &&
    hasOrAll(rule.apiVersions, target.version) &&
    (rule.resources?.some(name => resourceMatches(name, target)) ?? false)
  )
}

const scopeMatches = (scope: string | undefined, isNamespaced: boolean) =>
  scope === 'Namespaced' ? isNamespaced : scope === 'Cluster' ? !isNamespaced : true

/** `*` alone leaves subresources out. */
function resourceMatches(name: string, { resource, subresource }: RuleTarget): boolean {
  const slash = name.indexOf('/')
  const wantedResource = slash < 0 ? name : name.slice(0, slash)
  const wantedSubresource = slash < 0 ? '' : name.slice(slash + 1)
  return (
    (wantedResource === '*' || wantedResource === resource) &&
    (wantedSubresource === '*' || wantedSubresource === subresource)
  )
}

/** A webhook whose rules match a request, and the type in which it wants to see the object. */
export interface Candidate {
  readonly webhook: CompiledWebhook
  readonly as: ServedType
  /** Its place among all webhooks of the snapshot, for audit annotations. */
  readonly index: number
}

const none: readonly Candidate[] = []

/** Namespaces live in themselves for webhooks, but are cluster-scoped for rules. */
export const isNamespaceRequest = ({ group, resource }: Pick<AdmissionRequest, 'group' | 'resource'>) =>
  group === '' && resource === 'namespaces'

/**
 * All webhooks of one kind at one moment. Rules do not look at objects, so which webhooks a kind of request concerns is
 * worked out once; a request nobody cares about costs one lookup.
 */
export class WebhookSnapshot {
  readonly webhooks: readonly CompiledWebhook[]
  readonly #byRequest = new Map<string, readonly Candidate[]>()

  constructor(webhooks: readonly CompiledWebhook[]) {
    this.webhooks = webhooks
  }

  candidates(request: AdmissionRequest): readonly Candidate[] {
    if (this.webhooks.length === 0) return none
    const { operation, group, requestVersion, resource, subresource, namespace } = request
    const id = `${operation} ${group}/${requestVersion}/${resource}/${subresource} ${namespace === '' ? 'c' : 'n'}`
    let found = this.#byRequest.get(id)
    if (!found) this.#byRequest.set(id, (found = this.#find(request)))
    return found
  }

  #find(request: AdmissionRequest): readonly Candidate[] {
    return this.webhooks.flatMap((webhook, index) => {
      const as = typeToSend(webhook, request)
      return as ? [{ webhook, as, index }] : []
    })
  }
}

/** The type under which a rule matches: the requested one, or else an equivalent that the webhook knows. */
function typeToSend(
  { webhook, matchesEquivalents }: CompiledWebhook,
  request: AdmissionRequest,
): ServedType | undefined {
  const { rules = [] } = webhook
  const { requested } = request.served
  const isMatch = (as: ServedType) => (rule: (typeof rules)[number]) =>
    ruleMatches(rule, {
      ...as.resource,
      operation: request.operation.toUpperCase(),
      subresource: request.subresource,
      isNamespaced: request.namespace !== '' && !isNamespaceRequest(request),
    })
  if (rules.some(isMatch(requested))) return requested
  if (!matchesEquivalents) return undefined
  // Earlier rules count first, whatever type they name.
  for (const rule of rules)
    for (const as of request.served.equivalents()) if (as !== requested && isMatch(as)(rule)) return as
  return undefined
}
