import {
  type AdmissionMatch,
  type AdmissionRequest,
  type ApiObject,
  defineAdmission,
  internalError,
  invalid,
  type Rejection,
  type Resolved,
  reject,
  services,
} from 'orch/sdk'
import type { Container, Namespace, Pod } from 'orch/sdk/core'
import type { PodSecurityNames } from '../names.js'
import type { PodLike } from '../standards/check.js'
import { describe, isStricter, type LevelVersion } from '../standards/level.js'
import { detailsOf, Standards } from '../standards/standards.js'
import { warnOfExistingPods } from './existing-pods.js'
import { isPrivileged, type NamespacePolicy, policyOf } from './namespace-policy.js'
import { podSecuritySettings } from './settings.js'

/** The types that create Pods from a template, whichever plugin serves them. */
const templateMatches = ({ appsGroup, batchGroup }: PodSecurityNames): readonly AdmissionMatch[] =>
  [
    { group: '', resource: ['podtemplates', 'replicationcontrollers'] },
    { group: appsGroup, resource: ['daemonsets', 'deployments', 'replicasets', 'statefulsets'] },
    { group: batchGroup, resource: ['cronjobs', 'jobs'] },
  ].map(match => ({ ...match, operations: ['create', 'update'] as const }))

interface Template {
  readonly metadata?: PodLike['metadata']
  readonly spec?: PodLike['spec']
}
interface Controller {
  /** Of a PodTemplate. */
  readonly template?: Template
  readonly spec?: {
    readonly template?: Template
    /** Of a CronJob. */
    readonly jobTemplate?: { readonly spec?: { readonly template?: Template } }
  }
}

/** The Pod template of an object; undefined if it has none. */
function templateOf(object: ApiObject): PodLike | undefined {
  const { template, spec } = object as Controller
  const { metadata, spec: podSpec } = template ?? spec?.template ?? spec?.jobTemplate?.spec?.template ?? {}
  return podSpec ? { metadata, spec: podSpec } : undefined
}

/** Whether the update changes a field that standards check. Pods that were admitted under another policy can still be cleaned up. */
function isSignificantUpdate(sent: Pod, stored: Pod, names: PodSecurityNames): boolean {
  const isOtherAnnotation = (key: string) => sent.metadata?.annotations?.[key] !== stored.metadata?.annotations?.[key]
  const isOther = (container: Container, old: Container | undefined) =>
    container.image !== old?.image ||
    (names.checksContainerSeccomp && isOtherAnnotation(`${names.seccompContainer}${container.name}`))
  if (names.checksPodSeccomp && isOtherAnnotation(names.seccompPod)) return true
  for (const list of ['initContainers', 'containers'] as const) {
    const before = stored.spec[list] ?? []
    const after = sent.spec[list] ?? []
    if (before.length !== after.length || after.some((container, i) => isOther(container, before[i]))) return true
  }
  const debuggers = new Map((stored.spec.ephemeralContainers ?? []).map(container => [container.name, container]))
  return (sent.spec.ephemeralContainers ?? []).some(container => isOther(container, debuggers.get(container.name)))
}

const needs = {
  caches: services.caches,
  reader: services.reader,
  clock: services.clock,
  settings: podSecuritySettings,
}
type Given = Resolved<typeof needs>
const namespaces = { group: '', resource: 'namespaces' }
const pods = { group: '', resource: 'pods' }
const written = ['create', 'update'] as const

/** Enforces the security standard of the namespace's labels. */
export const podSecurity = (names: PodSecurityNames) => {
  const review = new Review(names)
  return defineAdmission<ApiObject>()({
    name: 'PodSecurity',
    after: ['TaintNodesByCondition', 'AlwaysPullImages', 'ImagePolicyWebhook'],
    phase: 'validate',
    sideEffects: 'none',
    matches: [
      { ...namespaces, operations: written },
      { ...pods, subresource: ['', 'ephemeralcontainers'], operations: written },
      ...templateMatches(names),
    ],
    needs,
    review(request, given) {
      if (request.resource === namespaces.resource) return review.namespace(request, given)
      if (request.resource === pods.resource) return review.pod(request as AdmissionRequest<Pod>, given)
      return review.template(request, given)
    },
  })
}

class Review {
  readonly #names: PodSecurityNames
  readonly #standards: Standards
  /** By the namespace as it was read: labels are parsed once for all Pods. */
  readonly #policies = new WeakMap<Namespace, NamespacePolicy>()

  constructor(names: PodSecurityNames) {
    this.#names = names
    this.#standards = new Standards(names)
  }

