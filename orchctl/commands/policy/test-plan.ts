import { type ApiObject, kubernetesProfile, orchProfile, type VendorProfile } from 'orch/sdk'
import { labelSelectorMatcher } from 'orch/sdk/validation'
import type { Manifest } from '../../objects/read-manifests.js'
import { UsageError } from '../../usage-error.js'

/** The expected result for an object: the annotation `policy-test/expect`. */
export type Expectation = 'allow' | 'deny' | 'warn' | 'change'
export type Operation = 'CREATE' | 'UPDATE' | 'DELETE'

/** An object to send, and the expected result. */
export interface Trial {
  readonly object: ApiObject
  readonly operation: Operation
  readonly expected: Expectation
}
/** The objects to create first, in this order, and the objects to try then. */
export interface TestPlan {
  readonly vendor: VendorProfile
  readonly definitions: readonly ApiObject[]
  readonly namespaces: readonly ApiObject[]
  /** Whether the files contain roles or bindings. Otherwise everybody may do everything. */
  readonly hasRights: boolean
  /** Parameters, rights, and objects as they are before they are updated or deleted. */
  readonly existing: readonly ApiObject[]
  /** Policies first, then bindings. */
  readonly policies: readonly ApiObject[]
  readonly trials: readonly Trial[]
  /** Reasons why a policy has no effect, which could be mistaken for one that allows everything. */
  readonly warnings: readonly string[]
}

const prefix = 'policy-test/'
const expectations: readonly string[] = ['allow', 'deny', 'warn', 'change'] satisfies Expectation[]
const operations: readonly string[] = ['CREATE', 'UPDATE', 'DELETE'] satisfies Operation[]
const isPolicy = ({ kind = '' }: ApiObject) => /^(Validating|Mutating)AdmissionPolicy$/.test(kind)
const isBinding = ({ kind = '' }: ApiObject) => /^(Validating|Mutating)AdmissionPolicyBinding$/.test(kind)
const isRight = ({ kind = '' }: ApiObject) => /^(Cluster)?Role(Binding)?$/.test(kind)

/** Sorts objects into a plan. Of two documents for one object the first is its stored state, the second the update. */
export function testPlan(manifests: readonly Manifest[]): TestPlan {
  const all = manifests.map(({ object }) => object)
  const policies = all.filter(isPolicy)
  const bindings = all.filter(isBinding)
  const [first] = policies
  if (!first) throw new UsageError('no policy in these files: nothing to test')
  const plain = all.filter(object => !isPolicy(object) && !isBinding(object))
  const definitions = plain.filter(({ kind }) => kind === 'CustomResourceDefinition')
  const others = plain.filter(({ kind }) => kind !== 'CustomResourceDefinition')
  const isParam = paramTest(policies, bindings)
  const existing = others.filter(object => isRight(object) || isParam(object))
  // A namespace is set up for the other objects, unless it has an expectation of its own.
  const namespaces = others.filter(
    object => object.kind === 'Namespace' && object.apiVersion === 'v1' && !hasNotes(object),
  )
  const subjects = others.filter(object => !existing.includes(object) && !namespaces.includes(object))
  const trials: Trial[] = []
  const known = new Set<string>()
  for (const [index, object] of subjects.entries()) {
    const isLater = subjects.slice(index + 1).some(other => idOf(other) === idOf(object))
    const operation = operationOf(object, known.has(idOf(object)) ? 'UPDATE' : 'CREATE')
    known.add(idOf(object))
    if (isLater || operation === 'DELETE') existing.push(withoutNotes(object))
    if (!isLater) trials.push({ object: withoutNotes(object), operation, expected: expectationOf(object) })
  }
  if (trials.length === 0) throw new UsageError('no object in these files that the policies could be tried on')
  return {
    vendor: vendorOf(first),
    definitions,
    namespaces,
    hasRights: others.some(isRight),
    existing,
    policies: [...policies, ...bindings],
    trials,
    warnings: withoutEffect(policies, bindings),
  }
}

