import {
  type ActionSubresource,
  type ApiObject,
  badRequest,
  conflict,
  type FieldError,
  invalid,
  notSupported,
  type Pod,
  type PodCondition,
  required,
} from 'orch/sdk'
import { Binding } from '../bindings/schema.js'

/** A Success without anything to show. */
export const success = { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Success', code: 201 }

export function validateBinding({ target }: Binding): FieldError[] {
  const { kind = '', name = '' } = target
  return [
    ...(kind === '' || kind === 'Node' ? [] : [notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(name === '' ? [required('target.name')] : []),
  ]
}

/** Puts a Pod on the node that a scheduler chose. A Pod is bound once. */
function bindPod(pod: Pod, binding: Binding, now: number): void {
  const name = pod.metadata?.name ?? ''
  const refuse = (why: string) => conflict({ group: '', resource: 'pods/binding', name }, why)
  if (pod.metadata?.deletionTimestamp != null)
    throw refuse(`pod ${name} is being deleted, cannot be assigned to a host`)
  if (pod.spec.nodeName) throw refuse(`pod ${name} is already assigned to node "${pod.spec.nodeName}"`)
  pod.spec.nodeName = binding.target.name
  const annotations = { ...pod.metadata?.annotations, ...binding.metadata?.annotations }
  if (Object.keys(annotations).length > 0) pod.metadata = { ...pod.metadata, annotations }
  const scheduled = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: new Date(now).toISOString().replace(/\.\d+Z$/, 'Z'),
  }
  const others = (pod.status?.conditions ?? []).filter(({ type }) => type !== scheduled.type)
  pod.status = { ...pod.status, conditions: [...others, scheduled as unknown as PodCondition] }
}

export const binding = {
  kind: 'action',
  group: '',
  version: 'v1',
  objectKind: 'Binding',
  schema: Binding,
  check(body: ApiObject & Binding, name: string) {
    if ((body.metadata.name ?? name) !== name) throw badRequest('name in URL does not match name in Binding object')
    const errors = validateBinding(body)
    if (errors.length > 0) throw invalid({ group: '', kind: 'Binding' }, name, errors)
  },
  handlers: {
    async create(request) {
      const body = request.body as ApiObject & Binding
      await request.updateTarget(draft => bindPod(draft as unknown as Pod, body, request.now))
      return { object: success }
    },
  },
} satisfies ActionSubresource
