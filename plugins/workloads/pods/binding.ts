import {
  type ApiObject,
  badRequest,
  conflict,
  defineAction,
  type FieldError,
  invalid,
  notSupported,
  requiredValue,
  services,
  successStatus,
  timestampOf,
  type Vendor,
} from 'orch/sdk'
import type { Pod, PodCondition } from 'orch/sdk/core'
import { Binding } from '../bindings/schema.js'
import { bindingLabels, boundPodsHaveNoNomination } from './differences.js'

export function validateBinding({ target }: Binding): FieldError[] {
  const { kind = '', name = '' } = target
  return [
    ...(kind === '' || kind === 'Node' ? [] : [notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(name === '' ? [requiredValue('target.name')] : []),
  ]
}

/** Assigns a Pod to the node that a scheduler chose. A Pod can be bound only once. */
function bindPod(pod: Pod, binding: Binding, now: number, { level }: Vendor): void {
  const name = pod.metadata?.name ?? ''
  checkPreconditions(pod, binding)
  const conflictWith = (why: string) => conflict({ group: '', resource: 'pods/binding', name }, why)
  if (pod.metadata?.deletionTimestamp != null)
    throw conflictWith(`pod ${name} is being deleted, cannot be assigned to a host`)
  if (pod.spec.nodeName) throw conflictWith(`pod ${name} is already assigned to node "${pod.spec.nodeName}"`)
  if ((pod.spec.schedulingGates ?? []).length > 0) throw conflictWith(`pod ${name} has non-empty .spec.schedulingGates`)
  pod.spec.nodeName = binding.target.name
  const annotations = { ...pod.metadata?.annotations, ...binding.metadata?.annotations }
  if (Object.keys(annotations).length > 0) pod.metadata = { ...pod.metadata, annotations }
  const given = level.has(bindingLabels) ? binding.metadata?.labels : undefined
  if (given) pod.metadata = { ...pod.metadata, labels: { ...pod.metadata?.labels, ...given } }
  pod.status = { ...pod.status, conditions: withScheduled(pod.status?.conditions ?? [], now) }
  if (level.has(boundPodsHaveNoNomination)) delete pod.status.nominatedNodeName
}

/** A scheduler may require that the Pod is still the one, and in the state, that it made its decision for. */
function checkPreconditions({ metadata = {} }: Pod, binding: Binding): void {
  for (const key of ['uid', 'resourceVersion'] as const) {
    const asked = binding.metadata?.[key] ?? ''
    if (asked === '' || asked === metadata[key]) continue
    const subject = { group: '', resource: 'pods', ...(metadata.name ? { name: metadata.name } : {}) }
    throw conflict(subject, `the ${key} of the binding is ${asked}, that of the pod ${metadata[key]}`)
  }
}

/** The conditions with PodScheduled set to True. */
function withScheduled(conditions: readonly PodCondition[], now: number): PodCondition[] {
  const before = conditions.find(({ type }) => type === 'PodScheduled')
  const scheduled = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: before?.status === 'True' ? before.lastTransitionTime : timestampOf(now),
  } as unknown as PodCondition
  return before
    ? conditions.map(condition => (condition === before ? scheduled : condition))
    : [...conditions, scheduled]
}

export const binding = defineAction({
  group: '',
  version: 'v1',
  objectKind: 'Binding',
  schema: Binding,
  keepsSystemFields: true,
  needs: { vendor: services.vendor },
  check(body: ApiObject & Binding, name: string) {
    if (body.metadata.name !== name) throw badRequest('name in URL does not match name in Binding object')
    const errors = validateBinding(body)
    if (errors.length > 0) throw invalid({ group: '', kind: 'Binding' }, name, errors)
  },
  handlers: {
    async create(request, { vendor }) {
      const body = request.body as ApiObject & Binding
      // The node is not part of the desired state that the client wrote.
      const options = { keepsGeneration: true, keepsOwners: true }
      await request.updateTarget(draft => bindPod(draft as Pod, body, request.now, vendor), options)
      return { object: successStatus }
    },
  },
})