/** Policies without a binding, and bindings without a policy. */
function withoutEffect(policies: readonly ApiObject[], bindings: readonly ApiObject[]): string[] {
  const isBound = (policy: ApiObject, binding: ApiObject) =>
    binding.kind === `${policy.kind}Binding` &&
    (binding['spec'] as Spec | undefined)?.policyName === policy.metadata.name
  return [
    ...policies
      .filter(policy => !bindings.some(binding => isBound(policy, binding)))
      .map(({ kind, metadata }) => `${kind} ${metadata.name} has no binding in these files, so it has no effect`),
    ...bindings
      .filter(binding => !policies.some(policy => isBound(policy, binding)))
      .map(({ kind, metadata }) => `the policy of ${kind} ${metadata.name} is not in these files`),
  ]
}

const idOf = ({ apiVersion, kind, metadata }: ApiObject) =>
  `${apiVersion} ${kind} ${metadata.namespace ?? ''}/${metadata.name ?? ''}`
const hasNotes = ({ metadata }: ApiObject) =>
  Object.keys(metadata.annotations ?? {}).some(key => key.startsWith(prefix))
const noteOf = ({ metadata }: ApiObject, name: string) => metadata.annotations?.[prefix + name]

function expectationOf(object: ApiObject): Expectation {
  const expected = noteOf(object, 'expect') ?? 'allow'
  if (expectations.includes(expected)) return expected as Expectation
  throw new UsageError(
    `${prefix}expect of ${idOf(object)} must be one of ${expectations.join(', ')}, not "${expected}"`,
  )
}
function operationOf(object: ApiObject, otherwise: Operation): Operation {
  const operation = noteOf(object, 'operation') ?? otherwise
  if (operations.includes(operation)) return operation as Operation
  throw new UsageError(
    `${prefix}operation of ${idOf(object)} must be one of ${operations.join(', ')}, not "${operation}"`,
  )
}

/** The object without the annotations that are meant for the test. */
function withoutNotes(object: ApiObject): ApiObject {
  const { annotations = {}, ...metadata } = object.metadata
  const left = Object.entries(annotations).filter(([key]) => !key.startsWith(prefix))
  return { ...object, metadata: { ...metadata, ...(left.length > 0 ? { annotations: Object.fromEntries(left) } : {}) } }
}

interface Spec {
  readonly paramKind?: { readonly apiVersion?: string; readonly kind?: string }
  readonly policyName?: string
  readonly paramRef?: { readonly name?: string; readonly namespace?: string; readonly selector?: object }
}

/** Returns a test for objects that a binding passes to its policy as a parameter. */
function paramTest(policies: readonly ApiObject[], bindings: readonly ApiObject[]): (object: ApiObject) => boolean {
  const specOf = (object: ApiObject) => (object['spec'] ?? {}) as Spec
  const refs = bindings.flatMap(binding => {
    const { paramRef, policyName } = specOf(binding)
    const policy = policies.find(({ metadata }) => metadata.name === policyName)
    const { paramKind } = policy ? specOf(policy) : {}
    return paramRef && paramKind ? [{ paramRef, paramKind }] : []
  })
  return ({ apiVersion, kind, metadata }) =>
    refs.some(({ paramRef, paramKind }) => {
      if (paramKind.apiVersion !== apiVersion || paramKind.kind !== kind) return false
      if (paramRef.namespace && paramRef.namespace !== (metadata.namespace ?? 'default')) return false
      if (paramRef.name) return paramRef.name === metadata.name
      return labelSelectorMatcher(paramRef.selector ?? {})(metadata.labels ?? {})
    })
}

/** The vendor that the API group of a policy names: `admissionregistration.k8s.io` is that of Kubernetes. */
function vendorOf({ apiVersion = '' }: ApiObject): VendorProfile {
  const domain = /^admissionregistration\.([^/]+)\//.exec(apiVersion)?.[1]
  if (domain === undefined) throw new UsageError(`unknown apiVersion "${apiVersion}" of a policy`)
  const known = [kubernetesProfile, orchProfile].find(({ groupDomain }) => groupDomain === domain)
  return known ?? { ...orchProfile, name: domain, domain, groupDomain: domain }
}