  /** Labels must be valid; tightening them causes warnings about Pods that violate them. */
  async namespace({ operation, name, object, oldObject, warn }: AdmissionRequest, given: Given): Promise<undefined> {
    const { policy, errors } = this.#policyOf(object, given)
    const before = operation === 'update' ? this.#policyOf(oldObject, given) : undefined
    const isOld = before !== undefined && JSON.stringify(before.errors) === JSON.stringify(errors)
    if (errors.length > 0 && !isOld) throw invalid({ group: '', kind: 'Namespace' }, name, errors)
    if (!before || given.settings.exempt.namespaces.has(name)) return
    if (!isTightened(before.policy.enforce, policy.enforce)) return
    const { runtimeClasses } = given.settings.exempt
    // Straight from the store, because labels change too rarely to keep all Pods in memory for it.
    const existing = await given.reader.list<Pod>(pods, name)
    const judged = existing.filter(({ spec }) => !runtimeClasses.has(spec.runtimeClassName ?? ''))
    const now = () => given.clock.now()
    for (const text of warnOfExistingPods(name, policy.enforce, judged, this.#standards, now)) warn(text)
  }

  async pod(request: AdmissionRequest<Pod>, given: Given): Promise<Rejection | undefined> {
    const { object, oldObject } = request
    const found = await this.#policyFor(request, given)
    if (!found || (oldObject && !isSignificantUpdate(object, oldObject, this.#names))) return undefined
    return this.#evaluate(request, given, found, object, true)
  }

  /** Only warnings and audit annotations: the Pods themselves will be rejected. */
  async template(request: AdmissionRequest, given: Given): Promise<undefined> {
    const template = templateOf(request.object)
    const found = template ? await this.#policyFor(request, given) : undefined
    if (template && found) this.#evaluate(request, given, found, template, false)
  }

  #policyOf(namespace: Namespace, { settings }: Given): NamespacePolicy {
    let policy = this.#policies.get(namespace)
    if (!policy) {
      policy = policyOf(namespace.metadata?.labels ?? {}, settings.defaults, this.#names)
      this.#policies.set(namespace, policy)
    }
    return policy
  }

  /** The policy for the namespace of the request; undefined if none applies. */
  async #policyFor(request: AdmissionRequest<unknown>, given: Given): Promise<NamespacePolicy | undefined> {
    const { exempt } = given.settings
    if (exempt.namespaces.has(request.namespace)) return this.#note(request, 'exempt', 'namespace')
    if (exempt.users.has(request.user.name)) return this.#note(request, 'exempt', 'user')
    const { caches, reader } = given
    const namespace =
      caches.of<Namespace>(namespaces).get('', request.namespace) ??
      (await reader.get<Namespace>(namespaces, '', request.namespace))
    if (!namespace) throw internalError(`failed to lookup namespace "${request.namespace}"`)
    const found = this.#policyOf(namespace, given)
    if (found.errors.length > 0 || !isPrivileged(found.policy)) return found
    return this.#note(request, 'enforce-policy', describe(found.policy.enforce))
  }

  #note(request: AdmissionRequest<unknown>, name: string, text: string): undefined {
    request.annotate(this.#names.auditAnnotation(name), text)
  }

  #evaluate(
    request: AdmissionRequest<unknown>,
    { settings }: Given,
    { policy, errors }: NamespacePolicy,
    pod: PodLike,
    isEnforced: boolean,
  ): Rejection | undefined {
    if (settings.exempt.runtimeClasses.has(pod.spec.runtimeClassName ?? ''))
      return this.#note(request, 'exempt', 'runtimeClass')
    if (errors.length > 0)
      this.#note(request, 'error', `Failed to parse policy: ${errors.map(({ field }) => field).join(', ')}`)
    const judged = new Map<string, string>()
    const judge = (standard: LevelVersion): string => {
      const title = describe(standard)
      const found = judged.get(title) ?? detailsOf(this.#standards.violations(standard, pod))
      judged.set(title, found)
      return found === '' ? '' : `PodSecurity "${title}": ${found}`
    }
    if (isEnforced) this.#note(request, 'enforce-policy', describe(policy.enforce))
    const refusal = isEnforced ? judge(policy.enforce) : ''
    const audit = judge(policy.audit)
    if (audit !== '') this.#note(request, 'audit-violations', `would violate ${audit}`)
    // The rejection itself already names the violations.
    if (refusal !== '') return reject(`violates ${refusal}`)
    const warning = judge(policy.warn)
    if (warning !== '') request.warn(`would violate ${warning}`)
    return undefined
  }
}

/** Whether Pods could violate the new standard that satisfied the old one. */
function isTightened(before: LevelVersion, after: LevelVersion): boolean {
  if (after.level === 'privileged') return false
  return before.version !== after.version || isStricter(after.level, before.level)
}
