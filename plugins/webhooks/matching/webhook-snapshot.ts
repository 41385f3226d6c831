import type { AdmissionRequest, Caches, ServedType, StoreReader } from 'orch/sdk'
import { admissionRuleMatches, admissionRuleTarget, namespaceOfRequest } from 'orch/sdk/admission'
import type { CompiledWebhook } from './compiled-webhook.js'

/** A webhook whose rules match a request, and the version in which it sees the object. */
export interface Candidate {
  readonly webhook: CompiledWebhook
  readonly as: ServedType
  /** Its index in the snapshot, for audit annotations. */
  readonly index: number
}

const none: readonly Candidate[] = []

/**
 * All webhooks of one kind at one point in time. Rules do not depend on objects, so the candidates for a kind of request are
 * computed once; a request that no webhook matches costs one lookup.
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

/** The version under which a rule matches: the requested one, or else an equivalent. */
function typeToSend(
  { webhook, matchesEquivalents }: CompiledWebhook,
  request: AdmissionRequest,
): ServedType | undefined {
  const { rules = [] } = webhook
  const { requested } = request.served
  const isMatch = (as: ServedType) => {
    const target = admissionRuleTarget(request, as)
    return (rule: (typeof rules)[number]) => admissionRuleMatches(rule, target)
  }
  if (rules.some(isMatch(requested))) return requested
  if (!matchesEquivalents) return undefined
  // Earlier rules take precedence, whatever version they name.
  for (const rule of rules)
    for (const as of request.served.equivalents()) if (as !== requested && isMatch(as)(rule)) return as
  return undefined
}

interface NamespaceLookup {
  readonly caches: Caches
  readonly reader: StoreReader
}

/** Whether the selectors of a webhook whose rules match select the object. */
export async function isSelected(
  { webhook }: Candidate,
  request: AdmissionRequest,
  lookup: NamespaceLookup,
): Promise<boolean> {
  const { selectsNamespace, selectsObject } = webhook
  // A namespace selector does not apply to cluster-scoped objects, except Namespaces themselves.
  if (selectsNamespace) {
    const namespace = await namespaceOfRequest(request, lookup)
    if (namespace && !selectsNamespace(namespace.metadata.labels ?? {})) return false
  }
  if (!selectsObject) return true
  // Something without metadata, such as the options of a connect request, is never selected, not even by `DoesNotExist`.
  return [request.object, request.oldObject].some(object => object?.metadata && selectsObject(object.metadata.labels))
}
